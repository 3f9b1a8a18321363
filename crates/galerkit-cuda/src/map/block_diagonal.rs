//! Block Jacobi on the GPU: the rows of each warp interleaved entry by entry for kernels/block_diagonal.cu.
//!
//! ```text
//! [ 1 2 . ]                       rows 0 1 2 of one warp, one lane a row:   val  1 3 5 .. | 2 4 . ..
//! [ 3 4 . ]   block = 2                                                           j = 0      j = 1
//! [ . . 5 ]
//! ```

use super::{Interface, Map};
use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::Grid;
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::precond::BlockDiagonal;
use std::sync::Arc;

const TEXT: &str = include_str!("../../kernels/block_diagonal.cu");
const WARP: usize = 32;
/// Entries of a row that one lane takes before a second one pays for the sum over lanes.
const ENTRIES: usize = 8;

/// The blocks in device memory.
pub fn load<S: Scalar>(gpu: &Arc<Gpu>, B: &BlockDiagonal<S>) -> Result<Map> {
    let lanes = lanes(B.block());
    let val = Buffer::from_slice(gpu, "the blocks of block Jacobi", &interleave(B, lanes))?;
    Ok(Map {
        interface: Interface::Rows,
        source: source(lanes),
        words: vec![B.rows() as u64, B.block() as u64, width(B.block(), lanes) as u64, val.address()],
        shape: (B.rows(), B.rows()),
        bytes: B.bytes(),
        lanes,
        holds: false,
        grid: Grid::Rows,
        buffers: Vec::new(),
        values: Some(val),
    })
}

/// The text for so many lanes a row.
pub fn source(lanes: usize) -> String {
    format!("constexpr unsigned LANES = {lanes};\n{TEXT}")
}

/// Lanes that share a row: a power of two, so that each has at most `ENTRIES` entries if a warp suffices for that.
pub fn lanes(block: usize) -> usize {
    block.div_ceil(ENTRIES).next_power_of_two().min(WARP)
}

/// Slots of a warp's rows.
fn width(block: usize, lanes: usize) -> usize {
    WARP * block.div_ceil(lanes)
}

/// The entries as the kernel reads them; slots behind a row's end hold zeros.
fn interleave<S: Scalar>(B: &BlockDiagonal<S>, lanes: usize) -> Vec<S> {
    spread(B, lanes, S::zero(), |k| B.val()[k])
}

/// Which entry of the blocks each slot holds; none if 32 bits cannot number them.
pub fn sources<S: Scalar>(B: &BlockDiagonal<S>) -> Option<Vec<u32>> {
    (B.slots() < NO_SOURCE as usize).then(|| spread(B, lanes(B.block()), NO_SOURCE, |k| k as u32))
}

/// Something for every entry of the blocks, in its slot.
fn spread<S: Scalar, T: Copy>(B: &BlockDiagonal<S>, lanes: usize, padding: T, at: impl Fn(usize) -> T) -> Vec<T> {
    let (rows, width) = (WARP / lanes, width(B.block(), lanes));
    let mut slots = vec![padding; B.rows().div_ceil(rows) * width];
    for (range, entries) in (0..B.blocks()).map(|k| B.block_at(k)) {
        let size = range.len();
        for (i, row) in range.enumerate() {
            let first = row / rows * width + row % rows * lanes;
            for j in 0..size {
                slots[first + j / lanes * WARP + j % lanes] = at(entries.start + i * size + j);
            }
        }
    }
    slots
}

#[cfg(test)]
mod tests;
