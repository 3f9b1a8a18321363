//! The obvious product, y = alpha A x + beta y, for every format: the pattern of A, and its values in the order of
//! slots, in stored order; beta = 0 never reads y, padding never reads x: a NaN in x_j reaches exactly the rows that
//! store column j. The r forms of ELL-WARP take x and leave y in their own order.

use crate::scalar::Scalar;
use crate::sparse::{Bsr, Coo, Csr, Ell, EllR, EllWarp, Hyb, Matrix, Sell};

/// The product for whatever format the matrix is stored in, with these values.
pub fn spmv<S: Scalar>(alpha: S, A: &Matrix<S>, val: &[S], x: &[S], beta: S, y: &mut [S]) {
    debug_assert_eq!((A.cols(), A.rows()), (x.len(), y.len()));
    match A {
        Matrix::Coo(A) => coo_spmv((alpha, A, val), x, beta, y),
        Matrix::Csr(A) => csr_spmv((alpha, A, val), x, beta, y),
        Matrix::Bsr(A) => bsr_spmv((alpha, A, val), x, beta, y),
        Matrix::Ell(A) => ell_spmv((alpha, A, val), x, beta, y),
        Matrix::EllR(A) => ell_r_spmv((alpha, A, val), x, beta, y),
        Matrix::Sell(A) => sell_spmv((alpha, A, val), x, beta, y),
        Matrix::Hyb(A) => hyb_spmv((alpha, A, val), x, beta, y),
        Matrix::EllWarp(A) => ell_warp_spmv((alpha, A, val), x, beta, y),
    }
}

/// alpha sum + beta y, without reading y when beta is zero.
fn update<S: Scalar>(alpha: S, sum: S, beta: S, y: &mut S) {
    *y = if beta == S::zero() { alpha * sum } else { alpha * sum + beta * *y };
}

fn coo_spmv<S: Scalar>((alpha, A, val): (S, &Coo<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    let mut sum = vec![S::zero(); y.len()];
    for k in 0..A.nnz() {
        sum[A.row()[k] as usize] += val[k] * x[A.col()[k] as usize];
    }
    for i in 0..y.len() {
        update(alpha, sum[i], beta, &mut y[i]);
    }
}

fn csr_spmv<S: Scalar>((alpha, A, val): (S, &Csr<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = S::zero();
        for k in A.range(i) {
            sum += val[k] * x[A.col()[k] as usize];
        }
        update(alpha, sum, beta, y);
    }
}

fn bsr_spmv<S: Scalar>((alpha, A, val): (S, &Bsr<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    let b = A.block();
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = S::zero();
        for p in A.block_start()[i / b] as usize..A.block_start()[i / b + 1] as usize {
            for c in 0..b {
                let slot = p * b * b + (i % b) * b + c;
                if A.is_stored(slot) {
                    sum += val[slot] * x[A.block_col()[p] as usize * b + c];
                }
            }
        }
        update(alpha, sum, beta, y);
    }
}

/// The sum of the stored entries of row `i`; every slot of the row is visited, padding is selected away.
fn ell_row<S: Scalar>(A: &Ell<S>, val: &[S], i: usize, x: &[S]) -> S {
    let mut sum = S::zero();
    for e in 0..A.width() {
        let slot = e * A.rows() + i;
        if e < A.len()[i] as usize {
            sum += val[slot] * x[A.col()[slot] as usize];
        }
    }
    sum
}

fn ell_spmv<S: Scalar>((alpha, A, val): (S, &Ell<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    for (i, y) in y.iter_mut().enumerate() {
        update(alpha, ell_row(A, val, i, x), beta, y);
    }
}

fn ell_r_spmv<S: Scalar>((alpha, A, val): (S, &EllR<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = S::zero();
        for e in 0..A.len()[i] as usize {
            let slot = e * A.rows() + i;
            sum += val[slot] * x[A.col()[slot] as usize];
        }
        update(alpha, sum, beta, y);
    }
}

fn sell_spmv<S: Scalar>((alpha, A, val): (S, &Sell<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    for p in 0..A.rows() {
        let mut sum = S::zero();
        for e in 0..A.len()[p] as usize {
            let slot = A.slot(p, e);
            sum += val[slot] * x[A.col()[slot] as usize];
        }
        update(alpha, sum, beta, &mut y[A.row_at(p)]);
    }
}

fn hyb_spmv<S: Scalar>((alpha, A, val): (S, &Hyb<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    let mut sum: Vec<S> = (0..y.len()).map(|i| ell_row(A.ell(), val, i, x)).collect();
    let (rest, val) = (A.coo(), &val[A.ell().slots()..]);
    for k in 0..rest.nnz() {
        sum[rest.row()[k] as usize] += val[k] * x[rest.col()[k] as usize];
    }
    for i in 0..y.len() {
        update(alpha, sum[i], beta, &mut y[i]);
    }
}

fn ell_warp_spmv<S: Scalar>((alpha, A, val): (S, &EllWarp<S>, &[S]), x: &[S], beta: S, y: &mut [S]) {
    for w in 0..A.warps() {
        let t = A.reduction()[w] as usize; // lanes of a row
        for row in 0..A.warp() / t {
            let s = A.row_start()[w] as usize + row;
            if s >= A.rows() {
                break; // phantom rows never write
            }
            let mut lane = vec![S::zero(); t];
            for e in 0..A.len()[s] as usize {
                let slot = A.warp_offset()[w] as usize + (e / t) * A.warp() + row * t + e % t;
                lane[e % t] += val[slot] * x[A.col()[slot] as usize];
            }
            let i = if A.variant().renumbers() { s } else { A.row_order().old()[s] as usize };
            update(alpha, tree_sum(&mut lane), beta, &mut y[i]);
        }
    }
}

/// Sums a power of two of lanes as a warp does: neighbours first, then pairs, then fours.
fn tree_sum<S: Scalar>(lane: &mut [S]) -> S {
    let mut offset = 1;
    while offset < lane.len() {
        for l in (0..lane.len()).step_by(2 * offset) {
            let partner = lane[l + offset];
            lane[l] += partner;
        }
        offset *= 2;
    }
    lane[0]
}
