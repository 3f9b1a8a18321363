//! An upper bound of the eigenvalues of D^-1 A, for Chebyshev's polynomial: a few steps of Lanczos' method on the host.

use super::operator::MatrixFree;
use galerkit_linalg::Diagonal;
use galerkit_linalg::map::diagonal_map;
use galerkit_linalg::multigrid::bound_on_cpu;

/// Steps of Lanczos' method, each a product.
const STEPS: usize = 16;

impl MatrixFree<f64> {
    /// A bound of the eigenvalues of D^-1 A, where D is this diagonal.
    pub fn eigenvalue_bound(&self, diagonal: &[f64]) -> f64 {
        let inverse = Diagonal::new(diagonal.iter().map(|d| 1.0 / d).collect());
        bound_on_cpu(Box::new(self.clone()), vec![diagonal_map(inverse)], STEPS)
    }
}
