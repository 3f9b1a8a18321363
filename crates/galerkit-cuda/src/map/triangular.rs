//! Two triangular solves on the GPU, of SSOR or of incomplete factors: each triangle level by level in slices of at most
//! 32 rows of one level, for kernels/triangular.cu. Levels, not colours: the preconditioner and the order of every sum
//! stay those of `precond/triangular.rs`, so iteration counts do too. Inside a level, windows of rows are sorted by
//! length, and a slice ends early where rows get much shorter, so that a long row is not padded around.
//!
//! ```text
//! lower triangle        order  0 1 | 2        first  0 2 3      (positions of each slice)
//! [ . . . ]                                   start  0 0 2      (slots: two empty rows, then one row of two entries)
//! [ . . . ]                                   row    0 1 2
//! [ 3 5 . ]                                   col    0 1        (positions)      val  3 5
//! ```
//!
//! The two passes of a product run together or not at all: each makes pending again what the other waits for.
//! New numbers for the same pattern go into the slots that are there: `refill`.

mod refill;

pub use refill::{Refillable, source as refill_source};

use super::{Map, Protocol};
use crate::error::{Error, Result};
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::{Factorisation, Factors, Ssor, Triangular};
use galerkit_linalg::sparse::{Csr, Levels};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

const TEXT: &str = concat!(include_str!("../../kernels/messages.cuh"), include_str!("../../kernels/triangular.cu"));
/// Rows of a slice: a warp.
const HEIGHT: usize = 32;
/// Rows that are sorted by length together: as many as keep their neighbours in cache.
const WINDOW: usize = 1024;
/// Column of padding.
const NONE: u32 = u32::MAX;

/// What becomes of a row once its sum is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Symmetric successive over-relaxation.
    Ssor,
    /// L U with a unit diagonal in L.
    Ilu,
    /// L L^H.
    Ic,
}

impl Rule {
    /// Every rule, with the name of its text.
    pub const ALL: [(&str, Rule); 3] = [("ssor", Rule::Ssor), ("ilu", Rule::Ilu), ("ic", Rule::Ic)];

    fn of<S: Scalar>(M: &Factors<S>) -> Self {
        match M.kind() {
            Factorisation::Ilu => Rule::Ilu,
            Factorisation::Ic => Rule::Ic,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Rule::Ssor => include_str!("../../kernels/ssor.cu"),
            Rule::Ilu => include_str!("../../kernels/ilu.cu"),
            Rule::Ic => include_str!("../../kernels/ic.cu"),
        }
    }
}

/// SSOR in device memory.
pub fn load_ssor<S: Scalar>(gpu: &Arc<Gpu>, M: &Ssor<S>) -> Result<Map> {
    load(gpu, M, Rule::Ssor, M.damping().parts().0) // real, and rounded to S already
}

/// Incomplete factors in device memory.
pub fn load_factors<S: Scalar>(gpu: &Arc<Gpu>, M: &Factors<S>) -> Result<Map> {
    load(gpu, M, Rule::of(M), 1.0)
}

/// The two triangles in device memory.
fn load<S: Scalar>(gpu: &Arc<Gpu>, M: &impl Triangular<S>, rule: Rule, damping: f64) -> Result<Map> {
    check_rows(M.scale().len())?;
    let (forward, backward) = Sweep::both(M);
    of_sweeps(gpu, &forward, &backward, (rule, batch(M)), damping)
}

/// Positions are 32 bits wide.
fn check_rows(rows: usize) -> Result<()> {
    if rows >= NONE as usize {
        let reason = format!("{rows} rows are more than 32-bit positions can name: take Jacobi");
        return Err(Error::Unsupported { what: "a triangular solve".into(), reason });
    }
    Ok(())
}

