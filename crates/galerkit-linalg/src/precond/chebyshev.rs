//! Chebyshev's polynomial in D^-1 A as a preconditioner (Saad, Iterative methods, 2nd ed., algorithm 12.1): of all
//! polynomials of its degree, the one whose residual is least on the interval [a, b] of eigenvalues. With
//! theta = (b + a)/2, delta = (b - a)/2, sigma = theta/delta, rho_0 = 1/sigma, rho_k = 1/(2 sigma - rho_{k-1}):
//!
//! ```text
//! z_0     = D^-1 x / theta
//! z_{k+1} = z_k + rho_{k+1} rho_k (z_k - z_{k-1}) + (2 rho_{k+1}/delta) D^-1 (x - A z_k)         z_{-1} = 0
//! ```
//!
//! No reductions and no triangular solves: products with A only, as many as the degree. For Hermitian positive definite
//! A and b above the largest eigenvalue of D^-1 A the operator is Hermitian positive definite.

use super::diagonal;
use crate::engine::{Engine, Operator, Resident};
use crate::error::{Error, Result};
use crate::map::{Diagonal, in_precision};
use crate::parallel;
use crate::program::Precision;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::cell::RefCell;

/// Steps of the power iteration that estimates the largest eigenvalue.
const POWER_STEPS: usize = 15;
/// What the estimate is multiplied by: the iteration ends below the eigenvalue.
const MARGIN: f64 = 1.1;
/// Upper over lower bound, if only the upper one is known.
const RATIO: f64 = 30.0;
/// Beyond this a Krylov method would use the products better.
pub(super) const HIGHEST_DEGREE: usize = 100;

/// The polynomial in host memory.
#[derive(Clone, Debug)]
pub struct Chebyshev<S> {
    degree: usize,
    lower: f64,
    upper: f64,
    inverse: Vec<S>,
}

pub(super) fn invalid_degree(value: &str) -> Error {
    Error::InvalidParameter { name: "degree", value: value.into(), expected: "a polynomial has degree 1 to 100" }
}

pub(super) fn check_degree(degree: usize) -> Result<()> {
    if (1..=HIGHEST_DEGREE).contains(&degree) { Ok(()) } else { Err(invalid_degree(&degree.to_string())) }
}

impl<S: Scalar> Chebyshev<S> {
    /// For A, with the largest eigenvalue of D^-1 A estimated by power iteration (10 % more, at most Gershgorin's
    /// bound) and a lower bound of a thirtieth. Refuses zero diagonal entries.
    pub fn from_csr(A: &Csr<S>, degree: usize) -> Result<Self> {
        let upper = largest_eigenvalue(A, &inverse_diagonal(A)?);
        Self::with_bounds(A, degree, upper / RATIO, upper)
    }

    /// For A whose D^-1 A has its eigenvalues between two bounds.
    pub fn with_bounds(A: &Csr<S>, degree: usize, lower: f64, upper: f64) -> Result<Self> {
        check_degree(degree)?;
        if !(lower > 0.0 && lower < upper && upper.is_finite()) {
            let value = format!("{lower} to {upper}");
            let expected = "0 < lower < upper, both finite, is needed";
            return Err(Error::InvalidParameter { name: "eigenvalue bounds", value, expected });
        }
        Ok(Self { degree, lower, upper, inverse: inverse_diagonal(A)? })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.inverse.len()
    }
    /// Degree of the polynomial: products with A.
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// The interval of eigenvalues.
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }
    /// The inverse diagonal of A.
    pub fn inverse(&self) -> &[S] {
        &self.inverse
    }

    /// The same polynomial, its diagonal rounded to single precision.
    pub fn rounded(&self) -> Chebyshev<S::Single> {
        let inverse = self.inverse.iter().map(|value| value.to_single()).collect();
        Chebyshev { degree: self.degree, lower: self.lower, upper: self.upper, inverse }
    }

    /// Brings the polynomial into an engine that has A, for vectors in this precision.
    pub fn load<'a, E: Engine<Scalar = S>>(
        self,
        e: &mut E,
        A: &'a dyn Operator<E>,
        precision: Precision,
    ) -> LoadedChebyshev<'a, E> {
        let (degree, lower, upper, rows) = (self.degree, self.lower, self.upper, self.rows());
        let inverse = e.load(in_precision(Diagonal::new(self.inverse), precision));
        let scratch = RefCell::new(std::array::from_fn(|_| e.zeros(rows, precision)));
        LoadedChebyshev { A, inverse, degree, lower, upper, scratch }
    }
}

