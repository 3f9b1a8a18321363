//! -eps lap u + w . grad u on the unit square or cube with zero boundary values, h = 1/(n+1), times h^2. Convection is
//! upwind, (w . grad u)_x = w_x (u_i - u_{i-1}) / h for w_x > 0 and w_x (u_{i+1} - u_i) / h for w_x < 0, so A is an
//! M-matrix for every wind: positive diagonal, no positive entry beside it, interior row sums zero; not symmetric.

use super::check::{check_positive, check_real};
use super::grid::GridMatrix;
use super::stencils::{cube, star};
use crate::error::Result;
use crate::sparse::Csr;

/// Convection-diffusion on n x n points with a constant wind.
pub fn convection_diffusion2d(n: usize, eps: f64, wind: [f64; 2]) -> Result<Csr<f64>> {
    upwind(n, eps, &wind)?.to_csr()
}

/// Convection-diffusion on n x n x n points with a constant wind.
pub fn convection_diffusion3d(n: usize, eps: f64, wind: [f64; 3]) -> Result<Csr<f64>> {
    upwind(n, eps, &wind)?.to_csr()
}

/// In as many dimensions as the wind has.
pub(super) fn upwind(n: usize, eps: f64, wind: &[f64]) -> Result<GridMatrix<f64>> {
    check_positive("n", n)?;
    check_real("eps", eps, eps > 0.0, "a positive number")?;
    for &w in wind {
        check_real("wind", w, true, "finite numbers")?;
    }
    let h = 1.0 / (n as f64 + 1.0);
    let axes: Vec<(f64, f64)> = wind.iter().map(|w| (-eps - h * w.max(0.0), -eps - h * (-w).max(0.0))).collect();
    let diagonal = -axes.iter().map(|(low, high)| low + high).sum::<f64>();
    GridMatrix::new(cube(wind.len(), n), star(diagonal, &axes))
}
