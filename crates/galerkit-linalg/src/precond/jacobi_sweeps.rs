//! Incomplete factors whose triangular solves are Jacobi sweeps (Anzt, Chow, Dongarra, Euro-Par 2015): with M = L D W,
//! L and W of unit diagonal, each solve L u = x is replaced by K sweeps from u = x,
//!
//! ```text
//! u <- u + (x - L u) = x - (L - I) u        then c = D^-1 u        y <- c - (W - I) y from y = c
//! ```
//!
//! A sweep is one residual with a stored matrix, so this runs on every engine without kernels of its own and without a
//! row waiting for another. After as many sweeps as there are levels (less one) the solves are exact. For Hermitian A
//! and positive pivots M^-1 = P^H D^-1 P stays Hermitian positive definite, whatever K.

use super::{Factorisation, Factors};
use crate::engine::{Engine, Operator};
use crate::linear::Linear;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Matrix};
use std::cell::RefCell;
use std::sync::Arc;

/// The factors in host memory, scaled for sweeps.
#[derive(Clone, Debug)]
pub struct JacobiSweeps<S> {
    sweeps: usize,
    lower: Csr<S>,
    upper: Csr<S>,
    inverse: Vec<S>,
}

impl<S: Scalar> JacobiSweeps<S> {
    /// So many sweeps for each of the two triangular solves with these factors.
    pub fn new(factors: &Factors<S>, sweeps: usize) -> Self {
        let (mut lower, mut upper) = (factors.lower().clone(), factors.upper().clone());
        let inverse = factors.inverse();
        for (i, &d) in inverse.iter().enumerate() {
            let range = upper.range(i);
            upper.val_mut()[range].iter_mut().for_each(|u| *u *= d);
        }
        match factors.kind() {
            Factorisation::Ilu => Self { sweeps, lower, upper, inverse: inverse.to_vec() },
            Factorisation::Ic => {
                (0..lower.nnz()).for_each(|k| {
                    let j = lower.col()[k] as usize;
                    lower.val_mut()[k] *= inverse[j];
                });
                Self { sweeps, lower, upper, inverse: inverse.iter().map(|&d| d * d).collect() }
            }
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.inverse.len()
    }
    /// Sweeps for each triangle.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }
    /// Bytes of each map, in the order they are loaded: lower, diagonal, upper.
    pub fn map_bytes(&self) -> [usize; 3] {
        [self.lower.bytes(), size_of_val(&self.inverse[..]), self.upper.bytes()]
    }

    /// The same factors, rounded to single precision.
    pub fn rounded(&self) -> JacobiSweeps<S::Low> {
        JacobiSweeps {
            sweeps: self.sweeps,
            lower: self.lower.map_values(S::lower),
            upper: self.upper.map_values(S::lower),
            inverse: self.inverse.iter().map(|value| value.lower()).collect(),
        }
    }
    /// Whether every number is finite.
    pub(super) fn is_finite(&self) -> bool {
        [self.lower.val(), self.upper.val(), &self.inverse].into_iter().flatten().all(|value| value.finite())
    }

    /// Brings factors in single precision into an engine, for vectors as long as b in single precision.
    pub fn load_lower<E: Engine>(self, e: &mut E, b: &E::Vector) -> Swept<E>
    where
        E::Scalar: Scalar<Low = S>,
    {
        Swept {
            sweeps: self.sweeps,
            lower: e.load_lower(Arc::new(Linear::Matrix(Matrix::Csr(self.lower)))),
            inverse: e.load_lower(Arc::new(Linear::Diagonal(self.inverse))),
            upper: e.load_lower(Arc::new(Linear::Matrix(Matrix::Csr(self.upper)))),
            scratch: RefCell::new(std::array::from_fn(|_| e.lower_like(b))),
        }
    }

    /// Brings the factors into an engine.
    pub fn load<E: Engine<Scalar = S>>(self, e: &mut E) -> Swept<E> {
        let zeros = vec![S::zero(); self.rows()];
        Swept {
            sweeps: self.sweeps,
            lower: e.load(Arc::new(Linear::Matrix(Matrix::Csr(self.lower)))),
            inverse: e.load(Arc::new(Linear::Diagonal(self.inverse))),
            upper: e.load(Arc::new(Linear::Matrix(Matrix::Csr(self.upper)))),
            scratch: RefCell::new(std::array::from_fn(|_| e.upload(&zeros))),
        }
    }
}

/// The factors in an engine.
pub struct Swept<E: Engine> {
    sweeps: usize,
    lower: E::Map,
    inverse: E::Map,
    upper: E::Map,
    scratch: RefCell<[E::Vector; 4]>,
}

impl<E: Engine> Operator<E> for Swept<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let [even, odd, solved, c] = &mut *self.scratch.borrow_mut();
        sweep(e, &self.lower, self.sweeps, x, [even, odd], solved);
        e.apply_map(&self.inverse, solved, c);
        sweep(e, &self.upper, self.sweeps, c, [even, odd], y);
    }
}

/// u = (I - T + T^2 - ...) b with so many products with T. A sweep never writes what it reads: two vectors take turns.
fn sweep<E: Engine>(e: &mut E, T: &E::Map, sweeps: usize, b: &E::Vector, turn: [&mut E::Vector; 2], u: &mut E::Vector) {
    let [mut last, mut next] = turn;
    match sweeps {
        0 => e.copy(b, u),
        1 => e.residual_map(T, b, b, u),
        _ => {
            e.residual_map(T, b, b, last);
            for _ in 2..sweeps {
                e.residual_map(T, b, last, next);
                std::mem::swap(&mut last, &mut next);
            }
            e.residual_map(T, b, last, u);
        }
    }
}
