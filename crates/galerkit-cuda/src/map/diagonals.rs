//! Slices of a matrix that lives on few diagonals, as grids in their natural order and Toeplitz matrices do: a slot for
//! every row on every diagonal, so that kernels compute columns instead of reading them. Kernel: `diagonals.cu`.
//!
//! ```text
//! diagonals -2, 0, 1        slots           present
//! row 0:   a b .            0 a b           0 1 1         row 0 has nothing on diagonal -2,
//! row 1:   . c d            0 c d           0 1 1         because there is no such column
//! row 2:   e . f g          e f g           1 1 1
//! ```

use super::columns::Groups;
use super::layout::Source;
use super::{Interface, Layout, short};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;

/// Lanes of a slice: the bits of a word of `present`.
const LANES: usize = 32;

/// Slices that one task works on.
const CHUNK: usize = 256;
/// Bytes of a narrow column, which a diagonal saves a slot.
const COLUMN: usize = 2;

/// A matrix by diagonals.
struct Diagonals<S> {
    /// Column less row, ascending.
    offset: Vec<i64>,
    val: Vec<S>,
    present: Vec<u32>,
}

/// The layout by diagonals, where these are as few as the entries of short rows and take no more bytes than columns do.
/// For rows in their own order.
pub(super) fn layout<'a, S: Scalar>(shape: (usize, usize), groups: &Groups<'_>, val: &[S]) -> Option<Layout<'a>> {
    let offset = offsets(shape.0, groups)?;
    if !pays::<S>(offset.len(), shape.0, val.len()) {
        return None;
    }
    let diagonals = fill(shape.0, groups, val, offset);
    let complete = is_complete(shape, &diagonals);
    let Diagonals { offset, val, present } = diagonals;
    let layout = Layout::new(Interface::Rows, source::<S>(offset.len(), complete), shape)
        .holding()
        .number(shape.0)
        .number(shape.1);
    let layout = if complete { layout.number(0) } else { layout.array("which slots the diagonals fill", present) };
    let layout = layout.values("the values of the diagonals", val);
    Some(offset.into_iter().fold(layout, |layout, offset| layout.number(offset as usize)))
}

/// Whether so many diagonals take no more bytes than so many slots with columns.
pub(crate) fn pays<S>(diagonals: usize, rows: usize, slots: usize) -> bool {
    diagonals * rows.div_ceil(LANES) * LANES * size_of::<S>() <= slots * (size_of::<S>() + COLUMN)
}

/// The text for so many diagonals.
pub(super) fn source<S>(width: usize, complete: bool) -> String {
    Source::new()
        .number("WIDTH", width)
        .number("ROWS", short::rows::<S>(width))
        .flag("COMPLETE", complete)
        .text(&[include_str!("../../kernels/diagonals.cu")])
}

/// The slots of a row's entries.
fn slots<'g>(groups: &'g Groups<'_>, row: usize) -> impl Iterator<Item = usize> + 'g {
    let first = groups.start[row / LANES] as usize + row % LANES;
    (0..groups.len[row] as usize).map(move |e| first + e * LANES)
}

/// The diagonals that have entries, ascending; none if there are none or too many.
fn offsets(rows: usize, groups: &Groups<'_>) -> Option<Vec<i64>> {
    if groups.lanes != LANES || groups.split.is_some() {
        return None;
    }
    let mut found: Vec<i64> = Vec::new();
    for row in 0..rows {
        for slot in slots(groups, row) {
            let offset = i64::from(groups.col[slot]) - row as i64;
            if let Err(place) = found.binary_search(&offset) {
                if found.len() == short::SHORT {
                    return None;
                }
                found.insert(place, offset);
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Every entry in the slot of its diagonal.
fn fill<S: Scalar>(rows: usize, groups: &Groups<'_>, val: &[S], offset: Vec<i64>) -> Diagonals<S> {
    let (width, slices) = (offset.len(), rows.div_ceil(LANES));
    let mut placed = vec![S::zero(); slices * width * LANES];
    let mut present = vec![0u32; slices * width];
    let chunks = placed.chunks_mut(CHUNK * width * LANES).zip(present.chunks_mut(CHUNK * width)).enumerate();
    parallel::each_piece(chunks.collect(), &|(chunk, (placed, present))| {
        let first = chunk * CHUNK * LANES;
        for row in first..rows.min(first + CHUNK * LANES) {
            let at = (row - first) / LANES * width;
            for slot in slots(groups, row) {
                let from_row = i64::from(groups.col[slot]) - row as i64;
                let e = offset.binary_search(&from_row).expect("every diagonal with entries was found");
                placed[(at + e) * LANES + row % LANES] = val[slot];
                present[at + e] |= 1 << (row % LANES);
            }
        }
    });
    Diagonals { offset, val: placed, present }
}

/// Whether every slot whose column exists is filled.
fn is_complete<S: Scalar>((rows, cols): (usize, usize), diagonals: &Diagonals<S>) -> bool {
    let width = diagonals.offset.len();
    let complete = |step: usize| {
        let first = step / width * LANES;
        let exists = |lane: &usize| {
            (0..cols as i64).contains(&((first + lane) as i64 + diagonals.offset[step % width])) && first + lane < rows
        };
        (0..LANES).filter(exists).fold(0, |word, lane| word | 1 << lane) == diagonals.present[step]
    };
    let (steps, size) = (diagonals.present.len(), CHUNK * width);
    let chunks = parallel::values(steps.div_ceil(size), &|k| (k * size..steps.min((k + 1) * size)).all(complete));
    chunks.into_iter().all(|complete| complete)
}
