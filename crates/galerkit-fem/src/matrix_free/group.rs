//! How the threads of a block share cells on a GPU: groups of warps that wait for each other and for nobody else.

use super::kind::{Kind, Rule};
use galerkit_linalg::ScalarKind;

/// Bytes of shared memory that a block takes at most: what a multiprocessor has for five, and generated kernels need
/// some.
const MOST_SHARED: usize = 41 << 10;
/// Warps that a block has at least.
pub const WARPS: usize = 8;
/// Lines that are enough for the threads of a block; then fewer warps wait for each other.
const ENOUGH: usize = WARPS * 32 * 3 / 4;

/// Warps that multiply cells together, how many cells, and arrays that each of them has meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// How many warps.
    pub warps: usize,
    /// How many cells.
    pub cells: usize,
    /// Arrays of a cell.
    pub arrays: usize,
    /// Whether these are in shared memory.
    pub in_shared: bool,
}

impl Group {
    /// Three arrays by quadrature if all groups have room for them.
    pub fn of(dim: usize, kind: &Kind, scalar: ScalarKind) -> Self {
        let three = Self::with(3, dim, kind, scalar);
        let fits = three.in_shared && three.bytes(dim, kind, scalar) * (WARPS / three.warps) <= MOST_SHARED;
        if kind.points() > 0 && fits { three } else { Self::with(2, dim, kind, scalar) }
    }
    /// As few warps as leave few threads without a line.
    fn with(arrays: usize, dim: usize, kind: &Kind, scalar: ScalarKind) -> Self {
        let cell = arrays * array_size(dim, kind) * scalar.bytes();
        if cell > MOST_SHARED {
            return Self { warps: WARPS, cells: 1, arrays, in_shared: false };
        }
        let lines = kind.points().max(kind.p + 1).pow(dim as u32 - 1);
        let cells = |warps: usize| (32 * warps / lines).min(MOST_SHARED / cell.max(1));
        let works = |warps: usize| WARPS / warps * cells(warps) * lines;
        let warps = [1, 2, 4].into_iter().find(|&warps| works(warps) >= ENOUGH).unwrap_or(WARPS);
        Self { warps, cells: cells(warps).max(1), arrays, in_shared: true }
    }
    /// Bytes of its cells.
    fn bytes(&self, dim: usize, kind: &Kind, scalar: ScalarKind) -> usize {
        self.cells * self.arrays * array_size(dim, kind) * scalar.bytes()
    }
    /// Bytes of shared memory for the groups of a block: as many as there are warps for, if there is room.
    pub fn shared(&self, dim: usize, kind: &Kind, scalar: ScalarKind) -> usize {
        let one = if self.in_shared { self.bytes(dim, kind, scalar) } else { 0 };
        let most = MOST_SHARED.checked_div(one).unwrap_or(1);
        (one * (WARPS / self.warps).min(most)).next_multiple_of(8)
    }
}

/// Entries of one array of a cell, as the kernels lay them out; none where all entries of its matrix are stored.
pub fn array_size(dim: usize, kind: &Kind) -> usize {
    let n = kind.points().max(kind.p + 1);
    if kind.rule == Rule::Stored { 0 } else { n * n * if dim == 3 { n | 1 } else { 1 } }
}
