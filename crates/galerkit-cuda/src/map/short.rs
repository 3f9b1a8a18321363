//! Slices whose rows are short and of nearly one length are given one width, so that kernels need not look up where a
//! row begins.

use super::columns::{Columns, NARROW_PAD, PAD};
use super::layout::{RUN, Source};
use galerkit_linalg::Scalar;
use std::borrow::Cow;

/// Entries of a row up to which waiting for memory counts more than what is read.
pub(super) const SHORT: usize = 8;
/// Slots that may be added as padding, as a part of those that are there.
const PADDING: f64 = 0.05;

/// Rows that a thread has under way at once: as many as its registers hold.
pub(super) fn rows<S>(width: usize) -> usize {
    if width * size_of::<S>() <= 28 { 2 } else { 1 }
}

/// The text for slices of one width.
pub(super) fn source<S>(source: Source, width: usize) -> String {
    source
        .number("WIDTH", width)
        .number("ROWS", rows::<S>(width))
        .text(&[RUN, include_str!("../../kernels/sell_short.cu")])
}

/// The width for all slices, if rows are short and it adds little.
pub(super) fn width(start: &[u64], lanes: usize) -> Option<usize> {
    let widest = start.windows(2).map(|slice| (slice[1] - slice[0]) as usize / lanes).max().unwrap_or(0);
    width_of(start.last().copied().unwrap_or(0) as usize, start.len() - 1, lanes, widest)
}

/// The same for so many slots in slices of so many lanes, of which the widest is known.
pub(crate) fn width_of(slots: usize, slices: usize, lanes: usize, widest: usize) -> Option<usize> {
    let needed = (widest * lanes * slices) as f64;
    ((1..=SHORT).contains(&widest) && needed <= (1.0 + PADDING) * slots as f64).then_some(widest)
}

/// Columns and values with every slice widened.
pub(super) fn widen<'a, S: Scalar>(
    (start, lanes): (&[u64], usize),
    width: usize,
    columns: Columns,
    val: Cow<'a, [S]>,
) -> (Columns, Cow<'a, [S]>) {
    if start.windows(2).all(|slice| (slice[1] - slice[0]) as usize == width * lanes) {
        return (columns, val);
    }
    let columns = match columns {
        Columns::Wide(col) => Columns::Wide(padded(start, (lanes, lanes), width, &col, PAD)),
        Columns::Narrow { base, distance } => Columns::Narrow {
            base: padded(start, (lanes, 1), width, &base, 0),
            distance: padded(start, (lanes, lanes), width, &distance, NARROW_PAD),
        },
    };
    (columns, Cow::Owned(padded(start, (lanes, lanes), width, &val, S::zero())))
}

/// An array with `each` items for a step of so many lanes, every slice filled up with `pad`.
fn padded<T: Copy>(start: &[u64], (lanes, each): (usize, usize), width: usize, items: &[T], pad: T) -> Vec<T> {
    let mut wide = Vec::with_capacity((start.len() - 1) * width * each);
    for slice in start.windows(2) {
        let [begin, end] = [slice[0], slice[1]].map(|slot| slot as usize / lanes * each);
        wide.extend_from_slice(&items[begin..end]);
        wide.extend(std::iter::repeat_n(pad, width * each - (end - begin)));
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_rows_of_nearly_one_length_get_one_width() {
        assert_eq!(width(&[0, 6, 12], 2), Some(3));
        let nearly: Vec<u64> = [0, 4].into_iter().chain((1..40).map(|slice| 4 + 6 * slice)).collect();
        assert_eq!(width(&nearly, 2), Some(3));
        assert_eq!(width(&[0, 4, 10], 2), None, "a tenth more slots");
        assert_eq!(width(&[0, 18, 36], 2), None, "nine entries a row");
        assert_eq!(width(&[0], 2), None);
        assert_eq!(width(&[0, 0], 2), None);
    }

    #[test]
    fn slices_are_filled_up() {
        let columns = Columns::Narrow { base: vec![7, 8, 9], distance: vec![1, 2, 3, 4, 5, 6] };
        let (columns, val) = widen((&[0, 2, 6], 2), 2, columns, Cow::Borrowed(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        let Columns::Narrow { base, distance } = columns else { panic!("they stay narrow") };
        assert_eq!(base, [7, 0, 8, 9]);
        assert_eq!(distance, [1, 2, NARROW_PAD, NARROW_PAD, 3, 4, 5, 6]);
        assert_eq!(val[..], [1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 5.0, 6.0]);
    }
}
