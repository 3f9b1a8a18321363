//! The values of two triangles in device memory: one vector of four parts, each beginning on a line of its own.
//!
//! ```text
//! val of the forward sweep | val of the backward sweep | scale by forward positions | scale by backward positions
//! ```

use super::sweep::Sweep;
use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::map::{NO_SOURCE, Triangular};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// What errors call them.
pub(super) const VALUES: &str = "the values of triangles";

/// Slots from one beginning of a part to a place where the next may begin.
const ALIGNED: usize = 32;

/// Where each part begins, and the end.
pub(super) struct Parts([usize; 5]);

impl Parts {
    pub(super) fn of<S>(forward: &Sweep<S>, backward: &Sweep<S>) -> Self {
        let mut begins = [0; 5];
        let lengths = [forward.val.len(), backward.val.len(), forward.scale.len(), backward.scale.len()];
        for (k, length) in lengths.into_iter().enumerate() {
            begins[k + 1] = begins[k] + length.next_multiple_of(ALIGNED);
        }
        Self(begins)
    }

    /// The addresses of val and scale, for the forward and the backward sweep, in a vector that begins at `first`.
    pub(super) fn addresses(&self, first: u64, size: usize) -> [[u64; 2]; 2] {
        let [forth, back, forth_scale, back_scale, _] = self.0.map(|begin| first + (begin * size) as u64);
        [[forth, forth_scale], [back, back_scale]]
    }

    /// The parts one after the other, padded.
    fn join<T: Copy>(&self, parts: [&[T]; 4], padding: T) -> Vec<T> {
        let mut all = vec![padding; self.0[4]];
        for (&begin, part) in self.0.iter().zip(parts) {
            all[begin..begin + part.len()].copy_from_slice(part);
        }
        all
    }
}

/// The values of both sweeps, in device memory.
pub(super) fn values_of<S: Scalar>(gpu: &Arc<Gpu>, forward: &Sweep<S>, backward: &Sweep<S>) -> Result<Buffer> {
    let begins = Parts::of(forward, backward).0;
    let mut values = Buffer::zeroed(gpu, VALUES, begins[4] * size_of::<S>())?;
    let parts = [&forward.val[..], &backward.val, &forward.scale, &backward.scale];
    begins.iter().zip(parts).try_for_each(|(&begin, part)| values.upload_at(begin, part))?;
    Ok(values)
}

per_scalar! {
    /// Which value of the host's order ([`Triangular::among`]) each slot holds; none if 32 bits cannot number them.
    pub fn sources<S>(M: &dyn Triangular<S>) -> Option<Vec<u32>> = sources_of_both;
}

fn sources_of_both<S: Scalar>(M: &dyn Triangular<S>) -> Option<Vec<u32>> {
    let (forward, backward) = Sweep::both(M, None);
    sources_of(M, &forward, &backward)
}

/// The same for sweeps that are there.
pub(super) fn sources_of<S: Scalar>(
    M: &dyn Triangular<S>,
    forward: &Sweep<S>,
    backward: &Sweep<S>,
) -> Option<Vec<u32>> {
    let (lower, upper, rows) = (M.lower().nnz(), M.upper().nnz(), M.lower().rows());
    if lower + upper + rows >= NO_SOURCE as usize {
        return None;
    }
    let entries = |sweep: &Sweep<S>, T, first: usize| {
        let mut sources = vec![NO_SOURCE; sweep.val.len()];
        sweep.slots(T).iter().enumerate().for_each(|(k, &slot)| sources[slot as usize] = (first + k) as u32);
        sources
    };
    let scales = |sweep: &Sweep<S>| sweep.row.iter().map(|&i| (lower + upper) as u32 + i).collect::<Vec<_>>();
    let (below, above) = (entries(forward, M.lower(), 0), entries(backward, M.upper(), lower));
    let parts = [&below[..], &above, &scales(forward), &scales(backward)];
    Some(Parts::of(forward, backward).join(parts, NO_SOURCE))
}
