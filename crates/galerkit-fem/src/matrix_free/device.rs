//! The product on a GPU, in passes: hanging values, cells of one kind after the other, sums in a fixed order. Kernels
//! are compiled at run time, a kind with its degree, number of points and tables as constants; sizes are numbers, so
//! one compiled source serves all meshes with the same kinds.

use super::cells::Cells;
use super::kind::{Kind, Rule};
use super::numbers::Numbers;
use super::rows::Rows;
use super::tables::{collocated, values};
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
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
/// Threads that a block has usually: so many lines of cells are multiplied side by side.
const THREADS: usize = 256;
/// Blocks that have room in memory, for cells that are too large for shared memory.
const ROOMS: usize = 1024;

/// Kernel source and arrays; none for complex scalars.
pub(super) fn source<S: Scalar>(cells: &Cells, numbers: &Numbers<S>) -> Option<DeviceSource> {
    if S::KIND.is_complex() || cells.kinds.is_empty() {
        return None;
    }
    let (source, passes) = text(cells, numbers.constraints.len() > 0, S::KIND);
    let words = words(cells, numbers);
    Some(DeviceSource { source, protocol: Protocol::Alone { passes }, words, lanes: 2, grid: Grid::Rows })
}

/// Entries of the arrays of one cell while it is multiplied, as the kernels lay them out.
fn room(dim: usize, kind: &Kind) -> usize {
    let cube = |n: usize| n * n * if dim == 3 { n | 1 } else { 1 };
    match kind.rule {
        Rule::Box => 2 * cube(kind.p + 1),
        Rule::Points(q) => dim * cube(q),
        Rule::Stored => 0,
    }
}

fn is_in_shared(dim: usize, kind: &Kind, scalar: ScalarKind) -> bool {
    room(dim, kind) * scalar.bytes() <= MOST_SHARED
}

/// Bytes of shared memory for the cells of a block, if they are in it.
fn shared(dim: usize, kind: &Kind, scalar: ScalarKind) -> usize {
    let lines = kind.points().max(kind.p + 1).pow(dim as u32 - 1);
    let one = room(dim, kind) * scalar.bytes();
    let most = MOST_SHARED.checked_div(one).unwrap_or(0);
    (one * (THREADS / lines).max(1).min(most)).next_multiple_of(8)
}

/// The source, and how many passes it has.
fn text(cells: &Cells, hangs: bool, scalar: ScalarKind) -> (String, usize) {
    let shared = cells.kinds.iter().map(|kind| shared(cells.dim, kind, scalar)).max().unwrap_or(0).max(8);
    let most = cells.kinds.iter().map(|kind| room(cells.dim, kind)).max().unwrap_or(0);
    let mut source = format!(
        "constexpr int KINDS = {};\nconstexpr unsigned SHARED = {shared}, ROOMS = {ROOMS}, ROOM_SIZE = {most};\n",
        cells.kinds.len()
    );
    source += SHARED_BY_KINDS;
    for (k, kind) in cells.kinds.iter().enumerate() {
        let text = of_kind(cells.dim, kind, is_in_shared(cells.dim, kind, scalar));
        let _ = write!(source, "namespace kind{k} {{\n{text}}}\n");
    }
    let mut calls: Vec<String> =
        (0..cells.kinds.len()).map(|k| format!("kind{k}::cells(A, A.kinds[{k}], x, y)")).collect();
    if hangs {
        calls.insert(0, "hanging_values(A, x)".into());
        calls.push("hanging_sums(A)".into());
    }
    calls.push("interface_sums(A, y)".into());
    source += "template <int PASS> __device__ inline void apply(const Map &A, const Scalar *x, Scalar *y) {\n";
    for (pass, call) in calls.iter().enumerate() {
        let _ = writeln!(source, "    if (PASS == {pass}) {call};");
    }
    (source + "}\n", calls.len())
}

/// The constants and tables of a kind, and its kernel.
fn of_kind(dim: usize, kind: &Kind, in_shared: bool) -> String {
    let n = kind.p + 1;
    let sizes = format!("constexpr int DIM = {dim}, N = {n};\n");
    match kind.rule {
        Rule::Box => sizes + &table("MASS", &Interval::of(kind.p).mass) + BOXES,
        Rule::Points(q) => {
            let more = format!(
                "constexpr int Q = {q}, REACTS = {};\nconstexpr bool IN_SHARED = {in_shared};\n",
                usize::from(kind.reacts)
            );
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
fn words<S: Scalar>(cells: &Cells, numbers: &Numbers<S>) -> Vec<Word> {
    let count = numbers.constraints.len();
    let mut words = [cells.interface, cells.unknowns, count].map(|n| Word::Number(n as u64)).to_vec();
    words.extend([&cells.index, &cells.sums.start, &cells.sums.place].map(|data| array(data)));
    for rows in [&numbers.constraints, &numbers.transposed] {
        words.extend(of_rows(rows));
    }
    let bytes = |entries: usize| if entries == 0 { Word::Number(0) } else { Word::Room(entries * size_of::<S>()) };
    let large = cells.kinds.iter().filter(|kind| !is_in_shared(cells.dim, kind, S::KIND));
    let most = large.map(|kind| room(cells.dim, kind)).max().unwrap_or(0);
    words.extend([cells.places(), count, count, most * ROOMS].map(bytes));
    for (kind, factors) in cells.kinds.iter().zip(&numbers.factors) {
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
