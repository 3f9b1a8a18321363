//! Chebyshev's recurrence for the polynomial in L^-1 A whose residual is least on an interval [a, b] of eigenvalues,
//! with L any Hermitian positive definite operator: what Chebyshev preconditions with, and p-multigrid smooths with.

use crate::engine::{Engine, Operator};
use crate::error::{Error, Result};
use crate::program::Precision;
use std::cell::RefCell;

/// Beyond this a Krylov method would use the products better.
pub(crate) const HIGHEST_DEGREE: usize = 100;

/// A polynomial: its degree and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    degree: usize,
    lower: f64,
    upper: f64,
}

impl Interval {
    /// A degree of 0 to 100, and 0 < lower < upper.
    pub fn new(degree: usize, lower: f64, upper: f64) -> Result<Self> {
        if degree > HIGHEST_DEGREE {
            return Err(invalid_degree(&degree.to_string()));
        }
        if !(lower > 0.0 && lower < upper && upper.is_finite()) {
            let value = format!("{lower} to {upper}");
            let expected = "0 < lower < upper, both finite, is needed";
            return Err(Error::InvalidParameter { name: "eigenvalue bounds", value, expected });
        }
        Ok(Self { degree, lower, upper })
    }
    /// Products with A.
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// Lower and upper bound.
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }
}

pub(crate) fn invalid_degree(value: &str) -> Error {
    Error::InvalidParameter { name: "degree", value: value.into(), expected: "a polynomial has degree 1 to 100" }
}

/// The recurrence with its vectors in an engine.
pub struct Recurrence<E: Engine> {
    interval: Interval,
    scratch: RefCell<[E::Vector; 3]>,
}

impl<E: Engine> Recurrence<E> {
    /// For vectors of a length, in a precision.
    pub fn new(e: &mut E, interval: Interval, length: usize, precision: Precision) -> Self {
        Self { interval, scratch: RefCell::new(std::array::from_fn(|_| e.zeros(length, precision))) }
    }

    /// y = p(L^-1 A) L^-1 x, where `inverse` is L^-1.
    #[rustfmt::skip]
    pub fn apply(&self, e: &mut E, A: &dyn Operator<E>, inverse: &dyn Operator<E>, x: &E::Vector, y: &mut E::Vector) {
        let [r, s, other] = &mut *self.scratch.borrow_mut();
        let Interval { degree, lower, upper } = self.interval;
        let (theta, delta) = ((upper + lower) / 2.0, (upper - lower) / 2.0);
        let sigma = theta / delta;
        let mut rho = 1.0 / sigma;
        // z_k and z_{k-1} change places in every step; the last one is to be y.
        let (mut z, mut before) = if degree.is_multiple_of(2) { (y, other) } else { (other, y) };
        let first = e.number(1.0 / theta);
        e.apply(inverse, x, z);
        e.scale(first, z);                                 // z_0 = L^-1 x / theta
        for k in 0..degree {
            let rho_next = 1.0 / (2.0 * sigma - rho);
            let (momentum, step) = (rho_next * rho, e.number(2.0 * rho_next / delta));
            let stay = e.number(1.0 + momentum);
            e.residual(A, x, z, r);                        // r = x - A z_k
            e.apply(inverse, r, s);                        // s = L^-1 r
            if k == 0 {
                e.copy(s, before);                         // z_{-1} = 0
                e.scale(step, before);
            } else {
                let back = e.number(-momentum);
                e.axpby(step, s, back, before);            // (2 rho'/delta) s - rho' rho z_{k-1}
            }
            e.axpy(stay, z, before);                       //  + (1 + rho' rho) z_k = z_{k+1}
            std::mem::swap(&mut z, &mut before);
            rho = rho_next;
        }
    }
}