fn of_sweeps<S: Scalar>(
    gpu: &Arc<Gpu>,
    forward: &Sweep<S>,
    backward: &Sweep<S>,
    (rule, batch): (Rule, usize),
    damping: f64,
) -> Result<Map> {
    let rows = forward.row.len();
    let widest = forward.widest.max(backward.widest);
    let bytes = forward.bytes() + backward.bytes() + (4 + 2 * size_of::<S>()) * rows;
    gpu.require_memory("the triangular preconditioner", bytes)?;
    let position = Buffer::from_slice(gpu, "the positions of a triangle", &backward.positions_in(forward))?;
    let mut map = Map {
        protocol: Protocol::Passes(2),
        source: source(rule, batch),
        words: Vec::new(),
        shape: (rows, rows),
        bytes,
        lanes: 1,
        buffers: Vec::new(),
        values: None,
    };
    forward.upload(gpu, &mut map)?;
    backward.upload(gpu, &mut map)?;
    map.words.extend([position.address(), damping.to_bits(), 2 * widest as u64]); // two levels ahead is enough
    map.buffers.push(position);
    Ok(map)
}

/// Where a map has the arrays of a sweep that change or are needed for a change, among its buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The row at each position.
    pub row: usize,
    /// The values of the slots.
    pub val: usize,
    /// The diagonal, by position.
    pub scale: usize,
}

impl Places {
    /// In the order of `Sweep::upload`: slices twice, rows, columns, values, diagonal, vectors; forward, then backward.
    const BOTH: [Self; 2] = [Self { row: 2, val: 4, scale: 5 }, Self { row: 9, val: 11, scale: 12 }];
}

/// The slot of every entry of a triangle, and where the map has its arrays.
pub(crate) type Slotted = (Vec<u64>, Places);

/// Factors in device memory, and for each triangle the slot of every entry and where the map has its arrays.
pub(crate) fn of_pattern<S: Scalar>(gpu: &Arc<Gpu>, M: &Factors<S>) -> Result<(Map, [Slotted; 2])> {
    check_rows(M.rows())?;
    let (forward, backward) = Sweep::both(M);
    let map = of_sweeps(gpu, &forward, &backward, (Rule::of(M), batch(M)), 1.0)?;
    let [below, above] = Places::BOTH;
    Ok((map, [(forward.slots(M.lower()), below), (backward.slots(M.upper()), above)]))
}

/// The text for rows that wait for so many entries at once: 4, 8 or 16.
pub fn source(rule: Rule, batch: usize) -> String {
    format!("constexpr unsigned BATCH = {batch};\n{}{TEXT}", rule.text())
}

/// How many entries a row should wait for at once: about all of them.
fn batch<S: Scalar>(M: &impl Triangular<S>) -> usize {
    match (M.lower().nnz() + M.upper().nnz()).div_ceil(2 * M.scale().len().max(1)) {
        0..=4 => 4,
        5..=8 => 8,
        _ if size_of::<S>() > 8 => 8, // 16 would take 188 registers
        _ => 16,
    }
}

/// One triangle as the kernel reads it.
struct Sweep<S> {
    /// First slot of each slice; one more than there are slices.
    start: Vec<u64>,
    /// First position of each slice; one more than there are slices.
    first: Vec<u32>,
    /// The row at each position.
    row: Vec<u32>,
    /// Position of the row that an entry needs; [`NONE`] is padding.
    col: Vec<u32>,
    val: Vec<S>,
    /// The number of each row, by position.
    scale: Vec<S>,
    /// Slices of the widest level.
    widest: usize,
}

impl<S: Scalar> Sweep<S> {
    /// The forward and the backward one.
    fn both(M: &impl Triangular<S>) -> (Self, Self) {
        let forward = Self::new(M.lower(), &Levels::lower(M.lower()), M.scale());
        (forward, Self::new(M.upper(), &Levels::upper(M.upper()), M.scale()))
    }

    fn new(T: &Csr<S>, levels: &Levels, scale: &[S]) -> Self {
        let mut row = levels.order().to_vec();
        for level in levels.ranges() {
            for window in row[level].chunks_mut(WINDOW) {
                window.sort_by_key(|&i| Reverse(T.row_length(i as usize)));
            }
        }
        let position = inverse(&row);
        let scale = row.iter().map(|&i| scale[i as usize]).collect();
        let (col, val) = (Vec::with_capacity(T.nnz()), Vec::with_capacity(T.nnz()));
        let mut sweep = Self { start: vec![0], first: vec![0], row, col, val, scale, widest: 0 };
        for level in levels.ranges() {
            let slices: Vec<Range<usize>> = cut(&sweep.row[level.clone()], T).collect();
            sweep.widest = sweep.widest.max(slices.len());
            for slice in slices {
                sweep.push_slice(T, level.start + slice.start..level.start + slice.end, &position);
            }
        }
        sweep
    }

