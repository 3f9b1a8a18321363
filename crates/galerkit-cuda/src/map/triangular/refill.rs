//! Factors on the GPU whose numbers are replaced while pattern, levels and slices stay: one upload and three scatters.
//! Kernels: refill.cu.

use super::{Factorisation, Rule, Sweep, batch, check_rows, of_sweeps};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Kernel, Shape};
use crate::map::Map;
use galerkit_linalg::error::check_length;
use galerkit_linalg::precond::Factors;
use galerkit_linalg::{Scalar, ScalarKind};
use std::marker::PhantomData;
use std::sync::Arc;

const THREADS: usize = 256;
/// Blocks a multiprocessor: enough to hide latency, loops do the rest.
const BLOCKS: usize = 8;
const WHAT: &str = "the slots of a triangle";

/// The complete text.
pub fn source(kind: ScalarKind) -> String {
    crate::generate::prelude(kind) + include_str!("../../../kernels/refill.cu")
}

/// The two triangular solves with incomplete factors, ready for new numbers.
pub struct Refillable<S> {
    /// What is applied.
    pub map: Map,
    refill: Kernel,
    gather: Kernel,
    lower: Side,
    upper: Side,
    scalar: PhantomData<S>,
}

/// One triangle: the slot of every entry, and room for its numbers on their way.
struct Side {
    slot_of: Buffer,
    entries: usize,
    /// Where the map has the rows, the values and the diagonal of this sweep.
    buffers: [usize; 3],
}

/// The buffers of a sweep in the order of `Sweep::upload`: slices twice, rows, columns, values, diagonal, vectors.
const ROWS: usize = 2;
const VALUES: usize = 4;
const DIAGONAL: usize = 5;
const PER_SWEEP: usize = 7;

impl<S: Scalar> Refillable<S> {
    /// The factors in device memory, with the way back to their slots.
    pub fn new(gpu: &Arc<Gpu>, jit: &Jit, M: &Factors<S>) -> Result<Self> {
        check_rows(M.rows())?;
        let rule = match M.kind() {
            Factorisation::Ilu => Rule::Ilu,
            Factorisation::Ic => Rule::Ic,
        };
        let (forward, backward) = Sweep::both(M);
        let side = |slots: Vec<u64>, first: usize| -> Result<Side> {
            let buffers = [ROWS, VALUES, DIAGONAL].map(|at| first + at);
            Ok(Side { entries: slots.len(), slot_of: Buffer::from_slice(gpu, WHAT, &slots)?, buffers })
        };
        let module = jit.module("refill", &source(S::KIND))?;
        Ok(Self {
            lower: side(forward.slots(M.lower()), 0)?,
            upper: side(backward.slots(M.upper()), PER_SWEEP)?,
            map: of_sweeps(gpu, &forward, &backward, (rule, batch(M)), 1.0)?,
            refill: module.kernel("refill")?,
            gather: module.kernel("permute_gather")?,
            scalar: PhantomData,
        })
    }

    /// The numbers of other factors with the same pattern, for all products queued after this.
    pub fn refill(&self, M: &Factors<S>) -> Result<()> {
        check_length("the lower triangle (its entries)", self.lower.entries, M.lower().nnz())?;
        check_length("the upper triangle (its entries)", self.upper.entries, M.upper().nnz())?;
        check_length("the inverse diagonal", self.map.shape.0, M.rows())?;
        let gpu = self.refill.gpu();
        let inverse = Buffer::from_slice(gpu, WHAT, M.inverse())?;
        for (side, values) in [(&self.lower, M.lower().val()), (&self.upper, M.upper().val())] {
            let values = Buffer::from_slice(gpu, WHAT, values)?;
            let [rows, slots, diagonal] = side.buffers.map(|at| self.map.buffers[at].address());
            let words = [side.entries as u64, side.slot_of.address(), values.address(), slots];
            queue(&self.refill, side.entries, &words);
            queue(&self.gather, M.rows(), &[M.rows() as u64, rows, inverse.address(), diagonal]);
        }
        gpu.synchronize() // what was uploaded for this may go
    }
}

fn queue(kernel: &Kernel, work: usize, words: &[u64]) {
    let most = BLOCKS * kernel.gpu().properties().processors;
    kernel.launch(Shape::new(work.div_ceil(THREADS).clamp(1, most), THREADS), words);
}
