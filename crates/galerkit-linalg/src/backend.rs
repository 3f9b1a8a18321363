//! What executes the verbs, on plain slices. Engines drive a backend; tests hold one backend against another.
//! Lengths are checked where vectors enter the library; here they are debug assertions.

pub mod cpu;
pub mod reference;

pub use cpu::Cpu;
pub use reference::Reference;

use crate::engine::record::{Group, Role};
use crate::linear::Linear;
use crate::scalar::Scalar;
use num_traits::{Float, Zero};
use std::sync::Arc;

/// The kernels under an engine.
pub trait Backend<S: Scalar> {
    /// A linear map prepared for this backend.
    type Map;
    /// The same backend for numbers in single precision.
    type Lower: Backend<S::Low>;

    /// The same backend for numbers in single precision.
    fn lower(&self) -> Self::Lower;
    /// Prepares a linear map: partitions, schedules, copies.
    fn load(&self, map: Arc<Linear<S>>) -> Self::Map;
    /// y = A x
    fn apply(&self, A: &Self::Map, x: &[S], y: &mut [S]);
    /// r = b - A x
    fn residual(&self, A: &Self::Map, b: &[S], x: &[S], r: &mut [S]);
    /// y = alpha A x + beta y; beta = 0 does not read y
    fn spmv(&self, alpha: S, A: &Self::Map, x: &[S], beta: S, y: &mut [S]);
    /// y = x
    fn copy(&self, x: &[S], y: &mut [S]);
    /// y = a x + b y; b = 0 does not read y
    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]);
    /// y = y + a x
    fn axpy(&self, a: S, x: &[S], y: &mut [S]);
    /// y = x + b y
    fn xpby(&self, x: &[S], b: S, y: &mut [S]);
    /// y = a y
    fn scale(&self, a: S, y: &mut [S]);
    /// conj(x) . y
    fn dot(&self, x: &[S], y: &[S]) -> S;
    /// The largest absolute value; NaN if there is one.
    fn largest(&self, x: &[S]) -> S {
        S::from_real(largest(x))
    }

    /// Runs a group that [`fuse`](crate::engine::record::fuse) has formed. A backend that fuses nothing is never asked. Vectors
    /// that are not empty in `low` are in single precision, and only dot products and updates y + a x read them.
    fn run_group(
        &self,
        group: &Group,
        maps: &[Self::Map],
        vectors: &mut [Vec<S>],
        low: &[Vec<S::Low>],
        slots: &mut [S],
    ) {
        let _ = (maps, vectors, low, slots);
        unreachable!("this backend forms no groups: {group}");
    }
    /// How products with this map take part in fusion.
    fn role(&self, map: &Self::Map) -> Role {
        let _ = map;
        Role::Alone
    }
    /// Whether vector lines are to be fused.
    fn fuses(&self) -> bool {
        false
    }
}

/// The largest absolute value, 0 for none; NaN if there is one.
pub fn largest<S: Scalar>(x: &[S]) -> S::Real {
    x.iter().fold(S::Real::zero(), |most, value| larger(most, value.modulus()))
}

/// The larger of two; NaN if one is.
pub fn larger<R: Float>(a: R, b: R) -> R {
    if a.is_nan() || b <= a { a } else { b }
}
