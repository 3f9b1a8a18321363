//! The identity as an operator.

use super::{Engine, Operator};

/// y = x: the preconditioner of the unpreconditioned methods.
pub struct Identity;

impl<E: Engine> Operator<E> for Identity {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        e.copy(x, y);
    }
}
