//! The complex shifted Laplacian -lap u - k^2 (1 - i beta) u on the unit square or cube with zero boundary values,
//! h = 1/(n+1), times h^2: A = L - (k h)^2 (1 - i beta) I with L the 5- or 7-point Laplacian. Complex symmetric, not
//! Hermitian unless beta = 0, when it is the indefinite Helmholtz matrix itself. A negative beta gives the shift
//! k^2 (1 + i |beta|) that damps waves of the time factor exp(-i omega t). (Erlangga, Vuik, Oosterlee 2004.)

use super::check::{check_positive, check_real};
use super::grid::GridMatrix;
use super::stencils::{cube, star};
use crate::error::Result;
use crate::scalar::c64;
use crate::sparse::Csr;

/// Shifted Laplacian on n x n points, wave number k.
pub fn shifted_laplace2d(n: usize, k: f64, beta: f64) -> Result<Csr<c64>> {
    shifted(2, n, k, beta)?.to_csr()
}

/// Shifted Laplacian on n x n x n points, wave number k.
pub fn shifted_laplace3d(n: usize, k: f64, beta: f64) -> Result<Csr<c64>> {
    shifted(3, n, k, beta)?.to_csr()
}

pub(super) fn shifted(dimension: usize, n: usize, k: f64, beta: f64) -> Result<GridMatrix<c64>> {
    check_positive("n", n)?;
    check_real("k", k, k >= 0.0, "a number of at least 0")?;
    check_real("beta", beta, true, "a finite number")?;
    let h = 1.0 / (n as f64 + 1.0);
    let kh2 = (k * h) * (k * h);
    let beside = c64::new(-1.0, 0.0);
    let diagonal = c64::new(2.0 * dimension as f64 - kh2, kh2 * beta); // 2d - (kh)^2 (1 - i beta)
    GridMatrix::new(cube(dimension, n), star(diagonal, &[(beside, beside); 3][..dimension]))
}
