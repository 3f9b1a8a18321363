//! Two triangular solves on the GPU, of SSOR or of incomplete factors: each triangle level by level in slices of at
//! most 32 rows of one level, for kernels/triangular.cu. Levels, not colours: the preconditioner and the order of every
//! sum stay those of `map/triangular.rs` of linalg, so iteration counts do too. Inside a level, windows of rows are
//! sorted by length, and a slice ends early where rows get much shorter, so that a long row is not padded around.
//!
//! ```text
//! lower triangle        order  0 1 | 2        first  0 2 3      (positions of each slice)
//! [ . . . ]                                   start  0 0 2      (slots: two empty rows, then one row of two entries)
//! [ . . . ]                                   row    0 1 2
//! [ 3 5 . ]                                   col    0 1        (positions)      val  3 5
//! ```
//!
//! Triangles of many narrow levels are for one block, the others for all (`narrow.rs` decides). The two passes of a
//! product run together or not at all: each makes pending again what the other waits for. The numbers are one vector of
//! values, so that programs can replace them: [`sources`] says which number each slot holds.

mod narrow;
mod slice;
mod slots;
mod sweep;

pub use slots::sources;

use super::{Interface, Map, Tuning};
use crate::error::{Error, Result};
use crate::factor::{Computed, Rounded};
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::Grid;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{Factorisation, Factors, Ssor};
use slice::NONE;
use slots::{Parts, VALUES, sources_of, values_of};
use std::sync::Arc;
use sweep::Sweep;

const TEXT: &str = concat!(
    include_str!("../../kernels/messages.cuh"),
    include_str!("../../kernels/sweeps.cuh"),
    include_str!("../../kernels/narrow.cu"),
    include_str!("../../kernels/triangular.cu")
);

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
pub fn load_ssor<S: Scalar>(gpu: &Arc<Gpu>, M: &Ssor<S>, tuning: &Tuning) -> Result<Map> {
    load(gpu, M, (Rule::Ssor, M.damping().parts().0), tuning) // real, and rounded to S already
}

/// Incomplete factors in device memory.
pub fn load_factors<S: Scalar>(gpu: &Arc<Gpu>, M: &Factors<S>, tuning: &Tuning) -> Result<Map> {
    load(gpu, M, (Rule::of(M), 1.0), tuning)
}

/// The same with numbers that the GPU has computed: they never leave it.
pub fn load_computed<S: Scalar>(gpu: &Arc<Gpu>, M: &Computed<S>, tuning: &Tuning) -> Result<Map> {
    let filled = load_filled(gpu, M.pattern(), tuning, &|numbers, values| M.fill(numbers, values))?;
    filled.map_or_else(|| load_factors(gpu, M.bring()?, tuning), Ok)
}

/// The same with numbers that are rounded to single precision on the way.
pub fn load_rounded<S: Scalar>(gpu: &Arc<Gpu>, M: &Rounded<S>, tuning: &Tuning) -> Result<Map> {
    let filled = load_filled(gpu, M.pattern(), tuning, &|numbers, values| M.fill(numbers, values))?;
    filled.map_or_else(|| load_factors(gpu, &M.bring()?, tuning), Ok)
}

/// Factors whose values somebody fills in; none if they are too many to be numbered.
fn load_filled<S: Scalar>(
    gpu: &Arc<Gpu>,
    factors: &Factors<S>,
    tuning: &Tuning,
    fill: &dyn Fn(&[u32], &Buffer) -> Result<()>,
) -> Result<Option<Map>> {
    check_rows(factors.rows())?;
    let (forward, backward) = Sweep::both(factors, tuning.one_block);
    let Some(numbers) = sources_of(factors, &forward, &backward) else { return Ok(None) };
    let values = Buffer::new(gpu, VALUES, numbers.len() * size_of::<S>())?;
    fill(&numbers, &values)?;
    of_sweeps(gpu, (&forward, &backward), (Rule::of(factors), batch(factors)), 1.0, values).map(Some)
}

/// The two triangles in device memory.
fn load<S: Scalar>(
    gpu: &Arc<Gpu>,
    M: &dyn Triangular<S>,
    (rule, damping): (Rule, f64),
    tuning: &Tuning,
) -> Result<Map> {
    check_rows(M.lower().rows())?;
    let (forward, backward) = Sweep::both(M, tuning.one_block);
    let values = values_of(gpu, &forward, &backward)?;
    of_sweeps(gpu, (&forward, &backward), (rule, batch(M)), damping, values)
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
    (forward, backward): (&Sweep<S>, &Sweep<S>),
    (rule, batch): (Rule, usize),
    damping: f64,
    values: Buffer,
) -> Result<Map> {
    let rows = forward.row.len();
    let widest = forward.widest.max(backward.widest);
    let bytes = forward.bytes() + backward.bytes() + (4 + 2 * size_of::<S>()) * rows;
    gpu.require_memory("the triangular preconditioner", bytes - values.bytes().min(bytes))?;
    let position = Buffer::from_slice(gpu, "the positions of a triangle", &backward.positions_in(forward))?;
    let [below, above] = Parts::of(forward, backward).addresses(values.address(), size_of::<S>());
    let mut map = Map {
        interface: Interface::Passes(2),
        source: source(rule, batch),
        words: Vec::new(),
        shape: (rows, rows),
        bytes,
        lanes: 1,
        holds: false,
        grid: Grid::Rows,
        buffers: Vec::new(),
        values: Some(values),
    };
    forward.upload(gpu, &mut map, below)?;
    backward.upload(gpu, &mut map, above)?;
    let (warps, is_narrow) = (2 * widest as u64, u64::from(forward.narrow.is_some())); // two levels ahead is enough
    map.words.extend([position.address(), damping.to_bits(), warps, is_narrow]);
    map.buffers.push(position);
    Ok(map)
}

/// The text for rows that wait for so many entries at once: 4, 8 or 16.
pub fn source(rule: Rule, batch: usize) -> String {
    format!("constexpr unsigned BATCH = {batch};\n{}{TEXT}", rule.text())
}

/// How many entries a row should wait for at once: about all of them.
fn batch<S: Scalar>(M: &dyn Triangular<S>) -> usize {
    match (M.lower().nnz() + M.upper().nnz()).div_ceil(2 * M.lower().rows().max(1)) {
        0..=4 => 4,
        5..=8 => 8,
        _ if size_of::<S>() > 8 => 8, // 16 would take 188 registers
        _ => 16,
    }
}

#[cfg(test)]
mod tests;
