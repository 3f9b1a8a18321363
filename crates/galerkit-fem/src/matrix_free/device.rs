//! The product on a GPU: hanging values, cells of one kind after the other, then each row sums in a fixed order.
//! Kernels are compiled at run time, a kind with its degree, number of points and tables as constants; sizes are
//! numbers, so one compiled source serves all meshes with the same kinds.

use super::cells::Cells;
use super::group::{Group, Target, WARPS};
use super::kind::{Kind, Rule};
use super::numbers::Numbers;
use super::rows::Rows;
use super::tables::{collocated, derivatives, values};
use super::variant::KernelVariant;
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::quadrature::gauss;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{DeviceSource, Grid, Protocol, Word};
use std::fmt::Write;

const SHARED_BY_KINDS: &str = include_str!("../../kernels/matrix_free.cuh");
const FLUX: &str = include_str!("../../kernels/flux.cuh");
const SIZES: &str = include_str!("../../kernels/points.cuh");
const FROM_MEMORY: &str = include_str!("../../kernels/factors_stored.cuh");
const FROM_VERTICES: &str = include_str!("../../kernels/factors_trilinear.cuh");
const BOXES: &str = include_str!("../../kernels/boxes.cu");
const POINTS: &str = include_str!("../../kernels/points.cu");
const TILES: &str = include_str!("../../kernels/tiles.cu");
const STORED: &str = include_str!("../../kernels/stored.cu");

/// Blocks that have room in memory, for cells that are too large for shared memory.
const ROOMS: usize = 1024;

/// Kernel source and arrays; none where a cell has more lines of points than a block has threads.
pub(super) fn source<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, variant: KernelVariant) -> Option<DeviceSource> {
    let lines = |kind: &Kind| kind.points().pow(cells.dim as u32 - 1);
    if cells.kinds.is_empty() || cells.kinds.iter().any(|kind| lines(kind) > 32 * WARPS) {
        return None;
    }
    let target = Target { dim: cells.dim, scalar: S::KIND, variant };
    let hangs = numbers.constraints.len() > 0;
    let (passes, energy) = if hangs { (3, 1) } else { (1, 0) };
    let [registers, warps] = target.launch(&cells.kinds);
    let has = [hangs, numbers.beside.len() > 0];
    let (source, words) =
        (text(&target, &cells.kinds, has, warps), words(&target, cells, numbers, cells.sums.pairs()?));
    let protocol = Protocol::Elements { passes, energy, threads: 32 * warps, registers };
    Some(DeviceSource { source, protocol, words, lanes: 2, grid: Grid::Rows })
}

/// Entries of the arrays of the largest cell that has them in memory.
fn largest_outside(target: &Target, kinds: &[Kind]) -> usize {
    let outside = |kind: &Kind| Some(target.group(kind)).filter(|group| !group.in_shared);
    let sizes = kinds.iter().filter_map(|kind| Some(outside(kind)?.arrays * target.array_size(kind)));
    sizes.max().unwrap_or(0)
}

/// The source, for blocks of so many warps.
fn text(target: &Target, kinds: &[Kind], [hangs, beside]: [bool; 2], warps: usize) -> String {
    let shared = kinds.iter().map(|kind| target.shared(kind, warps));
    let (shared, most) = (shared.max().unwrap_or(0).max(8), largest_outside(target, kinds));
    let mut source = format!(
        "constexpr int KINDS = {};\nconstexpr bool HANGS = {hangs}, BESIDE = {beside};\n\
         constexpr unsigned SHARED = {shared}, ROOMS = {ROOMS}, ROOM_SIZE = {most};\n",
        kinds.len()
    );
    source += SHARED_BY_KINDS;
    if !target.scalar.is_complex() {
        source += FLUX;
    }
    for (k, kind) in kinds.iter().enumerate() {
        let _ = write!(source, "namespace kind{k} {{\n{}}}\n", of_kind(target, kind));
    }
    source += "template <int PASS> __device__ inline Scalar elements(const Map &A, const Scalar *x) {\n";
    if hangs {
        source += "    if (PASS == 0) { hanging_values(A, x); return zero(); }\n    if (PASS == 2) { hanging_sums(A); return zero(); }\n";
    }
    let calls: Vec<String> =
        (0..kinds.len()).map(|k| format!("    energy += kind{k}::cells(A, A.kinds[{k}], x);\n")).collect();
    // Groups of one kind are not those of the next.
    let first = if beside { "beside_values(A, x)" } else { "zero()" };
    source
        + &format!("    Scalar energy = {first};\n")
        + &calls.join("    __syncthreads();\n")
        + "    return energy;\n}\n"
}

