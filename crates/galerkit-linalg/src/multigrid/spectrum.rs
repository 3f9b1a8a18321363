//! An upper bound of the eigenvalues of L^-1 A, from a few steps of Lanczos' method, which are those of preconditioned
//! CG (Golub, Van Loan, Matrix computations, 4th ed., section 11.3.5): with the alpha and beta of CG,
//!
//! ```text
//! T = tridiag(sqrt(beta_{k-1})/alpha_{k-1}, 1/alpha_k + beta_{k-1}/alpha_{k-1}, sqrt(beta_k)/alpha_k)
//! ```
//!
//! The largest eigenvalue of T is below that of L^-1 A; the norm of its residual is added, which in practice lifts it
//! above (Zhou, Li, Bounding the spectrum of large Hermitian matrices, Linear Algebra Appl. 435, 2011), and a twentieth
//! on top.

use super::chain::Chain;
use crate::backend::Cpu;
use crate::engine::{Engine, Immediate, Operator};
use crate::map::LinearMap;
use crate::program::Precision;
use crate::random::Random;
use crate::scalar::Scalar;

/// What the bound is multiplied with.
const SAFETY: f64 = 1.05;
/// Bisections of an interval of eigenvalues: its length shrinks below rounding.
const HALVINGS: usize = 60;

/// An upper bound of the eigenvalues of L^-1 A, where `inverse` is L^-1, for Hermitian positive definite A and L with
/// so many rows.
pub fn largest_eigenvalue<E: Engine>(
    e: &mut E,
    A: &dyn Operator<E>,
    inverse: &dyn Operator<E>,
    rows: usize,
    steps: usize,
) -> f64 {
    let T = lanczos(e, A, inverse, rows, steps);
    if T.diagonal.is_empty() { 1.0 } else { T.bound() * SAFETY }
}

/// The same on the threads of the CPU, where L^-1 is a product of maps, the one that is applied first in front.
/// Compiled here, not by every crate that asks.
///
/// # Panics
/// If there is no map of L^-1.
pub fn bound_on_cpu(A: Box<dyn LinearMap<f64>>, inverse: Vec<Box<dyn LinearMap<f64>>>, steps: usize) -> f64 {
    let (rows, mut e) = (A.shape().0, Immediate::new(Cpu));
    let (A, inverse) = (e.load(A), Chain::load(&mut e, inverse, Precision::Full));
    largest_eigenvalue(&mut e, &A, &inverse, rows, steps)
}

/// A symmetric tridiagonal matrix; the last entry beside the diagonal leads out of it.
struct Tridiagonal {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
}

#[rustfmt::skip]
fn lanczos<E: Engine>(e: &mut E, A: &dyn Operator<E>, inverse: &dyn Operator<E>, rows: usize, steps: usize) -> Tridiagonal {
    let mut random = Random::new(1);
    let start: Vec<E::Scalar> = (0..rows).map(|_| E::Scalar::from_f64(random.unit() - 0.5)).collect();
    let mut r = e.upload_in(&start, Precision::Full);
    let [mut z, mut p, mut q] = e.vectors_like(&r);
    let mut T = Tridiagonal { diagonal: Vec::new(), beside: Vec::new() };
    e.apply(inverse, &r, &mut z);                          // z = L^-1 r
    e.copy(&z, &mut p);                                    // p = z
    let mut rho = inner(e, &r, &z);                        // rho = (r, z)
    let (first, mut shift) = (rho, 0.0);
    while T.diagonal.len() < steps && rho > f64::EPSILON * first {
        e.apply(A, &p, &mut q);                            // q = A p
        let alpha = rho / inner(e, &p, &q);                // alpha = rho / (p, A p)
        let step = e.number(-alpha);
        e.axpy(step, &q, &mut r);                          // r = r - alpha q
        e.apply(inverse, &r, &mut z);                      // z = L^-1 r
        let rho_next = inner(e, &r, &z);
        let beta = rho_next / rho;                         // beta = rho' / rho
        let factor = e.number(beta);
        e.xpby(&z, factor, &mut p);                        // p = z + beta p
        T.diagonal.push(1.0 / alpha + shift);
        T.beside.push(beta.max(0.0).sqrt() / alpha);
        (shift, rho) = (beta / alpha, rho_next);
    }
    T
}

fn inner<E: Engine>(e: &mut E, x: &E::Vector, y: &E::Vector) -> f64 {
    let dot = e.dot(x, y);
    e.value(dot)
}

impl Tridiagonal {
    /// Its largest eigenvalue and the norm of the residual that this has.
    fn bound(&self) -> f64 {
        let theta = self.largest();
        // v, but for its length: (T - theta) v = 0 row by row
        let (mut before, mut last, mut squares) = (0.0, 1.0, 1.0);
        for k in 0..self.diagonal.len() - 1 {
            let back = if k == 0 { 0.0 } else { self.beside[k - 1] * before };
            (before, last) = (last, ((theta - self.diagonal[k]) * last - back) / self.beside[k]);
            squares += last * last;
        }
        let outside = self.beside.last().copied().unwrap_or(0.0);
        theta + (outside * last).abs() / f64::sqrt(squares)
    }

    /// By bisection.
    fn largest(&self) -> f64 {
        let beside = |k: usize| if k == 0 { 0.0 } else { self.beside[k - 1] };
        let n = self.diagonal.len();
        let radius = |k: usize| beside(k) + if k + 1 < n { beside(k + 1) } else { 0.0 };
        let (mut low, mut high) = (0..n).fold((0.0f64, 0.0f64), |(low, high), k| {
            (low.max(self.diagonal[k]), high.max(self.diagonal[k] + radius(k)))
        });
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.has_above(middle) { low = middle } else { high = middle }
        }
        high
    }

    /// Whether an eigenvalue is above x: x - T is not positive definite.
    fn has_above(&self, x: f64) -> bool {
        let mut pivot = f64::INFINITY;
        for (k, d) in self.diagonal.iter().enumerate() {
            let beside = if k == 0 { 0.0 } else { self.beside[k - 1] };
            pivot = x - d - beside * beside / pivot;
            if pivot <= 0.0 {
                return true;
            }
        }
        false
    }
}
