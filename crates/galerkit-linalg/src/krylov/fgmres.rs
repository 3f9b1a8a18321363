//! FGMRES(m).

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// FGMRES(m).
#[rustfmt::skip]
pub fn fgmres<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, restart, A, M, b, x, stop);
    todo!()
}
