//! The part of a matrix at places that are asked for: a triangle, diagonal blocks.

use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The entries (i, j) of A that are asked for.
pub(super) fn part<S: Scalar>(A: &Csr<S>, keep: impl Fn(usize, usize) -> bool + Copy) -> Csr<S> {
    let row = |i: usize| A.row(i).filter(move |&(j, _)| keep(i, j));
    Csr::collect_rows(A.cols(), A.nnz() / 2, (0..A.rows()).map(row))
}
