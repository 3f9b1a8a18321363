//! Row ends and entries merged into one sequence that is cut into tiles of equal size: every block then has the same
//! work, whatever the rows look like. Kernel: `merge.cuh`.
//!
//! ```text
//! start 0 2 2 5     entries 0 1 | 2 3 4      sequence  0 1 E0 E1 | 2 3 4 E2      TILE = 4
//! row ends          E0 E1 E2                 tile_row  0 2 3      rows that end before each tile
//! ```

use super::{Layout, MAX_BLOCKS};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use std::borrow::Cow;

/// `kernels/merge.cuh`
pub(super) const MERGE: &str = include_str!("../../kernels/merge.cuh");
/// Items of a tile: five for each of 256 threads, odd against bank conflicts.
pub(super) const TILE: usize = 1280;
/// Items that a thread takes of a tile.
const SHARE: usize = 5;

/// Threads a row for so many items.
pub(super) fn lanes(items: usize, rows: usize) -> usize {
    items.div_ceil(SHARE).div_ceil(rows.max(1)).max(1)
}

/// Rows that end before each tile; the end of row i is item `start[i + 1] + i` of the sequence.
fn tile_rows(start: &[u64]) -> Vec<u32> {
    let items = start[start.len() - 1] + start.len() as u64 - 1;
    let tiles = items.div_ceil(TILE as u64);
    let rows_before = |item: u64| {
        let (mut low, mut high) = (0, start.len() - 1);
        while low < high {
            let middle = low.midpoint(high);
            if start[middle + 1] + (middle as u64) < item { low = middle + 1 } else { high = middle }
        }
        low as u32
    };
    parallel::collect(tiles as usize + 1, &|tile| rows_before((tile * TILE) as u64))
}

/// The words of `struct Merge`.
pub(super) fn with_rows<'a, S: Scalar>(
    layout: Layout<'a>,
    start: impl Into<Cow<'a, [u64]>>,
    col: &'a [u32],
    val: &'a [S],
) -> Layout<'a> {
    let start = start.into();
    let tile_row = tile_rows(&start);
    let layout = layout
        .number(start.len() - 1 + val.len())
        .number(tile_row.len() - 1)
        .array("the tiles of merged rows", tile_row)
        .array("the starts of merged rows", start)
        .array("the columns of merged rows", col)
        .values("the values of merged rows", val);
    with_carries::<S>(layout)
}

/// The words `carry_row` and `carry_sum`.
pub(super) fn with_carries<S: Scalar>(layout: Layout<'_>) -> Layout<'_> {
    layout.room("the rows of carries", 4 * MAX_BLOCKS).room("the sums of carries", size_of::<S>() * MAX_BLOCKS)
}
