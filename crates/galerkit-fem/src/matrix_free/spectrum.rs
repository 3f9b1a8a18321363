//! An upper bound of the eigenvalues of D^-1 A, for Chebyshev's polynomial: a few steps of Lanczos' method on the host.

use super::operator::MatrixFree;
use galerkit_linalg::Diagonal;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate};
use galerkit_linalg::multigrid::largest_eigenvalue;

/// Steps of Lanczos' method, each a product.
const STEPS: usize = 16;

impl MatrixFree<f64> {
    /// A bound of the eigenvalues of D^-1 A, where D is this diagonal.
    pub fn eigenvalue_bound(&self, diagonal: &[f64]) -> f64 {
        let mut e = Immediate::new(Cpu);
        let A = e.load(Box::new(self.clone()));
        let inverse = e.load(Box::new(Diagonal::new(diagonal.iter().map(|d| 1.0 / d).collect())));
        largest_eigenvalue(&mut e, &A, &inverse, self.unknowns(), STEPS)
    }
}
