//! What SSOR and incomplete factors keep alike: two triangles, a number for each row, and how threads share the two
//! solves.

use crate::backend::cpu::sweep::Scheduled;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The parts of a [`Triangular`](crate::map::Triangular) map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Triangles<S: Scalar> {
    pub(super) lower: Csr<S>,
    pub(super) upper: Csr<S>,
    /// s_i, one number for each row.
    pub(super) scale: Vec<S>,
    pub(super) scheduled: Scheduled,
}

impl<S: Scalar> Triangles<S> {
    pub(super) fn new(lower: Csr<S>, upper: Csr<S>, scale: Vec<S>) -> Self {
        Self { lower, upper, scale, scheduled: Scheduled::default() }
    }

    pub(super) fn rows(&self) -> usize {
        self.lower.rows()
    }
    /// Rounded to single precision.
    pub(super) fn rounded(&self) -> Triangles<S::Single> {
        Triangles {
            lower: self.lower.map_values(S::to_single),
            upper: self.upper.map_values(S::to_single),
            scale: self.scale.iter().map(|value| value.to_single()).collect(),
            scheduled: self.scheduled.clone(),
        }
    }
    /// Bytes that the two solves read.
    pub(super) fn bytes(&self) -> usize {
        self.lower.bytes() + self.upper.bytes() + self.rows() * size_of::<S>()
    }
    /// Bytes that they move: the solution of the first is written and read.
    pub(super) fn traffic(&self) -> usize {
        self.bytes() + 2 * self.rows() * size_of::<S>()
    }
    /// Gives away the numbers, in the order of a loaded map's values.
    pub(super) fn take_values(&mut self) -> Vec<S> {
        parallel::concatenated(vec![self.lower.take_val(), self.upper.take_val(), std::mem::take(&mut self.scale)])
    }
    pub(super) fn is_finite(&self) -> bool {
        let parts = [&self.scale[..], self.lower.val(), self.upper.val()];
        parts.into_iter().flatten().all(|value| value.finite())
    }
}
