//! The normwise backward error of an answer: the relative size of the smallest change of A and b that makes x exact,
//! eta = ||b - A x|| / (||A|| ||x|| + ||b||) (Rigal and Gaches 1967; Higham 2002, theorem 7.1), here with the
//! Frobenius norm of A, which is at least the spectral one: the quotient is a lower estimate within a factor sqrt(n).

use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// ||r|| / (||A||_F ||x|| + ||b||); zero for a zero residual.
pub fn backward_error(residual: f64, A_norm: f64, x_norm: f64, b_norm: f64) -> f64 {
    if residual == 0.0 { 0.0 } else { residual / (A_norm * x_norm + b_norm) }
}

per_scalar! {
    /// The square root of the sum of all squared entries, scaled so that it neither overflows nor underflows.
    pub fn frobenius_norm<S>(A: &Csr<S>) -> f64 = frobenius_norm_of;
}

fn frobenius_norm_of<S: Scalar>(A: &Csr<S>) -> f64 {
    let modulus = |value: &S| value.parts().0.hypot(value.parts().1);
    let largest = A.val().iter().map(modulus).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let sum: f64 = A.val().iter().map(|value| (modulus(value) / largest).powi(2)).sum();
    largest * sum.sqrt()
}
