//! Obvious sequential loops: the oracle of every test. Never made faster.

use super::{Backend, Placed};
use crate::map::LinearMap;
use crate::scalar::Scalar;
use crate::sparse::{self, Matrix};

/// y = alpha A x + beta y with the values that A holds; for tests, because it copies them.
pub fn spmv<S: Scalar>(alpha: S, A: &Matrix<S>, x: &[S], beta: S, y: &mut [S]) {
    let mut pattern = A.clone();
    let values = pattern.take_val();
    sparse::spmv(alpha, &pattern, &values, x, beta, y);
}

/// The reference backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl<S: Scalar> Backend<S> for Reference {
    type Map = Box<dyn LinearMap<S>>;
    type Single = Reference;

    fn in_single(&self) -> Reference {
        Reference
    }
    fn load(&self, mut map: Box<dyn LinearMap<S>>) -> Placed<Self::Map, S> {
        let values = map.take_values();
        Placed { map, values }
    }

    fn apply(&self, A: &Self::Map, values: &[S], x: &[S], y: &mut [S]) {
        A.apply(values, x, y);
    }

    fn residual(&self, A: &Self::Map, values: &[S], b: &[S], x: &[S], r: &mut [S]) {
        A.apply(values, x, r);
        for i in 0..r.len() {
            r[i] = b[i] - r[i];
        }
    }

    fn copy(&self, x: &[S], y: &mut [S]) {
        y.copy_from_slice(x);
    }

    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]) {
        for i in 0..y.len() {
            y[i] = if b == S::zero() { a * x[i] } else { a * x[i] + b * y[i] };
        }
    }

    fn axpy(&self, a: S, x: &[S], y: &mut [S]) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    fn xpby(&self, x: &[S], b: S, y: &mut [S]) {
        for i in 0..y.len() {
            y[i] = x[i] + b * y[i];
        }
    }

    fn scale(&self, a: S, y: &mut [S]) {
        for value in y {
            *value *= a;
        }
    }

    fn dot(&self, x: &[S], y: &[S]) -> S {
        let mut sum = S::zero();
        for i in 0..x.len() {
            sum += x[i].conj() * y[i];
        }
        sum
    }
}
