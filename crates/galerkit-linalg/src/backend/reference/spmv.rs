//! y = alpha A x + beta y for every format, in stored order; beta = 0 never reads y.

use crate::scalar::Scalar;
use crate::sparse::{Coo, Csr, Matrix};

/// The product for whatever format the matrix is stored in.
pub fn spmv<S: Scalar>(alpha: S, A: &Matrix<S>, x: &[S], beta: S, y: &mut [S]) {
    debug_assert_eq!((A.cols(), A.rows()), (x.len(), y.len()));
    match A {
        Matrix::Coo(A) => coo_spmv(alpha, A, x, beta, y),
        Matrix::Csr(A) => csr_spmv(alpha, A, x, beta, y),
    }
}

/// alpha sum + beta y, without reading y when beta is zero.
fn update<S: Scalar>(alpha: S, sum: S, beta: S, y: &mut S) {
    *y = if beta == S::zero() { alpha * sum } else { alpha * sum + beta * *y };
}

fn coo_spmv<S: Scalar>(alpha: S, A: &Coo<S>, x: &[S], beta: S, y: &mut [S]) {
    let mut sum = vec![S::zero(); y.len()];
    for k in 0..A.nnz() {
        sum[A.row()[k] as usize] += A.val()[k] * x[A.col()[k] as usize];
    }
    for i in 0..y.len() {
        update(alpha, sum[i], beta, &mut y[i]);
    }
}

fn csr_spmv<S: Scalar>(alpha: S, A: &Csr<S>, x: &[S], beta: S, y: &mut [S]) {
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = S::zero();
        for (j, a) in A.row(i) {
            sum += a * x[j];
        }
        update(alpha, sum, beta, y);
    }
}
