//! The product on a GPU: hanging values, cells of one kind after the other, then each row sums in a fixed order. Kernels
//! are compiled at run time, a kind with its degree, number of points and tables as constants; sizes are numbers, so
//! one compiled source serves all meshes with the same kinds.

use super::cells::Cells;
use super::kind::{Kind, Rule};
use super::numbers::Numbers;
use super::rows::Rows;
use super::tables::{collocated, values};
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::quadrature::gauss;
use galerkit_linalg::map::{DeviceSource, Grid, Protocol, Word};
use galerkit_linalg::{Scalar, ScalarKind};
use std::fmt::Write;

const SHARED_BY_KINDS: &str = include_str!("../../kernels/matrix_free.cuh");
const BOXES: &str = include_str!("../../kernels/boxes.cu");
const POINTS: &str = include_str!("../../kernels/points.cu");
const STORED: &str = include_str!("../../kernels/stored.cu");

/// Bytes of shared memory that a block takes at most: what a multiprocessor has for five, and generated kernels need
/// some.
const MOST_SHARED: usize = 41 << 10;
/// Warps that a block has at least.
const WARPS: usize = 8;
/// Lines that are enough for the threads of a block; then fewer warps wait for each other.
const ENOUGH: usize = WARPS * 32 * 3 / 4;
/// Blocks that have room in memory, for cells that are too large for shared memory.
const ROOMS: usize = 1024;

/// Kernel source and arrays; none for complex scalars, nor where a cell has more lines of points than a block has threads.
pub(super) fn source<S: Scalar>(cells: &Cells, numbers: &Numbers<S>) -> Option<DeviceSource> {
    let lines = |kind: &Kind| kind.points().pow(cells.dim as u32 - 1);
    if S::KIND.is_complex() || cells.kinds.is_empty() || cells.kinds.iter().any(|kind| lines(kind) > 32 * WARPS) {
        return None;
    }
    let hangs = numbers.constraints.len() > 0;
    let (passes, energy) = if hangs { (3, 1) } else { (1, 0) };
    let registers = if cells.kinds.iter().any(|kind| kind.points() > 0) { 80 } else { 64 };
    let (source, words) = (text(cells, hangs, S::KIND), words(cells, numbers, cells.sums.pairs()?));
    Some(DeviceSource {
        source,
        protocol: Protocol::Elements { passes, energy, registers },
        words,
        lanes: 2,
        grid: Grid::Rows,
    })
}

/// Entries of the arrays of one cell while it is multiplied, as the kernels lay them out.
fn room(dim: usize, kind: &Kind) -> usize {
    let cube = |n: usize| n * n * if dim == 3 { n | 1 } else { 1 };
    match kind.rule {
        Rule::Box => 2 * cube(kind.p + 1),
        Rule::Points(q) => 2 * cube(q),
        Rule::Stored => 0,
    }
}

fn is_in_shared(dim: usize, kind: &Kind, scalar: ScalarKind) -> bool {
    room(dim, kind) * scalar.bytes() <= MOST_SHARED
}

/// Warps that multiply cells together, and how many cells.
struct Group {
    warps: usize,
    cells: usize,
}

impl Group {
    /// As few warps as leave few threads without a line.
    fn of(dim: usize, kind: &Kind, scalar: ScalarKind) -> Self {
        if !is_in_shared(dim, kind, scalar) {
            return Self { warps: WARPS, cells: 1 };
        }
        let lines = kind.points().max(kind.p + 1).pow(dim as u32 - 1);
        let most = MOST_SHARED.checked_div(room(dim, kind) * scalar.bytes()).unwrap_or(1);
        let cells = |warps: usize| (32 * warps / lines).min(most);
        let works = |warps: usize| WARPS / warps * cells(warps) * lines;
        let warps = [1, 2, 4].into_iter().find(|&warps| works(warps) >= ENOUGH).unwrap_or(WARPS);
        Self { warps, cells: cells(warps).max(1) }
    }
    /// Bytes of shared memory for the groups of a block: as many as there are warps for, if there is room.
    fn shared(&self, dim: usize, kind: &Kind, scalar: ScalarKind) -> usize {
        let one = self.cells * room(dim, kind) * scalar.bytes();
        let most = MOST_SHARED.checked_div(one).unwrap_or(1);
        (one * (WARPS / self.warps).min(most)).next_multiple_of(8)
    }
}

