//! Transpose and conjugate transpose of compressed rows, by counting: the entries of each column are counted,
//! then dealt out row by row, so that they arrive in ascending order. Time O(nnz + rows + columns), nothing is sorted.

use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

per_scalar! {
    fn transpose<S>(A: &Csr<S>) -> Csr<S> = Csr::transposed;
    fn conjugate_transpose<S>(A: &Csr<S>) -> Csr<S> = Csr::adjoint;
}

impl<S: Scalar> Csr<S> {
    /// The matrix with entry (i, j) moved to (j, i).
    pub fn transpose(&self) -> Self {
        transpose(self)
    }

    /// The adjoint: the transpose with every entry conjugated.
    pub fn conjugate_transpose(&self) -> Self {
        conjugate_transpose(self)
    }

    fn transposed(&self) -> Self {
        self.transpose_mapped(|v| v)
    }

    fn adjoint(&self) -> Self {
        self.transpose_mapped(S::conj)
    }

    fn transpose_mapped(&self, map: impl Fn(S) -> S) -> Self {
        let start = self.column_starts();
        let mut next = start.clone();
        let (mut col, mut val) = (vec![0u32; self.nnz()], vec![S::zero(); self.nnz()]);
        for i in 0..self.rows() {
            for (j, v) in self.row(i) {
                let slot = next[j] as usize;
                col[slot] = i as u32;
                val[slot] = map(v);
                next[j] += 1;
            }
        }
        Self::from_parts_trusted(self.rows(), start, col, val)
    }

    /// Row starts of the transpose.
    pub(super) fn column_starts(&self) -> Vec<u64> {
        let mut start = vec![0u64; self.cols() + 1];
        for &j in self.col() {
            start[j as usize + 1] += 1;
        }
        for j in 0..self.cols() {
            start[j + 1] += start[j];
        }
        start
    }
}
