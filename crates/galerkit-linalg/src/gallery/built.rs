//! What the gallery builds.

use super::GridMatrix;
use crate::error::Result;
use crate::scalar::c64;
use crate::sparse::Csr;

/// A finished model problem, real or complex.
#[derive(Clone, Debug, PartialEq)]
pub enum Built {
    /// A real matrix.
    Real(Csr<f64>),
    /// A complex matrix.
    Complex(Csr<c64>),
}

/// A model problem that is a stencil on a grid, real or complex.
#[derive(Clone, Debug, PartialEq)]
pub enum OnGrid {
    /// A real stencil.
    Real(GridMatrix<f64>),
    /// A complex stencil.
    Complex(GridMatrix<c64>),
}

impl OnGrid {
    /// Builds its rows.
    pub fn build(&self) -> Result<Built> {
        match self {
            OnGrid::Real(A) => A.to_csr().map(Built::Real),
            OnGrid::Complex(A) => A.to_csr().map(Built::Complex),
        }
    }
}
