//! Products and transposes of sparse matrices that are on the GPU: the same arrays, bit for bit, as on the host.
//!
//! Row i of A B is the sum of rows k of B weighted by a_ik, k one after the other, collected by column in a hash
//! table: where a sum lies varies, in which order its terms come does not. Patterns are those of the factors: what
//! cancels stays stored.
//!
//! | file | what |
//! |---|---|
//! | `multiplier` | kernels and memory of many products |
//! | `table` | rows by hash tables in shared memory |
//! | `two_passes`, `once` | a product that is counted and then filled; one in a single pass |
//! | `dense` | rows that are too long for them |
//! | `transpose` | count, scan, scatter, sort |
//! | `kernels` | their texts |

mod dense;
mod kernels;
mod multiplier;
mod once;
mod table;
mod transpose;
mod two_passes;

pub(crate) use multiplier::Multiplier;
pub(crate) use once::Loose;

use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::Gpu;
use galerkit_linalg::{Scalar, ScalarKind, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// The product A B, as [`Csr::multiply`](galerkit_linalg::sparse::Csr::multiply) gives it.
    pub fn product<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<DeviceCsr<S>> = product_of;
    /// Multiplications that the product A B takes.
    pub fn multiplications<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<u64> = work_of;
    /// The transpose of A.
    pub fn transpose<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<DeviceCsr<S>> = transpose_of;
    /// The conjugate transpose of A.
    pub fn conjugate_transpose<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<DeviceCsr<S>> = adjoint_of;
}

fn product_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<DeviceCsr<S>> {
    let made = Multiplier::new(gpu, jit, S::KIND)?.product(A, B)?;
    gpu.synchronize()?;
    Ok(made)
}

fn work_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<u64> {
    galerkit_linalg::error::check_length("the right factor (its rows)", A.cols, B.rows)?;
    Multiplier::new(gpu, jit, S::KIND)?.work_of(A, B)
}

fn transpose_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<DeviceCsr<S>> {
    let made = Multiplier::new(gpu, jit, S::KIND)?.transpose(A, false)?;
    gpu.synchronize()?;
    Ok(made)
}

fn adjoint_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<DeviceCsr<S>> {
    let made = Multiplier::new(gpu, jit, S::KIND)?.transpose(A, true)?;
    gpu.synchronize()?;
    Ok(made)
}

/// The complete texts, with their names.
pub fn sources(kind: ScalarKind) -> Vec<(String, String)> {
    kernels::texts().into_iter().map(|(name, text)| (name, text.source(kind))).collect()
}
