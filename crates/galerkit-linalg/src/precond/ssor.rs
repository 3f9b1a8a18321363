//! SSOR: M = (D/w + L) (w/(2-w)) D^-1 (D/w + U) for A = L + D + U and 0 < w < 2 (source 000 writes a closed
//! interval; at its ends M does not exist). For Hermitian A, U = L^H and M is Hermitian positive definite.
//!
//! ```text
//! forward    u_i = w/d_i (x_i - sum_{j<i} l_ij u_j)
//! backward   y_i = (2-w) u_i - w/d_i sum_{j>i} u_ij y_j        the scaling by D(2-w)/w is folded in
//! ```

use super::diagonal;
use super::part::part;
use super::triangles::Triangles;
use crate::backend::cpu::sweep::Scheduled;
use crate::error::{Error, Result};
use crate::map::{LinearMap, Triangular};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The triangles and the diagonal, ready for the two sweeps.
#[derive(Clone, Debug)]
pub struct Ssor<S: Scalar> {
    omega: f64,
    damping: S,
    diagonal: Vec<S>,
    /// The scale is w/d_i.
    triangles: Triangles<S>,
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
        let triangles = Triangles::new(part(A, |i, j| j < i), part(A, |i, j| j > i), relaxed);
        Ok(Self { omega, damping, diagonal, triangles })
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
        &self.triangles.scale
    }
    /// The entries of A below the diagonal.
    pub fn lower(&self) -> &Csr<S> {
        &self.triangles.lower
    }
    /// The entries of A above the diagonal.
    pub fn upper(&self) -> &Csr<S> {
        &self.triangles.upper
    }
    /// The same splitting, rounded to single precision.
    pub fn rounded(&self) -> Ssor<S::Single> {
        Ssor {
            omega: self.omega,
            damping: self.damping.to_single(),
            diagonal: self.diagonal.iter().map(|value| value.to_single()).collect(),
            triangles: self.triangles.rounded(),
        }
    }
    /// Bytes that one application reads.
    pub fn bytes(&self) -> usize {
        self.triangles.bytes()
    }
}

impl<S: Scalar> Triangular<S> for Ssor<S> {
    fn lower(&self) -> &Csr<S> {
        &self.triangles.lower
    }
    fn upper(&self) -> &Csr<S> {
        &self.triangles.upper
    }
    fn scale(&self) -> &[S] {
        &self.triangles.scale
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
        self.triangles.scheduled = Scheduled::new(self);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.triangles.scheduled.apply(self, values, x, y);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.triangles.take_values()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.rounded()))
    }
    fn is_finite(&self) -> bool {
        self.triangles.is_finite()
    }
    fn traffic(&self) -> usize {
        self.triangles.traffic()
    }
}
