//! SSOR: M = (D/w + L) (w/(2-w)) D^-1 (D/w + U) for A = L + D + U and 0 < w < 2 (source 000 writes a closed
//! interval; at its ends M does not exist). For Hermitian A, U = L^H and M is Hermitian positive definite.
//!
//! ```text
//! forward    u_i = w/d_i (x_i - sum_{j<i} l_ij u_j)
//! backward   y_i = (2-w) u_i - w/d_i sum_{j>i} u_ij y_j        the scaling by D(2-w)/w is folded in
//! ```

use super::diagonal;
use super::part::part;
use crate::backend::cpu::sweep::Scheduled;
use crate::error::{Error, Result};
use crate::map::{LinearMap, Triangular};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The triangles and the diagonal, ready for the two sweeps.
#[derive(Clone, Debug)]
pub struct Ssor<S> {
    omega: f64,
    damping: S,
    diagonal: Vec<S>,
    relaxed: Vec<S>,
    lower: Csr<S>,
    upper: Csr<S>,
    scheduled: Scheduled,
}

pub(super) fn invalid_omega(value: &str) -> Error {
    Error::InvalidParameter { name: "omega", value: value.into(), expected: "SSOR needs 0 < omega < 2" }
}

pub(super) fn check_omega(omega: f64) -> Result<()> {
    if omega > 0.0 && omega < 2.0 { Ok(()) } else { Err(invalid_omega(&omega.to_string())) } // NaN fails both
}

impl<S: Scalar> Ssor<S> {
    /// Splits A; refuses omega outside (0, 2) and diagonal entries that are zero or missing. M is Hermitian positive
    /// definite if A is; [`prepare`](super::Preconditioner::prepare) refuses what shows that it is not, where that
    /// matters.
    pub fn from_csr(A: &Csr<S>, omega: f64) -> Result<Self> {
        check_omega(omega)?;
        let diagonal = diagonal::invertible(A, "SSOR")?;
        let relaxed: Vec<S> = diagonal.iter().map(|&d| S::from_f64(omega) / d).collect();
        // Rounding omega to single precision can reach an end of the open interval.
        let damping = S::from_f64(2.0 - omega);
        if S::from_f64(omega) == S::zero() || damping == S::zero() {
            return Err(invalid_omega(&omega.to_string()));
        }
        let (lower, upper) = (part(A, |i, j| j < i), part(A, |i, j| j > i));
        Ok(Self { omega, damping, diagonal, relaxed, lower, upper, scheduled: Scheduled::default() })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }
    /// The relaxation w.
    pub fn omega(&self) -> f64 {
        self.omega
    }
    /// 2 - w, as a scalar.
    pub fn damping(&self) -> S {
        self.damping
    }
    /// d_i, the diagonal of A.
    pub fn diagonal(&self) -> &[S] {
        &self.diagonal
    }
    /// w/d_i.
    pub fn relaxed(&self) -> &[S] {
        &self.relaxed
    }
    /// The entries of A below the diagonal.
    pub fn lower(&self) -> &Csr<S> {
        &self.lower
    }
    /// The entries of A above the diagonal.
    pub fn upper(&self) -> &Csr<S> {
        &self.upper
    }
    /// The same splitting, rounded to single precision.
    pub fn rounded(&self) -> Ssor<S::Single> {
        let all = |values: &[S]| values.iter().map(|value| value.to_single()).collect();
        Ssor {
            omega: self.omega,
            damping: self.damping.to_single(),
            diagonal: all(&self.diagonal),
            relaxed: all(&self.relaxed),
            lower: self.lower.map_values(S::to_single),
            upper: self.upper.map_values(S::to_single),
            scheduled: self.scheduled.clone(),
        }
    }
    /// Bytes that one application reads.
    pub fn bytes(&self) -> usize {
        self.lower.bytes() + self.upper.bytes() + self.rows() * size_of::<S>()
    }
}

impl<S: Scalar> Triangular<S> for Ssor<S> {
    fn lower(&self) -> &Csr<S> {
        &self.lower
    }
    fn upper(&self) -> &Csr<S> {
        &self.upper
    }
    fn scale(&self) -> &[S] {
        &self.relaxed
    }
    fn forward(&self, scale: S, x: S, sum: S) -> S {
        scale * (x - sum)
    }
    fn backward(&self, scale: S, u: S, sum: S) -> S {
        self.damping * u - scale * sum
    }
}

impl<S: Scalar> LinearMap<S> for Ssor<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows(), self.rows())
    }
    fn bytes(&self) -> usize {
        Ssor::bytes(self)
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.solve_with(self.among(values), x, y);
    }
    fn schedule(&mut self) {
        self.scheduled = Scheduled::new(self);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.scheduled.apply(self, values, x, y);
    }
    fn take_values(&mut self) -> Vec<S> {
        let mut values = self.lower.take_val();
        values.extend(self.upper.take_val());
        values.append(&mut self.relaxed);
        values
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.rounded()))
    }
    fn is_finite(&self) -> bool {
        let parts = [&self.relaxed[..], self.lower.val(), self.upper.val()];
        parts.into_iter().flatten().all(|value| value.finite())
    }
    /// The solution of the first triangular system is written and read.
    fn traffic(&self) -> usize {
        Ssor::bytes(self) + 2 * self.rows() * size_of::<S>()
    }
}
