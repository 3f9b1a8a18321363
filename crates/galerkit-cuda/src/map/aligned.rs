//! Slices whose shorter rows are padded in the middle instead of at the end, so that the lanes of a step read columns
//! at about the same distance from their rows: then 16 bits are enough where rows at a boundary would otherwise have
//! the columns of one step a plane of the grid apart. Slots, and the order of entries within a row, stay as they are.
//!
//! ```text
//! . is padding      at the end               aligned
//! row 7:            -9  0  1  9              -9  .  0  1  9
//! row 8:            -9 -1  0  1  9           -9 -1  0  1  9      (columns relative to the row)
//! row 9:             0  1  9                  .  .  0  1  9
//! ```

use super::columns::{Groups, NARROW_PAD};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;

/// Slices with narrow columns.
pub(super) struct Aligned<S> {
    pub base: Vec<u32>,
    pub distance: Vec<u16>,
    pub val: Vec<S>,
}

/// Slices that one task works on.
const CHUNK: usize = 1024;

/// None when the columns of a step still lie too far apart. Only for one row a lane.
pub(super) fn align<S: Scalar>(groups: &Groups<'_>, val: &[S], order: Option<&[u32]>) -> Option<Aligned<S>> {
    let slices = groups.start.len() - 1;
    let chunks = parallel::values(slices.div_ceil(CHUNK), &|k| {
        let mut out = Aligned { base: Vec::new(), distance: Vec::new(), val: Vec::new() };
        let mut chunk = k * CHUNK..slices.min((k + 1) * CHUNK);
        chunk.all(|slice| align_slice(groups, val, order, slice, &mut out)).then_some(out)
    });
    let mut all =
        Aligned { base: Vec::new(), distance: Vec::with_capacity(val.len()), val: Vec::with_capacity(val.len()) };
    for chunk in chunks {
        let chunk = chunk?;
        all.base.extend(chunk.base);
        all.distance.extend(chunk.distance);
        all.val.extend(chunk.val);
    }
    Some(all)
}

/// Appends one slice; false when its columns do not fit.
fn align_slice<S: Scalar>(
    groups: &Groups<'_>,
    val: &[S],
    order: Option<&[u32]>,
    slice: usize,
    out: &mut Aligned<S>,
) -> bool {
    let (lanes, first) = (groups.lanes, groups.start[slice] as usize);
    let width = (groups.start[slice + 1] as usize - first) / lanes;
    let position = |lane: usize| slice * lanes + lane;
    let length = |lane: usize| groups.len.get(position(lane)).map_or(0, |&len| len as usize);
    let row =
        |lane: usize| order.map_or(position(lane), |order| order.get(position(lane)).map_or(0, |&i| i as usize)) as i64;
    let column = |lane: usize, e: usize| groups.col[first + e * lanes + lane];
    let Some(longest) = (0..lanes).find(|&lane| length(lane) == width) else { return width == 0 };
    let template: Vec<i64> = (0..width).map(|e| i64::from(column(longest, e)) - row(longest)).collect();

    let begin = out.val.len();
    out.val.resize(begin + width * lanes, S::zero());
    let mut placed: Vec<Option<u32>> = vec![None; width * lanes];
    for lane in 0..lanes {
        let mut step = 0;
        for e in 0..length(lane) {
            let offset = i64::from(column(lane, e)) - row(lane);
            while width - step > length(lane) - e && offset > template[step] {
                step += 1;
            }
            placed[step * lanes + lane] = Some(column(lane, e));
            out.val[begin + step * lanes + lane] = val[first + e * lanes + lane];
            step += 1;
        }
    }
    for step in placed.chunks(lanes) {
        let base = step.iter().flatten().min().copied().unwrap_or(0);
        out.base.push(base);
        for column in step {
            let distance = column.map_or(u32::from(NARROW_PAD), |column| column - base);
            if column.is_some() && distance >= u32::from(NARROW_PAD) {
                return false;
            }
            out.distance.push(distance as u16);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Layout, Tuning};
    use galerkit_linalg::sparse::{Coo, Matrix, Sell};

    /// Neighbours a plane of 70,000 away: at the boundary, entries of one step would lie that far apart.
    fn planes() -> Sell<f64> {
        const PLANE: usize = 70_000;
        let rows = 2 * PLANE + 500;
        let mut triples = Vec::new();
        for i in 0..rows {
            let near = [i.checked_sub(PLANE), Some(i), Some(i + PLANE).filter(|&j| j < rows)];
            triples.extend(near.into_iter().flatten().map(|j| (i, j, (i + j) as f64)));
        }
        let A = Coo::from_triples(rows, rows, &triples).expect("indices below the shape").to_csr().0;
        Sell::from_csr(&A, 32, 1).expect("any matrix can be sliced")
    }

    #[test]
    fn rows_at_a_boundary_are_padded_where_their_neighbours_have_entries() {
        let A = planes();
        let groups = Groups { lanes: 32, start: A.slice_start(), split: None, len: A.len(), col: A.col() };
        let aligned = align(&groups, A.val(), None).expect("aligned columns are 31 apart at most");
        for (p, &len) in A.len().iter().enumerate().take(A.rows()) {
            let (slice, lane) = (p / 32, p % 32);
            let first = A.slice_start()[slice] as usize;
            let stored: Vec<(u32, f64)> = (0..A.width(slice))
                .map(|e| (aligned.base[first / 32 + e], first + e * 32 + lane))
                .filter(|&(_, slot)| aligned.distance[slot] != NARROW_PAD)
                .map(|(base, slot)| (base + u32::from(aligned.distance[slot]), aligned.val[slot]))
                .collect();
            let expected: Vec<(u32, f64)> =
                (0..len as usize).map(|e| A.slot(p, e)).map(|slot| (A.col()[slot], A.val()[slot])).collect();
            assert_eq!(stored, expected, "row {p}");
        }
    }

    #[test]
    fn columns_that_do_not_fit_as_they_are_become_narrow() {
        let A = Matrix::Sell(planes());
        let wide = Layout::of_matrix(&A, &Tuning { narrow: Some(false), ..Tuning::default() }).expect("legal");
        let narrow = Layout::of_matrix(&A, &Tuning { narrow: Some(true), ..Tuning::default() }).expect("legal");
        assert!(narrow.bytes < wide.bytes * 9 / 10, "{} and {} bytes", narrow.bytes, wide.bytes);
    }
}