/// The polynomial in an engine.
pub struct LoadedChebyshev<'a, E: Engine> {
    A: &'a dyn Operator<E>,
    inverse: Resident<E>,
    degree: usize,
    lower: f64,
    upper: f64,
    scratch: RefCell<[E::Vector; 3]>,
}

impl<E: Engine> Operator<E> for LoadedChebyshev<'_, E> {
    #[rustfmt::skip]
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let [r, s, other] = &mut *self.scratch.borrow_mut();
        let (theta, delta) = ((self.upper + self.lower) / 2.0, (self.upper - self.lower) / 2.0);
        let sigma = theta / delta;
        let mut rho = 1.0 / sigma;
        // z_k and z_{k-1} change places in every step; the last one is to be y.
        let (mut z, mut before) = if self.degree.is_multiple_of(2) { (y, other) } else { (other, y) };
        let first = e.number(1.0 / theta);
        e.apply_map(&self.inverse, x, z);
        e.scale(first, z);                                 // z_0 = D^-1 x / theta
        for k in 0..self.degree {
            let rho_next = 1.0 / (2.0 * sigma - rho);
            let (momentum, step) = (rho_next * rho, e.number(2.0 * rho_next / delta));
            let stay = e.number(1.0 + momentum);
            e.residual(self.A, x, z, r);                   // r = x - A z_k
            e.apply_map(&self.inverse, r, s);              // s = D^-1 r
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

fn inverse_diagonal<S: Scalar>(A: &Csr<S>) -> Result<Vec<S>> {
    Ok(diagonal::invertible(A, "Chebyshev")?.into_iter().map(|d| S::one() / d).collect())
}

/// An upper bound of the moduli of the eigenvalues of D^-1 A: [`MARGIN`] times what power iteration finds from a fixed
/// start, or Gershgorin's bound if that is less.
fn largest_eigenvalue<S: Scalar>(A: &Csr<S>, inverse: &[S]) -> f64 {
    let row_sum = |i: usize| A.row(i).map(|(_, a)| (inverse[i] * a).modulus().parts().0).sum::<f64>();
    let gershgorin = (0..A.rows()).map(row_sum).fold(0.0, f64::max);
    let mut v: Vec<S> = (0..A.rows()).map(start).collect();
    let mut growth = 1.0;
    for _ in 0..POWER_STEPS {
        let scale = S::from_f64(1.0 / norm(&v));
        let product = |i: usize| inverse[i] * A.row(i).fold(S::zero(), |sum, (j, a)| sum + a * v[j]) * scale;
        let next: Vec<S> = parallel::collect(A.rows(), &product);
        growth = norm(&next);
        if !(growth > 0.0 && growth.is_finite()) {
            break;
        }
        v = next;
    }
    let bound = if growth > 0.0 { gershgorin.min(MARGIN * growth) } else { gershgorin };
    if A.rows() == 0 { 1.0 } else { bound }
}

/// Numbers between -1 and 1 without a pattern, always the same: no eigenvector is missed.
fn start<S: Scalar>(i: usize) -> S {
    let scrambled = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    S::from_f64((scrambled >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
}

fn norm<S: Scalar>(v: &[S]) -> f64 {
    v.iter().map(|value| value.modulus_squared().parts().0).sum::<f64>().sqrt()
}
