//! BiCGSTAB.

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// BiCGSTAB.
#[rustfmt::skip]
pub fn bicgstab<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, A, M, b, x, stop);
    todo!()
}
