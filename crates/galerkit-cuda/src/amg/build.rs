//! The set-up of a preconditioner: in the precision that was asked for, and kept for other values where these will come.

use super::built::{in_full, rounded};
use super::options::Options;
use super::refillable::{Precise, Refillable};
use super::set_up::{in_single, set_up};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::Gpu;
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::scalar::Precision;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// Smoothed aggregation of a real symmetric matrix with a positive diagonal, as [`Built::new`] makes it, but where
    /// the matrix is. Where aggregates are to be used again its origin is a [`Refillable`].
    pub fn build<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, amg: &Amg) -> Result<Built<S>> = build_of;
}

fn build_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, amg: &Amg) -> Result<Built<S>> {
    let options = Options::of(amg);
    let is_full = amg.precision == Precision::Full || size_of::<S>() == size_of::<S::Single>();
    let (built, levels) = if is_full {
        let hierarchy = set_up(gpu, jit, A, None, &options)?;
        (in_full(A, &hierarchy, amg)?, Precise::Full(hierarchy))
    } else {
        let (finest, scale) = in_single(gpu, jit, A)?;
        let hierarchy = set_up(gpu, jit, &finest, None, &options)?;
        (rounded((finest, scale), &hierarchy, amg)?, Precise::Single(hierarchy))
    };
    Ok(if options.refillable { built.with_origin(Arc::new(Refillable::new(A, levels, amg)?)) } else { built })
}
