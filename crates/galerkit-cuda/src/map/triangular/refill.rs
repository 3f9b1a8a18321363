//! Factors on the GPU whose numbers are replaced while pattern, levels and slices stay: one upload and three scatters.
//! Kernels: refill.cu.

use super::{Places, Slotted, of_pattern};
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

/// One triangle: the slot of every entry.
struct Side {
    slot_of: Buffer,
    entries: usize,
    places: Places,
}

impl<S: Scalar> Refillable<S> {
    /// The factors in device memory, with the way back to their slots.
    pub fn new(gpu: &Arc<Gpu>, jit: &Jit, M: &Factors<S>) -> Result<Self> {
        let (map, [below, above]) = of_pattern(gpu, M)?;
        let side = |(slots, places): Slotted| -> Result<Side> {
            Ok(Side { entries: slots.len(), slot_of: Buffer::from_slice(gpu, WHAT, &slots)?, places })
        };
        let module = jit.module("refill", &source(S::KIND))?;
        Ok(Self {
            map,
            lower: side(below)?,
            upper: side(above)?,
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
            let Places { row, val, scale } = side.places;
            let [row, val, scale] = [row, val, scale].map(|at| self.map.buffers[at].address());
            let words = [side.entries as u64, side.slot_of.address(), values.address(), val];
            queue(&self.refill, side.entries, &words);
            queue(&self.gather, M.rows(), &[M.rows() as u64, row, inverse.address(), scale]);
        }
        gpu.synchronize() // what was uploaded for this may go
    }
}

fn queue(kernel: &Kernel, work: usize, words: &[u64]) {
    let most = BLOCKS * kernel.gpu().properties().processors;
    kernel.launch(Shape::new(work.div_ceil(THREADS).clamp(1, most), THREADS), words);
}
