//! GCR(m).

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// GCR(m).
#[rustfmt::skip]
pub fn gcr<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, restart, A, M, b, x, stop);
    todo!()
}
