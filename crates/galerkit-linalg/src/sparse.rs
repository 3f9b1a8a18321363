//! Sparse formats: one file each, every one with a drawing of its storage for one small matrix.
//! All of them convert from and to [`Csr`], the common ground.

pub(crate) mod build;
mod coo;
mod csr;
pub mod index;
mod locality;
mod permutation;
mod permute;
mod product;
mod rcm;
mod symmetry;
mod transpose;

pub use coo::Coo;
pub use csr::Csr;
pub use locality::{Advice, Locality, Verdict, locality, reordering_pays};
pub use permutation::Permutation;
pub use rcm::{bandwidth, reverse_cuthill_mckee};
pub use symmetry::{DefinitenessHints, Symmetry, definiteness_hints, symmetry};

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
