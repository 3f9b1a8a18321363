//! The banded Toeplitz matrix of Ikuno, Deki and Fujita (2010): a_ii = 2, a_{i,i+1} = 1, a_{i,i-2} = gamma, nothing
//! else. Jacobi converges for |gamma| < 1 and crawls at 1, where the rows are only weakly dominant. Published with n =
//! 2048.

use super::check::{check_positive, check_real};
use super::grid::GridMatrix;
use crate::error::Result;
use crate::sparse::Csr;

/// The matrix of order n.
pub fn toeplitz(n: usize, gamma: f64) -> Result<Csr<f64>> {
    banded(n, gamma)?.to_csr()
}

pub(super) fn banded(n: usize, gamma: f64) -> Result<GridMatrix<f64>> {
    check_positive("n", n)?;
    check_real("gamma", gamma, true, "a finite number")?;
    GridMatrix::new([n, 1, 1], vec![([-2, 0, 0], gamma), ([0, 0, 0], 2.0), ([1, 0, 0], 1.0)])
}
