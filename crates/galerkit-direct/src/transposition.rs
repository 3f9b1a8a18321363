//! Which of A, A^T and A^H is solved with: factors of A serve all three.

use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;
use std::borrow::Cow;

/// A itself, its transpose, or its conjugate transpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transposition {
    /// A
    #[default]
    None,
    /// A^T
    Transposed,
    /// A^H
    Adjoint,
}

impl Transposition {
    /// A, A^T or A^H as a matrix.
    pub fn of<S: Scalar>(self, A: &Csr<S>) -> Cow<'_, Csr<S>> {
        match self {
            Transposition::None => Cow::Borrowed(A),
            Transposition::Transposed => Cow::Owned(A.transpose()),
            Transposition::Adjoint => Cow::Owned(A.conjugate_transpose()),
        }
    }
}
