//! Chebyshev's polynomial in L^-1 A as a preconditioner (Saad, Iterative methods, 2nd ed., algorithm 12.1): of all
//! polynomials of its degree, the one whose residual is least on the interval [a, b] of eigenvalues. With
//! theta = (b + a)/2, delta = (b - a)/2, sigma = theta/delta, rho_0 = 1/sigma, rho_k = 1/(2 sigma - rho_{k-1}):
//!
//! ```text
//! z_0     = L^-1 x / theta
//! z_{k+1} = z_k + rho_{k+1} rho_k (z_k - z_{k-1}) + (2 rho_{k+1}/delta) L^-1 (x - A z_k)         z_{-1} = 0
//! ```
//!
//! L is diagonal: the scaled l1 norms of rows, by which no eigenvalue is above 1 (`l1_weights.rs`). An estimate that
//! ends below the largest eigenvalue would make the polynomial negative there, and CG break down; this bound cannot. So
//! the interval, and with it the program, is the same for all values of A.
//!
//! No reductions and no triangular solves: products with A only, as many as the degree. For Hermitian positive definite
//! A and b above the largest eigenvalue of L^-1 A the operator is Hermitian positive definite.

use super::diagonal;
use super::l1_weights::l1_weights;
use crate::engine::{Engine, Operator, Resident};
use crate::error::Result;
use crate::map::{Diagonal, in_precision};
use crate::multigrid::recurrence::{HIGHEST_DEGREE, Interval, Recurrence, invalid_degree};
use crate::program::Precision;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The interval of eigenvalues where only the upper bound is known.
const USUAL: (f64, f64) = (1.0 / 30.0, 1.0);

/// The polynomial in host memory.
#[derive(Clone, Debug)]
pub struct Chebyshev<S> {
    interval: Interval,
    inverse: Vec<S>,
}

pub(super) fn check_degree(degree: usize) -> Result<()> {
    if (1..=HIGHEST_DEGREE).contains(&degree) { Ok(()) } else { Err(invalid_degree(&degree.to_string())) }
}

impl<S: Scalar> Chebyshev<S> {
    /// For A, with L of the scaled l1 norms of its rows: no eigenvalue of L^-1 A is above 1. The lower bound is a
    /// thirtieth. Refuses zero diagonal entries.
    pub fn from_csr(A: &Csr<S>, degree: usize) -> Result<Self> {
        check_degree(degree)?;
        let ((lower, upper), diagonal) = (USUAL, diagonal::invertible(A, "Chebyshev")?);
        Ok(Self { interval: Interval::new(degree, lower, upper)?, inverse: l1_weights(A, &diagonal) })
    }

    /// For A whose D^-1 A has its eigenvalues between two bounds; the diagonal D takes the place of L.
    pub fn with_bounds(A: &Csr<S>, degree: usize, lower: f64, upper: f64) -> Result<Self> {
        Self::of_diagonal(diagonal::invertible(A, "Chebyshev")?, degree, lower, upper)
    }

    /// The same for an operator whose diagonal D is known.
    pub fn of_diagonal(diagonal: Vec<S>, degree: usize, lower: f64, upper: f64) -> Result<Self> {
        check_degree(degree)?;
        let interval = Interval::new(degree, lower, upper)?;
        diagonal::require_invertible(&diagonal, "Chebyshev")?;
        let inverse = diagonal.into_iter().map(|d| S::one() / d).collect();
        Ok(Self { interval, inverse })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.inverse.len()
    }
    /// Degree of the polynomial: products with A.
    pub fn degree(&self) -> usize {
        self.interval.degree()
    }
    /// The interval of eigenvalues.
    pub fn bounds(&self) -> (f64, f64) {
        self.interval.bounds()
    }
    /// The diagonal of L^-1.
    pub fn inverse(&self) -> &[S] {
        &self.inverse
    }

    /// The same polynomial, its diagonal rounded to single precision.
    pub fn rounded(&self) -> Chebyshev<S::Single> {
        let inverse = self.inverse.iter().map(|value| value.to_single()).collect();
        Chebyshev { interval: self.interval, inverse }
    }

    /// Brings the polynomial into an engine that has A, for vectors in this precision.
    pub fn load<'a, E: Engine<Scalar = S>>(
        self,
        e: &mut E,
        A: &'a dyn Operator<E>,
        precision: Precision,
    ) -> LoadedChebyshev<'a, E> {
        LoadedChebyshev { A, polynomial: self.load_alone(e, precision) }
    }

    /// The same without A, which is to be given with each application.
    pub fn load_alone<E: Engine<Scalar = S>>(self, e: &mut E, precision: Precision) -> Polynomial<E> {
        let (interval, rows) = (self.interval, self.rows());
        let inverse = e.load(in_precision(Diagonal::new(self.inverse), precision));
        Polynomial { inverse, recurrence: Recurrence::new(e, interval, rows, precision) }
    }
}

/// The polynomial in an engine, with the operator that it is one of.
pub struct LoadedChebyshev<'a, E: Engine> {
    A: &'a dyn Operator<E>,
    polynomial: Polynomial<E>,
}

impl<E: Engine> Operator<E> for LoadedChebyshev<'_, E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        self.polynomial.apply(e, self.A, x, y);
    }
}

/// The polynomial in an engine, of whichever operator.
pub struct Polynomial<E: Engine> {
    inverse: Resident<E>,
    recurrence: Recurrence<E>,
}

impl<E: Engine> Polynomial<E> {
    /// The diagonal map L^-1, whose values may be replaced.
    pub fn inverse_mut(&mut self) -> &mut Resident<E> {
        &mut self.inverse
    }

    /// y = p(L^-1 A) L^-1 x
    pub fn apply(&self, e: &mut E, A: &dyn Operator<E>, x: &E::Vector, y: &mut E::Vector) {
        self.recurrence.apply(e, A, &self.inverse, x, y);
    }
}
