//! Smoothers: x = x + p(L^-1 A) L^-1 (b - A x) with a polynomial that is small on the upper part of the spectrum.
//! Chebyshev's own is least on an interval, which somebody must know. That of the fourth kind (Lottes, Numer. Linear
//! Algebra Appl. 30, 2023) needs the upper bound alone, which the scaled l1 norms of rows make 1:
//!
//! ```text
//! d_1 = (4/3) L^-1 r,   d_i = ((2i - 3)/(2i + 1)) d_{i-1} + ((8i - 4)/(2i + 1)) L^-1 (b - A x),   x = x + d_i
//! ```
//!
//! Richardson's steps are damped Jacobi. All are Hermitian if A and L are, and a cycle that smooths with the same
//! polynomial before and after is as well.

use super::chain::Chain;
use super::recurrence::{Interval, Recurrence};
use crate::engine::{Engine, Operator};
use crate::map::LinearMap;
use crate::program::Precision;
use crate::scalar::Scalar;
use std::cell::RefCell;

/// Which polynomial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Polynomial {
    /// Chebyshev's, on an interval. No eigenvalue may be above the sum of its bounds, or the cycle is indefinite.
    Chebyshev(Interval),
    /// Of the fourth kind; no eigenvalue of L^-1 A may be above 1.
    FourthKind {
        /// Its degree: products with A, but for one where x = 0.
        degree: usize,
    },
    /// Richardson's steps, x = x + length L^-1 (b - A x): damped Jacobi, where L is the diagonal times a bound of the
    /// spectrum.
    Richardson {
        /// How many: products with A, but for one where x = 0.
        steps: usize,
        /// Of each; no eigenvalue of L^-1 A may be above 2/length.
        length: f64,
    },
}

/// A smoother in an engine.
pub struct Smoother<E: Engine> {
    inverse: Chain<E>,
    form: Form<E>,
}

enum Form<E: Engine> {
    Chebyshev(Recurrence<E>, RefCell<[E::Vector; 2]>),
    FourthKind(usize, RefCell<[E::Vector; 4]>),
    Richardson(usize, f64, RefCell<[E::Vector; 2]>),
}

impl<E: Engine> Smoother<E> {
    /// Vectors that it keeps.
    pub const VECTORS: usize = 5;

    /// With L^-1 as a product of maps, the one that is applied first in front.
    pub fn load<S: Scalar>(
        e: &mut E,
        inverse: Vec<Box<dyn LinearMap<S>>>,
        polynomial: Polynomial,
        precision: Precision,
    ) -> Self
    where
        E: Engine<Scalar = S>,
    {
        let rows = inverse.last().map_or(0, |map| map.shape().0);
        let inverse = Chain::load(e, inverse, precision);
        let form = match polynomial {
            Polynomial::Chebyshev(interval) => {
                let scratch = std::array::from_fn(|_| e.zeros(rows, precision));
                Form::Chebyshev(Recurrence::new(e, interval, rows, precision), RefCell::new(scratch))
            }
            Polynomial::FourthKind { degree } => {
                Form::FourthKind(degree, RefCell::new(std::array::from_fn(|_| e.zeros(rows, precision))))
            }
            Polynomial::Richardson { steps, length } => {
                Form::Richardson(steps, length, RefCell::new(std::array::from_fn(|_| e.zeros(rows, precision))))
            }
        };
        Self { inverse, form }
    }

    /// x = p(L^-1 A) L^-1 b
    #[rustfmt::skip]
    pub fn begin(&self, e: &mut E, A: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector) {
        match &self.form {
            Form::Chebyshev(polynomial, _) => polynomial.apply(e, A, &self.inverse, b, x),
            Form::FourthKind(degree, scratch) => {
                let [d, r, s, other] = &mut *scratch.borrow_mut();
                let first = e.number(4.0 / 3.0);
                // x and its successor change places in every step, so that a product does not read what its pass writes
                let (mut now, mut next) = if degree.is_multiple_of(2) { (other, x) } else { (x, other) };
                e.apply(&self.inverse, b, d);
                e.scale(first, d);                         // d_1 = (4/3) L^-1 b
                e.copy(d, now);                            // x = d_1
                for i in 2..=*degree {
                    e.residual(A, b, now, r);              // r = b - A x
                    step(e, &self.inverse, i, (r, s), d);
                    add(e, now, d, next);                  // x = x + d_i
                    std::mem::swap(&mut now, &mut next);
                }
            }
            Form::Richardson(steps, length, scratch) => {
                let first = e.number(*length);
                e.apply(&self.inverse, b, x);
                e.scale(first, x);                         // x = length L^-1 b
                self.richardson(e, A, (b, x), (*steps - 1, *length), scratch);
            }
        }
    }

    /// x = x + length L^-1 (b - A x), so many times.
    #[rustfmt::skip]
    fn richardson(
        &self, e: &mut E, A: &dyn Operator<E>, (b, x): (&E::Vector, &mut E::Vector), (steps, length): (usize, f64), scratch: &RefCell<[E::Vector; 2]>,
    ) {
        let ([r, s], length) = (&mut *scratch.borrow_mut(), e.number(length));
        for _ in 0..steps {
            e.residual(A, b, x, r);                        // r = b - A x
            e.apply(&self.inverse, r, s);
            e.axpy(length, s, x);                          // x = x + length L^-1 r
        }
    }

    /// x = x + p(L^-1 A) L^-1 (b - A x)
    #[rustfmt::skip]
    pub fn improve(&self, e: &mut E, A: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector) {
        match &self.form {
            Form::Chebyshev(polynomial, scratch) => {
                let ([r, z], one) = (&mut *scratch.borrow_mut(), e.number(1.0));
                e.residual(A, b, x, r);                    // r = b - A x
                polynomial.apply(e, A, &self.inverse, r, z);
                e.axpy(one, z, x);                         // x = x + S r
            }
            Form::FourthKind(degree, scratch) => {
                let ([d, r, s, other], first) = (&mut *scratch.borrow_mut(), e.number(4.0 / 3.0));
                for i in 1..=*degree {
                    let (now, next) = if i.is_multiple_of(2) { (&*other, &mut *x) } else { (&*x, &mut *other) };
                    e.residual(A, b, now, r);              // r = b - A x
                    if i == 1 {
                        e.apply(&self.inverse, r, d);
                        e.scale(first, d);                 // d_1 = (4/3) L^-1 r
                    } else {
                        step(e, &self.inverse, i, (r, s), d);
                    }
                    add(e, now, d, next);                  // x = x + d_i
                }
                if !degree.is_multiple_of(2) {
                    e.copy(other, x);
                }
            }
            Form::Richardson(steps, length, scratch) => {
                self.richardson(e, A, (b, x), (*steps, *length), scratch);
            }
        }
    }
}

/// d_i = ((2i - 3)/(2i + 1)) d_{i-1} + ((8i - 4)/(2i + 1)) L^-1 r
fn step<E: Engine>(e: &mut E, inverse: &Chain<E>, i: usize, (r, s): (&E::Vector, &mut E::Vector), d: &mut E::Vector) {
    let i = i as f64;
    let momentum = e.number((2.0 * i - 3.0) / (2.0 * i + 1.0));
    let length = e.number((8.0 * i - 4.0) / (2.0 * i + 1.0));
    e.apply(inverse, r, s);
    e.axpby(length, s, momentum, d);
}

/// next = x + d
fn add<E: Engine>(e: &mut E, x: &E::Vector, d: &E::Vector, next: &mut E::Vector) {
    let one = e.number(1.0);
    e.copy(x, next);
    e.axpy(one, d, next);
}
