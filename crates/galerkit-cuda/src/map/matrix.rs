//! Which layout a matrix has, by the format it is stored in.

use super::{Layout, Tuning, bsr, coo, csr, diagonal, ell, hyb, sliced};
use crate::error::Result;
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Scalar, per_scalar};

impl<'a> Layout<'a> {
    /// The layout of a matrix in whatever format it is stored.
    pub fn of_matrix<S: Scalar>(A: &'a Matrix<S>, tuning: &Tuning) -> Result<Self> {
        layout(A, tuning)
    }

    /// The layout of a diagonal.
    pub fn of_diagonal<S: Scalar>(d: &'a [S]) -> Self {
        diagonal::layout(d)
    }
}

per_scalar! {
    fn layout<'a, S>(A: &'a Matrix<S>, tuning: &Tuning) -> Result<Layout<'a>> = layout_of_format;
}

fn layout_of_format<'a, S: Scalar>(A: &'a Matrix<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    match A {
        Matrix::Coo(A) => coo::layout(A, tuning),
        Matrix::Csr(A) => csr::layout(A, tuning),
        Matrix::Bsr(A) => bsr::layout(A, tuning),
        Matrix::Ell(A) => ell::layout(A, tuning),
        Matrix::EllR(A) => ell::layout_with_lengths(A, tuning),
        Matrix::Sell(A) => sliced::sell_layout(A, tuning),
        Matrix::Hyb(A) => hyb::layout(A, tuning),
        Matrix::EllWarp(A) => sliced::ell_warp_layout(A, tuning),
    }
}