/// Where the tables of a kernel are. Known to the compiler they take no registers, or in constant memory fewer: by what
/// it makes of each kernel.
const KNOWN: &str = "__device__ constexpr";
const CONSTANT: &str = "__constant__";

/// The constants and tables of a kind, and its kernel.
fn of_kind(target: &Target, kind: &Kind) -> String {
    let (n, group) = (kind.p + 1, target.group(kind));
    let Group { warps, cells, .. } = group;
    let sizes = format!("constexpr int DIM = {}, N = {n}, WARPS = {warps}, CELLS = {cells};\n", target.dim);
    match kind.rule {
        Rule::Box => sizes + &table(KNOWN, "MASS", &Interval::of(kind.p).mass) + BOXES,
        Rule::Points(q) if target.is_by_tiles(kind) => sizes + &of_points(target, kind, q) + TILES,
        Rule::Points(q) => {
            let factors = if target.is_by_vertices(kind) { FROM_VERTICES } else { FROM_MEMORY };
            sizes + &of_points(target, kind, q) + SIZES + factors + POINTS
        }
        Rule::Stored => sizes + STORED,
    }
}

fn of_points(target: &Target, kind: &Kind, q: usize) -> String {
    let Group { arrays, in_shared, .. } = target.group(kind);
    let by_vertices = target.is_by_vertices(kind);
    let place = if arrays == 3 && !by_vertices { KNOWN } else { CONSTANT };
    let rule = gauss(q);
    let row = |entries: &[f64]| Dense::new(1, q, |_, i| entries[i]);
    let last =
        if target.is_by_tiles(kind) { ("DERIVATIVES", derivatives(kind.p, q)) } else { ("SLOPES", collocated(q)) };
    let tables = [("POINT", row(&rule.points)), ("WEIGHT", row(&rule.weights)), ("VALUES", values(kind.p, q)), last];
    let constants = format!(
        "constexpr int Q = {q}, REACTS = {}, ARRAYS = {arrays};\n\
         constexpr bool IN_SHARED = {in_shared}, TRILINEAR = {by_vertices};\n",
        usize::from(kind.reacts)
    );
    constants + &tables.map(|(name, A)| table(place, name, &A)).concat()
}

fn table(place: &str, name: &str, A: &Dense) -> String {
    let entries: Vec<String> = A.val.iter().map(|a| format!("Real({a:e})")).collect();
    format!("{place} Real {name}[{}] = {{{}}};\n", entries.len(), entries.join(", "))
}

/// The members of `struct Map`.
fn words<S: Scalar>(
    target: &Target,
    cells: &Cells,
    numbers: &Numbers<S>,
    (pairs, lists): (Vec<[u32; 2]>, Vec<u32>),
) -> Vec<Word> {
    let count = numbers.constraints.len();
    let rows = cells.unknowns.max(numbers.beside.len());
    let mut words = [cells.interface, cells.unknowns, count, rows].map(|n| Word::Number(n as u64)).to_vec();
    words.extend([array(&cells.index), array(&pairs), array(&lists)]);
    for rows in [&numbers.constraints, &numbers.transposed, &numbers.beside] {
        words.extend(of_rows(rows));
    }
    let bytes = |entries: usize| if entries == 0 { Word::Number(0) } else { Word::Room(entries * size_of::<S>()) };
    let most = largest_outside(target, &cells.kinds);
    let interior = cells.unknowns - cells.interface;
    words.extend([cells.places(), interior, count, count, most * ROOMS, numbers.beside.len()].map(bytes));
    for (k, kind) in cells.kinds.iter().enumerate() {
        let factors = if target.is_by_vertices(kind) { &numbers.maps[k][..] } else { numbers.factors(kind, k) };
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
