//! GMRES(m).

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// GMRES(m).
#[rustfmt::skip]
pub fn gmres<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, restart, A, M, b, x, stop);
    todo!()
}
