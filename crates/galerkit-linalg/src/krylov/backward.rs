//! The normwise backward error of an answer: the relative size of the smallest change of A and b that makes x exact,
//! eta = ||b - A x|| / (||A|| ||x|| + ||b||) (Rigal and Gaches 1967; Higham 2002, theorem 7.1), here with the
//! Frobenius norm of A, which is at least the spectral one: the quotient is a lower estimate within a factor sqrt(n).

use crate::parallel;
use crate::scalar::{Scalar, per_scalar, sum_of_squares};
use crate::sparse::Csr;

/// Sums above it have lost nothing: squares that vanish are below 1e-308.
const SAFE: f64 = 1e-200;
/// Entries that one thread sums.
const PART: usize = 1 << 16;

/// ||r|| / (||A||_F ||x|| + ||b||); zero for a zero residual.
pub fn backward_error(residual: f64, A_norm: f64, x_norm: f64, b_norm: f64) -> f64 {
    if residual == 0.0 { 0.0 } else { residual / (A_norm * x_norm + b_norm) }
}

per_scalar! {
    /// The square root of the sum of all squared entries, scaled so that it neither overflows nor underflows.
    pub fn frobenius_norm<S>(A: &Csr<S>) -> f64 = frobenius_norm_of;
}

fn frobenius_norm_of<S: Scalar>(A: &Csr<S>) -> f64 {
    let sum = sum_of_squares(A.val());
    if sum.is_finite() && sum > SAFE {
        return sum.sqrt(); // what has vanished was too small to matter
    }
    let largest_of = |values: &[S]| {
        let parts = values.iter().map(|value| value.parts());
        parts.fold(0.0, |largest: f64, (re, im)| largest.max(re.abs()).max(im.abs()))
    };
    let parts = A.nnz().div_ceil(PART);
    let part = |k: usize| &A.val()[k * PART..A.nnz().min((k + 1) * PART)];
    let largest = parallel::values(parts, &|k| largest_of(part(k))).into_iter().fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let squares = |values: &[S]| {
        let parts = values.iter().map(|value| value.parts());
        parts.map(|(re, im)| (re / largest).powi(2) + (im / largest).powi(2)).sum::<f64>()
    };
    // Parts of a fixed length, added in their order: the same bits on any number of threads.
    let sums: Vec<f64> = parallel::values(parts, &|k| squares(part(k)));
    largest * sums.iter().sum::<f64>().sqrt()
}
