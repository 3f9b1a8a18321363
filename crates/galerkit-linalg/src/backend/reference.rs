//! Obvious sequential loops: the oracle of every test. Never made faster.

use super::Backend;
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::sync::Arc;

mod spmv;

pub use spmv::spmv;

/// The reference backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl<S: Scalar> Backend<S> for Reference {
    type Map = Arc<Linear<S>>;
    type Lower = Reference;

    fn lower(&self) -> Reference {
        Reference
    }
    fn load(&self, map: Arc<Linear<S>>) -> Self::Map {
        map
    }

    fn apply(&self, A: &Arc<Linear<S>>, x: &[S], y: &mut [S]) {
        match &**A {
            Linear::Matrix(A) => spmv(S::one(), A, x, S::zero(), y),
            Linear::Diagonal(d) => (0..y.len()).for_each(|i| y[i] = d[i] * x[i]),
            Linear::BlockDiagonal(B) => B.apply(x, y),
            Linear::Ssor(M) => M.apply(x, y),
            Linear::Factors(M) => M.apply(x, y),
        }
    }

    fn residual(&self, A: &Arc<Linear<S>>, b: &[S], x: &[S], r: &mut [S]) {
        self.apply(A, x, r);
        for i in 0..r.len() {
            r[i] = b[i] - r[i];
        }
    }

    fn spmv(&self, alpha: S, A: &Arc<Linear<S>>, x: &[S], beta: S, y: &mut [S]) {
        if let Linear::Matrix(A) = &**A {
            return spmv(alpha, A, x, beta, y);
        }
        let mut product = vec![S::zero(); y.len()];
        self.apply(A, x, &mut product);
        self.axpby(alpha, &product, beta, y);
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
