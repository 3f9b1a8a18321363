//! Sparse formats: one file each, every one with a drawing of its storage for one small matrix.
//! All of them convert from and to [`Csr`], the common ground.

mod any;
mod coo;
mod csr;
pub mod index;
mod permutation;

pub use any::AnyCsr;
pub use coo::Coo;
pub use csr::Csr;
pub use permutation::Permutation;

use crate::scalar::Scalar;

/// A matrix stored in one of the formats.
#[derive(Clone, Debug)]
pub enum Matrix<S> {
    /// Triples.
    Coo(Coo<S>),
    /// Compressed rows.
    Csr(Csr<S>),
}

impl<S: Scalar> Matrix<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Matrix::Coo(A) => A.rows(),
            Matrix::Csr(A) => A.rows(),
        }
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        match self {
            Matrix::Coo(A) => A.cols(),
            Matrix::Csr(A) => A.cols(),
        }
    }
}
