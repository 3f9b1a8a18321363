//! MINRES.

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// MINRES.
#[rustfmt::skip]
pub fn minres<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, A, M, b, x, stop);
    todo!()
}