/// The source.
fn text(cells: &Cells, hangs: bool, scalar: ScalarKind) -> String {
    let (dim, kinds) = (cells.dim, &cells.kinds);
    let shared = kinds.iter().map(|kind| Group::of(dim, kind, scalar).shared(dim, kind, scalar));
    let shared = shared.filter(|&bytes| bytes <= MOST_SHARED).max().unwrap_or(0).max(8);
    let most = kinds.iter().map(|kind| room(dim, kind)).max().unwrap_or(0);
    let mut source = format!(
        "constexpr int KINDS = {};\nconstexpr bool HANGS = {hangs};\n\
         constexpr unsigned SHARED = {shared}, ROOMS = {ROOMS}, ROOM_SIZE = {most};\n",
        kinds.len()
    );
    source += SHARED_BY_KINDS;
    for (k, kind) in kinds.iter().enumerate() {
        let _ = write!(source, "namespace kind{k} {{\n{}}}\n", of_kind(dim, kind, scalar));
    }
    source += "template <int PASS> __device__ inline Scalar elements(const Map &A, const Scalar *x) {\n";
    if hangs {
        source += "    if (PASS == 0) { hanging_values(A, x); return zero(); }\n    if (PASS == 2) { hanging_sums(A); return zero(); }\n";
    }
    let calls: Vec<String> =
        (0..kinds.len()).map(|k| format!("    energy += kind{k}::cells(A, A.kinds[{k}], x);\n")).collect();
    // Groups of one kind are not those of the next.
    source + "    Scalar energy = zero();\n" + &calls.join("    __syncthreads();\n") + "    return energy;\n}\n"
}

/// The constants and tables of a kind, and its kernel.
fn of_kind(dim: usize, kind: &Kind, scalar: ScalarKind) -> String {
    let (n, Group { warps, cells }) = (kind.p + 1, Group::of(dim, kind, scalar));
    let sizes = format!("constexpr int DIM = {dim}, N = {n}, WARPS = {warps}, CELLS = {cells};\n");
    match kind.rule {
        Rule::Box => sizes + &table("MASS", &Interval::of(kind.p).mass) + BOXES,
        Rule::Points(q) => {
            let more = format!(
                "constexpr int Q = {q}, REACTS = {};\nconstexpr bool IN_SHARED = {}, TRILINEAR = {};\n",
                usize::from(kind.reacts),
                is_in_shared(dim, kind, scalar),
                kind.is_trilinear
            );
            let rule = gauss(q);
            let row = |entries: &[f64]| Dense::new(1, q, |_, i| entries[i]);
            let more = more + &table("POINT", &row(&rule.points)) + &table("WEIGHT", &row(&rule.weights));
            sizes + &more + &table("VALUES", &values(kind.p, q)) + &table("SLOPES", &collocated(q)) + POINTS
        }
        Rule::Stored => sizes + STORED,
    }
}

fn table(name: &str, A: &Dense) -> String {
    let entries: Vec<String> = A.val.iter().map(|a| format!("Scalar({a:e})")).collect();
    format!("__constant__ Scalar {name}[{}] = {{{}}};\n", entries.len(), entries.join(", "))
}

/// The members of `struct Map`.
fn words<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, (pairs, lists): (Vec<[u32; 2]>, Vec<u32>)) -> Vec<Word> {
    let count = numbers.constraints.len();
    let mut words = [cells.interface, cells.unknowns, count].map(|n| Word::Number(n as u64)).to_vec();
    words.extend([array(&cells.index), array(&pairs), array(&lists)]);
    for rows in [&numbers.constraints, &numbers.transposed] {
        words.extend(of_rows(rows));
    }
    let bytes = |entries: usize| if entries == 0 { Word::Number(0) } else { Word::Room(entries * size_of::<S>()) };
    let large = cells.kinds.iter().filter(|kind| !is_in_shared(cells.dim, kind, S::KIND));
    let most = large.map(|kind| room(cells.dim, kind)).max().unwrap_or(0);
    words.extend([cells.places(), cells.unknowns - cells.interface, count, count, most * ROOMS].map(bytes));
    for ((kind, factors), maps) in cells.kinds.iter().zip(&numbers.factors).zip(&numbers.maps) {
        let factors = if kind.is_trilinear { maps } else { factors };
        let first: Vec<u32> = kind.cells.iter().map(|&e| cells.first[e as usize]).collect();
        words.extend([Word::Number(first.len() as u64), array(&first), array(factors)]);
    }
    words
}

fn of_rows<S: Scalar>(rows: &Rows<S>) -> [Word; 3] {
    [array(&rows.start), array(&rows.col), array(&rows.val)]
}

/// The address of an array; nothing is uploaded for one without entries.
fn array<T: bytemuck::NoUninit>(data: &[T]) -> Word {
    if data.is_empty() { Word::Number(0) } else { Word::array(data) }
}
