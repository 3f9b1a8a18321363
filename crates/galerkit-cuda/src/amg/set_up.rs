//! What is called from elsewhere: a hierarchy, new values for it, a matrix in single precision.

use super::hierarchy::Hierarchy;
use super::options::Options;
use super::single::rounded;
use crate::convert::DeviceCsr;
use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// The hierarchy of a real symmetric matrix with a positive diagonal; `near_null` is as long as it has rows.
    pub fn set_up<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, near_null: Option<Buffer>, options: &Options) -> Result<Hierarchy<S>> = set_up_of;
    /// New values in the pattern of the matrix: edges, aggregates, kept entries and patterns stay. Needs a hierarchy
    /// made with `refillable`.
    pub fn refill<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, hierarchy: &mut Hierarchy<S>) -> Result<()> = refill_of;
}

fn set_up_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    near_null: Option<Buffer>,
    options: &Options,
) -> Result<Hierarchy<S>> {
    require_real::<S>()?;
    Hierarchy::new(gpu, jit, A, near_null, options)
}

/// A times a power of four that brings its largest diagonal entry into [1, 4), rounded to single precision; and the
/// power. Real matrices.
pub fn in_single<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<(DeviceCsr<S::Single>, f64)> {
    require_real::<S>()?;
    rounded(gpu, jit, A)
}

fn require_real<S: Scalar>() -> Result<()> {
    if !S::KIND.is_complex() {
        return Ok(());
    }
    let reason = "its kernels are for real matrices; the host sets complex ones up".into();
    Err(Error::Unsupported { what: "the set-up of algebraic multigrid".into(), reason })
}

fn refill_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, hierarchy: &mut Hierarchy<S>) -> Result<()> {
    hierarchy.refill(gpu, jit, A)
}
