//! The matrix in the order of the iterations, before it is stored in its format.

use crate::matrix::MatrixRef;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;

/// As it was given, or permuted.
pub(crate) struct Ordered<'a, S: Scalar> {
    pub(super) given: MatrixRef<'a, S>,
    /// In the order of the iterations, where that is another.
    pub(super) permuted: Option<Csr<S>>,
}

impl<S: Scalar> Ordered<'_, S> {
    pub(crate) fn view(&self) -> MatrixRef<'_, S> {
        self.permuted.as_ref().map_or(self.given, MatrixRef::Rows)
    }
}
