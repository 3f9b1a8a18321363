//! SSOR sweeps.

use crate::precond::Ssor;
use crate::scalar::Scalar;

/// Levels.
pub struct Schedule;

impl Schedule {
    /// Finds levels.
    pub fn new<S: Scalar>(_M: &Ssor<S>) -> Self {
        Schedule
    }
    /// y = M^-1 x
    pub fn apply<S: Scalar>(&self, M: &Ssor<S>, x: &[S], y: &mut [S]) {
        M.apply(x, y);
    }
}
