//! Right-hand sides and matrices whose squares would overflow or vanish: methods square norms, and a complex quotient
//! squares those again. They are brought near 1 by powers of two, which change no bit of any other number, and x is
//! brought back.

use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::norm;

/// Norms between one over this and this need no scaling: their fourth power, times the squares of tolerances, is a
/// number.
const MOST: f64 = 1e60;
const MOST_SINGLE: f64 = 1e6;
/// The same for norms of matrices: what they are multiplied with is near 1 then.
const MOST_MATRIX: f64 = 1e100;
const MOST_MATRIX_SINGLE: f64 = 1e25;

/// The power of two that b is to be multiplied with before a solve in single or double precision; none if it is good as
/// it is.
pub(super) fn power<S: Scalar>(b: &[S], is_single: bool) -> Option<i32> {
    let norm = norm(b);
    (norm.is_finite() && !fits(norm, is_single)).then(|| -(norm.log2().floor() as i32))
}

/// The power of two that a matrix of this norm is to be multiplied with; none if it is good as it is.
pub(super) fn power_of_matrix(norm: f64, is_single: bool) -> Option<i32> {
    let most = if is_single { MOST_MATRIX_SINGLE } else { MOST_MATRIX };
    let is_good = norm == 0.0 || !norm.is_finite() || (norm <= most && norm >= 1.0 / most);
    (!is_good).then(|| -(norm.log2().floor() as i32))
}

/// Whether a vector of this norm is good as it is.
pub(super) fn fits(norm: f64, is_single: bool) -> bool {
    let most = if is_single { MOST_SINGLE } else { MOST };
    norm == 0.0 || (norm <= most && norm >= 1.0 / most)
}

/// A number times a power of two.
pub(super) fn times(value: f64, power: i32) -> f64 {
    times_power(&[value], power)[0]
}

/// x times a power of two, in two steps because one of them alone might not be a number of the scalar.
pub(super) fn times_power<S: Scalar>(x: &[S], power: i32) -> Vec<S> {
    let half = power / 2;
    let (one, other) = (S::from_f64(2f64.powi(half)), S::from_f64(2f64.powi(power - half)));
    x.iter().map(|&value| value * one * other).collect()
}
