//! Sparse products: one kernel for each format, each computing a block of consecutive rows in the order of storage.

mod coo;
mod csr;

use super::simd;
use crate::scalar::Scalar;
use crate::sparse::Matrix;

/// What a kernel needs beside the matrix itself.
pub struct PreparedMatrix<S> {
    scatter: Option<Vec<u32>>,
    scalar: std::marker::PhantomData<S>,
}

impl<S: Scalar> PreparedMatrix<S> {
    /// Prepares a matrix.
    pub fn new(_A: &Matrix<S>) -> Self {
        Self { scatter: None, scalar: std::marker::PhantomData }
    }
    /// For formats that sort their rows: where each row of y stands in the order of storage.
    pub fn scatter(&self) -> Option<&[u32]> {
        self.scatter.as_deref()
    }
    /// Slots stored before row i, in the order of storage.
    pub fn work(&self, A: &Matrix<S>, i: usize) -> u64 {
        match A {
            Matrix::Csr(A) => A.start()[i],
            Matrix::Coo(A) => A.row().partition_point(|&row| (row as usize) < i) as u64,
        }
    }
    /// Rows `first..` of A x in the order of storage, as many as y is long.
    pub fn block_product(&self, A: &Matrix<S>, first: usize, x: &[S], y: &mut [S]) {
        match A {
            Matrix::Csr(A) => simd::run(csr::CsrRows { A, first, x, y }),
            Matrix::Coo(A) => simd::run(coo::CooRows { A, first, x, y }),
        }
    }
}
