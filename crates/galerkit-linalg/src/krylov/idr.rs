//! IDR(s).

use super::{Run, Stop};
use crate::engine::{Engine, Operator};

/// IDR(s).
#[rustfmt::skip]
pub fn idr<E: Engine>(e: &mut E, s: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let _ = (e, s, A, M, b, x, stop);
    todo!()
}