    /// Appends the rows at these positions, entry by entry.
    fn push_slice(&mut self, T: &Csr<S>, slice: Range<usize>, position: &[u32]) {
        let rows = &self.row[slice.clone()];
        let width = rows.iter().map(|&i| T.row_length(i as usize)).max().unwrap_or(0);
        for e in 0..width {
            for range in rows.iter().map(|&i| T.range(i as usize)) {
                let k = Some(range.start + e).filter(|&k| k < range.end);
                self.col.push(k.map_or(NONE, |k| position[T.col()[k] as usize]));
                self.val.push(k.map_or(S::zero(), |k| T.val()[k]));
            }
        }
        self.first.push(slice.end as u32);
        self.start.push(self.col.len() as u64);
    }

    /// The slot of every entry of T, in its order.
    fn slots(&self, T: &Csr<S>) -> Vec<u64> {
        let mut slot_of = vec![0; T.nnz()];
        for s in 0..self.slices() {
            let rows = &self.row[self.first[s] as usize..self.first[s + 1] as usize];
            for (l, range) in rows.iter().map(|&i| T.range(i as usize)).enumerate() {
                let first = self.start[s] + l as u64;
                range.enumerate().for_each(|(e, k)| slot_of[k] = first + (e * rows.len()) as u64);
            }
        }
        slot_of
    }

    fn slices(&self) -> usize {
        self.first.len() - 1
    }
    fn bytes(&self) -> usize {
        let shape = size_of_val(&self.start[..]) + size_of_val(&self.first[..]) + size_of_val(&self.row[..]);
        shape + size_of_val(&self.col[..]) + size_of_val(&self.val[..]) + size_of_val(&self.scale[..])
    }
    /// Where another sweep has the row that this one has at each position.
    fn positions_in(&self, other: &Self) -> Vec<u32> {
        let position = inverse(&other.row);
        self.row.iter().map(|&i| position[i as usize]).collect()
    }

    /// Appends the members of the kernel's `struct Sweep`.
    fn upload(&self, gpu: &Arc<Gpu>, map: &mut Map) -> Result<()> {
        let pending = vec![0xffu8; size_of_val(&self.scale[..])]; // all ones in every word
        let buffers = [
            Buffer::from_slice(gpu, "the slices of a triangle", &self.start)?,
            Buffer::from_slice(gpu, "the slices of a triangle", &self.first)?,
            Buffer::from_slice(gpu, "the rows of a triangle", &self.row)?,
            Buffer::from_slice(gpu, "the columns of a triangle", &self.col)?,
            Buffer::from_slice(gpu, "the values of a triangle", &self.val)?,
            Buffer::from_slice(gpu, "the diagonal of a triangle", &self.scale)?,
            Buffer::from_slice(gpu, "the vectors of a triangle", &pending)?,
        ];
        map.words.push(self.slices() as u64);
        map.words.extend(buffers.iter().map(Buffer::address));
        map.buffers.extend(buffers);
        Ok(())
    }
}

/// Cuts the rows of a level into slices: at most [`HEIGHT`] rows, none below half of the longest by more than 4.
fn cut<'a, S: Scalar>(rows: &'a [u32], T: &'a Csr<S>) -> impl Iterator<Item = Range<usize>> + 'a {
    let length = |at: usize| T.row_length(rows[at] as usize);
    let mut begin = 0;
    std::iter::from_fn(move || {
        let end = (begin..rows.len().min(begin + HEIGHT))
            .take_while(|&at| length(at) <= length(begin) && 2 * length(at) + 8 >= length(begin))
            .last()?
            + 1;
        Some(std::mem::replace(&mut begin, end)..end)
    })
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(p, &i)| position[i as usize] = p as u32);
    position
}

#[cfg(test)]
mod tests;
