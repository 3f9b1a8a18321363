//! A row of coefficients.

/// Numbers of functions that do not hang, and their factors.
pub type Row = Vec<(u32, f64)>;

/// The row sorted by number, with equal numbers summed and zeros left out.
pub fn summed(mut row: Row) -> Row {
    row.sort_by_key(|&(i, _)| i);
    row.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    row.retain(|&(_, factor)| factor != 0.0);
    row
}
