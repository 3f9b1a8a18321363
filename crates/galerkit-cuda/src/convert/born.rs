//! A matrix that is born on the GPU: the compressed rows of a stencil on a grid, from the formula that gives them.
//! Kernel: grid.cu.

use super::DeviceCsr;
use super::kernels::{GRID, Kernels};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::sparse::Pattern;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// Lanes that share a row at most.
const WARP: usize = 32;
const WHAT: &str = "a stencil";

per_scalar! {
    /// The rows that uploading [`GridMatrix::to_csr`] would give, bit for bit; the host needs memory for the stencil
    /// only.
    pub fn born<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &GridMatrix<S>) -> Result<DeviceCsr<S>> = born_of;
}

fn born_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &GridMatrix<S>) -> Result<DeviceCsr<S>> {
    let kernels = Kernels::new(gpu, jit, &GRID, S::KIND)?;
    let rows = DeviceCsr::room(gpu, (A.rows(), A.cols()), A.nnz())?;
    let values: Vec<S> = A.stencil().iter().map(|&(_, value)| value).collect();
    let boxes = Buffer::from_slice(gpu, WHAT, &A.boxes().concat())?;
    let steps = Buffer::from_slice(gpu, WHAT, &A.steps())?;
    let values = Buffer::from_slice(gpu, WHAT, &values)?;
    let (points, [nx, ny, _]) = (A.stencil().len(), A.size());
    let team = points.next_power_of_two().min(WARP);
    let sizes = [A.rows(), nx.max(1), ny.max(1), A.nnz(), points, team].map(|size| size as u64);
    let arrays = [&boxes, &steps, &values, &*rows.start, &*rows.col, &*rows.val].map(Buffer::address);
    kernels.launch("grid_rows", A.rows().saturating_mul(team), &[&sizes[..], &arrays].concat());
    gpu.synchronize()?;
    Ok(rows)
}
