//! What executes the verbs, on plain slices. Engines drive a backend; tests hold one backend against another.
//! Lengths are checked where vectors enter the library; here they are debug assertions.

pub mod cpu;
mod product;
pub mod reference;

pub use cpu::Cpu;
pub use product::{Product, cpu_product, reference_product, triad_step};
pub use reference::Reference;

use crate::map::LinearMap;
use crate::program::{Group, Role, Tape};
use crate::scalar::Scalar;
use num_traits::{Float, Zero};

/// A map on a backend: what of it stays, and the values that programs may change.
pub struct Placed<M, S> {
    /// The pattern.
    pub map: M,
    /// The values, in the backend's order of slots.
    pub values: Vec<S>,
}

/// The kernels under an engine.
pub trait Backend<S: Scalar>: Send + 'static {
    /// A linear map prepared for this backend.
    type Map: Send;
    /// The same backend for numbers in single precision.
    type Single: Backend<S::Single>;

    /// The same backend for numbers in single precision.
    fn in_single(&self) -> Self::Single;
    /// Prepares a linear map (partitions, schedules) and moves its values out.
    fn load(&self, map: Box<dyn LinearMap<S>>) -> Placed<Self::Map, S>;
    /// y = A x
    fn apply(&self, A: &Self::Map, values: &[S], x: &[S], y: &mut [S]);
    /// r = b - A x
    fn residual(&self, A: &Self::Map, values: &[S], b: &[S], x: &[S], r: &mut [S]);
    /// y = alpha A x + beta y; beta = 0 does not read y
    fn spmv(&self, alpha: S, A: &Self::Map, values: &[S], x: &[S], beta: S, y: &mut [S]) {
        let mut product = vec![S::zero(); y.len()];
        self.apply(A, values, x, &mut product);
        self.axpby(alpha, &product, beta, y);
    }
    /// Each entry of the vectors in `update` becomes f(update, read).
    fn pointwise<const U: usize, const R: usize>(
        &self,
        update: [&mut [S]; U],
        read: [&[S]; R],
        f: &(impl Fn([S; U], [S; R]) -> [S; U] + Sync),
    ) {
        pointwise(update, read, f);
    }
    /// Evaluates a recorded closure: `update` and `read` as in [`pointwise`](Backend::pointwise).
    fn evaluate(&self, tape: &Tape, update: &mut [Vec<S>], read: &[&[S]], slots: &[S]) {
        evaluate(tape, update, read, slots);
    }
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
    /// The infinity norm; NaN if an entry is.
    fn norm_inf(&self, x: &[S]) -> S {
        S::from_real(norm_inf(x))
    }

    /// Runs a group that [`fuse`](crate::program::fuse::fuse) has formed. A backend that fuses nothing is never asked.
    /// Vectors that are not empty in `single` are in single precision, and only dot products and updates y + a x read
    /// them.
    fn run_group(
        &self,
        group: &Group,
        maps: &[Option<Self::Map>],
        vectors: &mut [Vec<S>],
        single: &[Vec<S::Single>],
        slots: &mut [S],
    ) {
        let _ = (maps, vectors, single, slots);
        unreachable!("this backend forms no groups: {group}");
    }
    /// How products with this map take part in fusion.
    fn role(&self, map: &Self::Map) -> Role {
        let _ = map;
        Role::Alone
    }
    /// Whether vector instructions are to be fused.
    fn fuses(&self) -> bool {
        false
    }
}

/// The infinity norm, 0 for no entries; NaN if one is.
pub fn norm_inf<S: Scalar>(x: &[S]) -> S::Real {
    x.iter().fold(S::Real::zero(), |most, value| larger(most, value.modulus()))
}

/// One entry after the other.
pub fn pointwise<S: Scalar, const U: usize, const R: usize>(
    update: [&mut [S]; U],
    read: [&[S]; R],
    f: &impl Fn([S; U], [S; R]) -> [S; U],
) {
    for i in 0..update.first().map_or(0, |y| y.len()) {
        let made = f(std::array::from_fn(|k| update[k][i]), std::array::from_fn(|k| read[k][i]));
        for k in 0..U {
            update[k][i] = made[k];
        }
    }
}

/// A recorded closure for all entries, run after run.
pub fn evaluate<S: Scalar>(tape: &Tape, update: &mut [Vec<S>], read: &[&[S]], slots: &[S]) {
    let length = update.first().map_or(0, Vec::len);
    let mut made: Vec<Vec<S>> = vec![vec![S::zero(); length]; update.len()];
    let load = |input: usize, first: usize, to: &mut [S]| {
        let from = if input < update.len() { &update[input][..] } else { read[input - update.len()] };
        to.copy_from_slice(&from[first..first + to.len()]);
    };
    tape.evaluate(length, slots, &load, &mut |output: usize, first: usize, run: &[S]| {
        made[output][first..first + run.len()].copy_from_slice(run);
    });
    update.iter_mut().zip(made).for_each(|(y, made)| *y = made);
}

/// The larger of two; NaN if one is.
pub fn larger<R: Float>(a: R, b: R) -> R {
    if a.is_nan() || b <= a { a } else { b }
}
