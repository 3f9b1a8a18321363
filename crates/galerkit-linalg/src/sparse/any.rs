//! A matrix whose kind is known only at run time: what a file holds.

use crate::scalar::{ScalarKind, c64};
use crate::sparse::Csr;

/// A double-precision matrix, real or complex.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyCsr {
    /// Real.
    Real(Csr<f64>),
    /// Complex.
    Complex(Csr<c64>),
}

impl AnyCsr {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            AnyCsr::Real(A) => A.rows(),
            AnyCsr::Complex(A) => A.rows(),
        }
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        match self {
            AnyCsr::Real(A) => A.cols(),
            AnyCsr::Complex(A) => A.cols(),
        }
    }
    /// Stored entries, explicit zeros included.
    pub fn nnz(&self) -> usize {
        match self {
            AnyCsr::Real(A) => A.nnz(),
            AnyCsr::Complex(A) => A.nnz(),
        }
    }
    /// Real or complex, in double precision.
    pub fn kind(&self) -> ScalarKind {
        match self {
            AnyCsr::Real(_) => ScalarKind::F64,
            AnyCsr::Complex(_) => ScalarKind::C64,
        }
    }
}
