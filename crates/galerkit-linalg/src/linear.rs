//! The linear maps an engine knows by itself: a stored matrix, and the leaf parts that preconditioners are made of.
//! They live on the host until an engine loads them.

use crate::precond::{BlockDiagonal, Factors, Ssor};
use crate::scalar::Scalar;
use crate::sparse::Matrix;

/// A linear map in host memory, ready to be loaded by an engine.
#[derive(Clone, Debug)]
pub enum Linear<S> {
    /// y = A x with a stored sparse matrix.
    Matrix(Matrix<S>),
    /// y_i = d_i x_i.
    Diagonal(Vec<S>),
    /// y = B x with B block diagonal, dense blocks.
    BlockDiagonal(BlockDiagonal<S>),
    /// y = M^-1 x with the SSOR splitting: one forward and one backward triangular solve.
    Ssor(Ssor<S>),
    /// y = U^-1 L^-1 x with the factors of an incomplete factorisation.
    Factors(Factors<S>),
}

impl<S: Scalar> Linear<S> {
    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Linear::Matrix(A) => (A.rows(), A.cols()),
            Linear::Diagonal(d) => (d.len(), d.len()),
            Linear::BlockDiagonal(B) => (B.rows(), B.rows()),
            Linear::Ssor(M) => (M.rows(), M.rows()),
            Linear::Factors(M) => (M.rows(), M.rows()),
        }
    }

    /// Bytes of its arrays.
    pub fn bytes(&self) -> usize {
        match self {
            Linear::Matrix(A) => A.bytes(),
            Linear::Diagonal(d) => size_of_val(&d[..]),
            Linear::BlockDiagonal(B) => B.bytes(),
            Linear::Ssor(M) => M.bytes(),
            Linear::Factors(M) => M.bytes(),
        }
    }
}
