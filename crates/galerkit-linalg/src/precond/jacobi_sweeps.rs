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
use crate::engine::{Engine, Operator, Resident};
use crate::map::{Diagonal, in_precision};
use crate::program::Precision;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Matrix};
use std::cell::RefCell;

/// The factors in host memory, scaled for sweeps.
#[derive(Clone, Debug)]
pub struct JacobiSweeps<S: Scalar> {
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
    /// L - I on the pattern of the factors.
    pub fn lower(&self) -> &Csr<S> {
        &self.lower
    }
    /// W - I on the pattern of the factors.
    pub fn upper(&self) -> &Csr<S> {
        &self.upper
    }
    /// Bytes of each map, in the order they are loaded: lower, diagonal, upper.
    pub fn map_bytes(&self) -> [usize; 3] {
        [self.lower.bytes(), size_of_val(&self.inverse[..]), self.upper.bytes()]
    }

    /// The same factors, rounded to single precision.
    pub fn rounded(&self) -> JacobiSweeps<S::Single> {
        JacobiSweeps {
            sweeps: self.sweeps,
            lower: self.lower.map_values(S::to_single),
            upper: self.upper.map_values(S::to_single),
            inverse: self.inverse.iter().map(|value| value.to_single()).collect(),
        }
    }
    /// Whether every number is finite.
    pub(super) fn is_finite(&self) -> bool {
        [self.lower.val(), self.upper.val(), &self.inverse].into_iter().flatten().all(|value| value.finite())
    }

    /// Brings the factors into an engine, for vectors in this precision.
    pub fn load<E: Engine<Scalar = S>>(self, e: &mut E, precision: Precision) -> Swept<E> {
        let rows = self.rows();
        Swept {
            sweeps: self.sweeps,
            lower: e.load(in_precision(Matrix::Csr(self.lower), precision)),
            inverse: e.load(in_precision(Diagonal::new(self.inverse), precision)),
            upper: e.load(in_precision(Matrix::Csr(self.upper), precision)),
            scratch: RefCell::new(std::array::from_fn(|_| e.zeros(rows, precision))),
        }
    }
}

/// The factors in an engine.
pub struct Swept<E: Engine> {
    sweeps: usize,
    lower: Resident<E>,
    inverse: Resident<E>,
    upper: Resident<E>,
    scratch: RefCell<[E::Vector; 4]>,
}

impl<E: Engine> Swept<E> {
    /// The maps, whose values may be replaced: lower, diagonal, upper.
    pub fn maps_mut(&mut self) -> [&mut Resident<E>; 3] {
        [&mut self.lower, &mut self.inverse, &mut self.upper]
    }
}

impl<E: Engine> Operator<E> for Swept<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let [even, odd, solved, c] = &mut *self.scratch.borrow_mut();
        sweep(e, &self.lower, self.sweeps, x, [even, odd], solved);
        e.apply_map(&self.inverse, solved, c);
        sweep(e, &self.upper, self.sweeps, c, [even, odd], y);
    }
}

/// u = (I - T + T^2 - ...) b with so many products with T. A sweep never writes what it reads: two vectors alternate.
fn sweep<E: Engine>(
    e: &mut E,
    T: &Resident<E>,
    sweeps: usize,
    b: &E::Vector,
    pair: [&mut E::Vector; 2],
    u: &mut E::Vector,
) {
    let [mut last, mut next] = pair;
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
