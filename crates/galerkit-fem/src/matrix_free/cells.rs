//! The cells of a space as products see them: what each local function gathers from `[x; C x]`, the kinds of cells, and
//! tasks of neighbouring cells for threads. Local results have the places of local functions: one cell after the other.

use super::kind::Kind;
use super::sums::{NONE, SIGN, Sums};
use crate::error::{Error, Result};
use crate::space::{Function, Space};
use galerkit_linalg::parallel;
use std::ops::Range;

/// Cells that are multiplied side by side.
pub const LANES: usize = 8;
/// Local functions that a task has about.
const TASK: usize = 16 << 10;
/// Cells whose functions a thread numbers at a time.
const CELLS: usize = 1024;

/// All cells.
#[derive(Clone, Debug)]
pub struct Cells {
    /// 2 or 3.
    pub dim: usize,
    /// Unknowns on interfaces.
    pub interface: usize,
    /// All unknowns; hanging functions follow them.
    pub unknowns: usize,
    /// Where the local functions of each cell begin.
    pub first: Vec<u32>,
    /// What each local function gathers: a number, a sign in the highest bit; all ones for nothing.
    pub index: Vec<u32>,
    /// Whether all local functions of a cell are unknowns, without a sign.
    pub is_plain: Vec<bool>,
    /// Kinds of cells.
    pub kinds: Vec<Kind>,
    /// What threads do.
    pub tasks: Vec<Task>,
    /// What interface unknowns, then hanging functions sum.
    pub sums: Sums,
}

/// Neighbouring cells, in batches of one kind.
#[derive(Clone, Debug)]
pub struct Task {
    /// The cells.
    pub cells: std::ops::Range<usize>,
    /// Unknowns in their interiors.
    pub interior: std::ops::Range<usize>,
    /// Kind, and which of its cells.
    pub batches: Vec<(u32, std::ops::Range<u32>)>,
}

impl Cells {
    /// The cells of a space in their kinds.
    pub fn new(space: &Space, kinds: Vec<Kind>) -> Result<Self> {
        let counts = space.counts();
        let (mut first, mut total) = (Vec::with_capacity(space.cells() + 1), 0usize);
        for e in 0..=space.cells() {
            first.push(total as u32);
            total += if e < space.cells() { space.functions(e).len() } else { 0 };
        }
        if total >= Function::LIMIT {
            let problem = format!("its cells have {total} local functions, the limit is {}", Function::LIMIT);
            return Err(Error::InvalidMesh { place: "the forest".into(), problem });
        }
        // Dirichlet data stand between unknowns and hanging functions: left out.
        let number = |function: &Function| match function.get() {
            Some((i, _)) if i < counts.unknowns => function.bits(),
            Some((i, _)) if i >= counts.masters => {
                (function.bits() & SIGN) | (i - counts.masters + counts.unknowns) as u32
            }
            _ => NONE,
        };
        let mut index = vec![0; total];
        let (mut rest, mut pieces) = (&mut index[..], Vec::with_capacity(space.cells().div_ceil(CELLS)));
        for begin in (0..space.cells()).step_by(CELLS) {
            let end = space.cells().min(begin + CELLS);
            let own;
            (own, rest) = rest.split_at_mut((first[end] - first[begin]) as usize);
            pieces.push((begin..end, own));
        }
        parallel::each_piece(pieces, &|(cells, own): (Range<usize>, &mut [u32])| {
            let functions = cells.flat_map(|e| space.functions(e));
            own.iter_mut().zip(functions).for_each(|(own, function)| *own = number(function));
        });
        let is_unknown = |function: &Function| (function.bits() as usize) < counts.unknowns;
        let is_plain = |e: usize| space.functions(e).iter().all(is_unknown);
        let is_plain = parallel::values(space.cells(), &is_plain);
        let (interface, unknowns) = (counts.interface as u32, counts.unknowns as u32);
        let row = |i: u32| match i {
            i if i < interface => Some(i as usize),
            i if i >= unknowns => Some((i - unknowns + interface) as usize),
            _ => None,
        };
        let sums = Sums::new(counts.interface + counts.total - counts.masters, &index, &row);
        let tasks = tasks(space, &first, &kinds);
        Ok(Self {
            dim: space.dim(),
            interface: counts.interface,
            unknowns: counts.unknowns,
            first,
            index,
            is_plain,
            kinds,
            tasks,
            sums,
        })
    }
    /// Local functions of all cells.
    pub fn places(&self) -> usize {
        self.index.len()
    }
    /// What the local functions of cell e gather.
    pub fn index_of(&self, e: usize) -> &[u32] {
        &self.index[self.first[e] as usize..self.first[e + 1] as usize]
    }
    /// Local results, cell by cell.
    pub fn split<'a, S>(&self, mut local: &'a mut [S]) -> Vec<&'a mut [S]> {
        let size = |ends: &[u32]| (ends[1] - ends[0]) as usize;
        let piece = |ends: &[u32]| local.split_off_mut(..size(ends)).expect("a place for each local function");
        self.first.windows(2).map(piece).collect()
    }
    /// Bytes of indices that a product reads.
    pub fn bytes(&self) -> usize {
        4 * (self.first.len() + self.index.len() + self.sums.start.len() + self.sums.place.len())
    }
}

/// The value that a local function gathers from unknowns and hanging functions.
#[inline]
pub fn gathered<S: galerkit_linalg::Scalar>(bits: u32, x: &[S], hanging: &[S]) -> S {
    if bits == NONE {
        return S::zero();
    }
    let i = (bits & !SIGN) as usize;
    let value = if i < x.len() { x[i] } else { hanging[i - x.len()] };
    if bits & SIGN == 0 { value } else { -value }
}

fn tasks(space: &Space, first: &[u32], kinds: &[Kind]) -> Vec<Task> {
    let (mut tasks, mut e) = (Vec::new(), 0);
    let mut next = vec![0; kinds.len()]; // of each kind: its first cell that is in no task yet
    while e < space.cells() {
        let end =
            first.partition_point(|&place| (place as usize) < first[e] as usize + TASK).clamp(e + 1, space.cells());
        let mut batches = Vec::new();
        for (k, kind) in kinds.iter().enumerate() {
            let to = kind.cells.partition_point(|&cell| (cell as usize) < end) as u32;
            let starts = (next[k]..to).step_by(LANES);
            batches.extend(starts.map(|from| (k as u32, from..to.min(from + LANES as u32))));
            next[k] = to;
        }
        let interior = |e: usize| match space.numbering().of_interior.get(e) {
            Some(&first) => first as usize,
            None => space.unknowns(),
        };
        tasks.push(Task { cells: e..end, interior: interior(e)..interior(end), batches });
        e = end;
    }
    tasks
}
