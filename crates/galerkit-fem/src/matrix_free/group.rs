//! How the threads of a block share cells on a GPU: groups of warps that wait for each other and for nobody else.

use super::kind::{Kind, Rule};
use super::trilinear::NUMBERS;
use super::variant::KernelVariant;
use galerkit_linalg::ScalarKind;

/// Bytes of shared memory that a block of [`WARPS`] takes at most: what a multiprocessor has for five, and generated
/// kernels need some.
const MOST_SHARED: usize = 41 << 10;
/// Warps that a block has, or half as many.
pub const WARPS: usize = 8;
/// Lines that are enough for the threads of a block; then fewer warps wait for each other.
const ENOUGH: usize = WARPS * 32 * 3 / 4;
/// Points and functions in each direction that matrix instructions can take.
const TILE: usize = 8;
/// Registers of a multiprocessor.
const REGISTERS: usize = 65536;

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

/// What kernels are written for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Of the cells.
    pub dim: usize,
    /// What they compute with.
    pub scalar: ScalarKind,
    /// Where there is a choice.
    pub variant: KernelVariant,
}

impl Target {
    /// Whether a warp multiplies a cell by matrix instructions: these know double precision.
    pub fn is_by_tiles(&self, kind: &Kind) -> bool {
        let fits = (self.variant.least_by_tiles..=TILE).contains(&kind.points()) && kind.p < TILE;
        self.dim == 3 && self.scalar == ScalarKind::F64 && fits
    }
    /// Whether D is computed from the vertices of a cell: for real coefficients.
    pub fn is_by_vertices(&self, kind: &Kind) -> bool {
        kind.is_trilinear
            && !self.scalar.is_complex()
            && (kind.p <= self.variant.highest_by_vertices || self.is_by_tiles(kind))
    }
    /// Three arrays by quadrature if all groups have room for them.
    pub fn group(&self, kind: &Kind) -> Group {
        if self.is_by_tiles(kind) {
            return Group { warps: 1, cells: 1, arrays: 0, in_shared: true };
        }
        let three = self.with(3, kind);
        let fits = three.in_shared && self.bytes(kind, &three) * (WARPS / three.warps) <= MOST_SHARED;
        if kind.points() > 0 && fits { three } else { self.with(2, kind) }
    }
    /// As few warps as leave few threads without a line.
    fn with(&self, arrays: usize, kind: &Kind) -> Group {
        let cell = arrays * self.array_size(kind) * self.scalar.bytes();
        if cell > MOST_SHARED {
            return Group { warps: WARPS, cells: 1, arrays, in_shared: false };
        }
        let lines = kind.points().max(kind.p + 1).pow(self.dim as u32 - 1);
        let cells = |warps: usize| (32 * warps / lines).min(MOST_SHARED / cell.max(1));
        let works = |warps: usize| WARPS / warps * cells(warps) * lines;
        let warps = [1, 2, 4].into_iter().find(|&warps| works(warps) >= ENOUGH).unwrap_or(WARPS);
        Group { warps, cells: cells(warps).max(1), arrays, in_shared: true }
    }
    /// Bytes of the cells of a group.
    fn bytes(&self, kind: &Kind, group: &Group) -> usize {
        let map = if self.is_by_vertices(kind) && group.arrays > 0 { NUMBERS } else { 0 };
        group.cells * (group.arrays * self.array_size(kind) + map) * self.scalar.bytes()
    }
    /// Bytes of shared memory for the groups of a block: as many as there are warps for, if there is room.
    pub fn shared(&self, kind: &Kind, warps: usize) -> usize {
        let group = self.group(kind);
        let one = if group.in_shared { self.bytes(kind, &group) } else { 0 };
        let most = MOST_SHARED.checked_div(one).unwrap_or(1);
        (one * (warps / group.warps).min(most)).next_multiple_of(8)
    }
    /// Entries of one array of a cell, as the kernels lay them out; none where all entries of its matrix are stored.
    pub fn array_size(&self, kind: &Kind) -> usize {
        let n = kind.points().max(kind.p + 1);
        if kind.rule == Rule::Stored { 0 } else { n * n * if self.dim == 3 { n | 1 } else { 1 } }
    }
    /// Registers that a thread needs for cells of a kind, by what the compiler makes of them.
    fn registers_for(&self, kind: &Kind) -> usize {
        match kind.rule {
            Rule::Points(_) if self.is_by_tiles(kind) => {
                if self.is_by_vertices(kind) {
                    168
                } else {
                    128
                }
            }
            Rule::Points(_) if self.is_by_vertices(kind) => 96,
            Rule::Points(_) if self.group(kind).arrays == 2 => 80,
            _ => 64,
        }
    }
    /// Registers of a thread and warps of a block: smaller blocks where more warps fit a multiprocessor so.
    pub fn launch(&self, kinds: &[Kind]) -> [usize; 2] {
        let registers = kinds.iter().map(|kind| self.registers_for(kind)).max().unwrap_or(0);
        let registers = self.variant.registers.unwrap_or(registers);
        let resident = |warps: usize| REGISTERS / (32 * warps * registers) * warps;
        let may_be_small = kinds.iter().all(|kind| self.group(kind).warps <= WARPS / 2);
        let is_small = may_be_small && resident(WARPS / 2) > resident(WARPS);
        [registers, if is_small { WARPS / 2 } else { WARPS }]
    }
}
