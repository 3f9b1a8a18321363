//! What the set-up must know of each row, from the row alone and the diagonal: with d_i = |a_ii| and q_i = sqrt(d_i)
//!
//! ```text
//! l_i = q_i sum_j |a_ij| / q_j           the scaled l1 norm, diagonal included: L - A is positive semidefinite
//! m_i = max over j != i of |a_ij|^2/d_j  what couplings of row i are measured by
//! ```
//!
//! Rows with l_i <= 1.2 d_i are isolated: the smoother alone is good enough for them.

use super::modulus::{modulus, phase};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::{Float, Zero};

/// Rows whose l1 norm is at most this multiple of the diagonal are isolated.
const ISOLATED: f64 = 1.2;

/// Numbers of each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Norms<R> {
    /// d_i = |a_ii|
    pub diagonal: Vec<R>,
    /// l_i
    pub l1: Vec<R>,
    /// m_i
    pub strongest: Vec<R>,
    /// l_i <= 1.2 d_i
    pub isolated: Vec<bool>,
}

/// The numbers of A, whose diagonal has no zero.
pub fn norms<S: Scalar>(A: &Csr<S>) -> Norms<S::Real> {
    norms_with(A, &A.diagonal())
}

/// The same where the diagonal is known.
pub(super) fn norms_with<S: Scalar>(A: &Csr<S>, diagonal: &[S]) -> Norms<S::Real> {
    let diagonal: Vec<S::Real> = moduli(diagonal);
    let (l1, strongest) = rows(A, &diagonal);
    let limit = <S::Real as Scalar>::from_f64(ISOLATED);
    let isolated = l1.iter().zip(&diagonal).map(|(&l, &d)| l <= limit * d).collect();
    Norms { diagonal, l1, strongest, isolated }
}

fn moduli<S: Scalar>(values: &[S]) -> Vec<S::Real> {
    parallel::collect(values.len(), &|i| modulus(values[i]))
}

fn rows<S: Scalar>(A: &Csr<S>, diagonal: &[S::Real]) -> (Vec<S::Real>, Vec<S::Real>) {
    let of: Vec<[S::Real; 2]> = parallel::collect(diagonal.len(), &|i| [Float::sqrt(diagonal[i]), diagonal[i]]);
    let both: Vec<[S::Real; 2]> = parallel::collect(A.rows(), &|i| {
        let zero = S::Real::zero();
        let (mut sum, mut strongest) = (zero, zero);
        for (j, a) in A.row(i) {
            let (size, [root, diagonal]) = (modulus(a), of[j]);
            let [part, w] = [size / root, size * size / diagonal]; // two divisions that take the time of one
            sum += part;
            strongest = if w > strongest && j != i { w } else { strongest };
        }
        [of[i][0] * sum, strongest]
    });
    both.into_iter().map(|[l, m]| (l, m)).unzip()
}

/// L^-1: 1/l_i with the phase of 1/a_ii.
pub fn smoother_weights<S: Scalar>(diagonal: &[S], l1: &[S::Real]) -> Vec<S> {
    parallel::collect(diagonal.len(), &|i| phase(diagonal[i]) / S::from_real(l1[i]))
}
