//! The increment of a diffusion step: A delta = b by conjugate gradients, from a guess that damped extrapolation of the last three increments
//! gives. A times the guess follows from A times those increments, b - r, without a product; the damping keeps the rounding errors of
//! that bounded.
//!
//! Keeps 3 vectors for CG and 6 for the guess; per iteration 1 A, 1 M, 2 dots, 1 norm, 3 updates.

use galerkit_linalg::engine::{
    Engine, Entry, Number, Operator, Register,
    Test::{Finite, Positive},
};
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::program::Precision;

/// Damping of the extrapolation.
const DAMPING: f64 = 0.98;
/// The same in single precision, which forgets sooner.
const DAMPING_IN_SINGLE: f64 = 0.85;

/// The last increments, newest first, and A times each.
pub struct Increments<E: Engine> {
    delta: [E::Vector; 3],
    product: [E::Vector; 3],
    damping: f64,
}

impl<E: Engine> Increments<E> {
    /// None yet: a guess of zero.
    pub fn new(e: &mut E, n: usize, precision: Precision) -> Self {
        let damping = if precision == Precision::Single { DAMPING_IN_SINGLE } else { DAMPING };
        Self {
            delta: [(); 3].map(|()| e.zeros(n, precision)),
            product: [(); 3].map(|()| e.zeros(n, precision)),
            damping,
        }
    }

    /// x = guess, r = b - A guess.
    #[rustfmt::skip]
    pub fn guess(&self, e: &mut E, b: &E::Vector, x: &mut E::Vector, r: &mut E::Vector) {
        let l = self.damping;
        let weights = [3.0 * l, -3.0 * l * l, l * l * l];                        // (1 - l S)³ delta' = 0, S a shift by one step
        let [d, w] = [&self.delta, &self.product];
        e.pointwise([x, r], [b, &d[0], &d[1], &d[2], &w[0], &w[1], &w[2]], |_, [b, d0, d1, d2, w0, w1, w2]| {
            let [p, q, s] = weights.map(E::Entry::constant);
            [p * d0 + q * d1 + s * d2, b - (p * w0 + q * w1 + s * w2)]
        });
    }

    /// Remembers an increment and its residual: A x = b - r.
    pub fn push(&mut self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &E::Vector) {
        let [d0, d1, d2] = &mut self.delta;
        let [w0, w1, w2] = &mut self.product;
        e.pointwise([d0, d1, d2, w0, w1, w2], [x, b, r], |[d0, d1, _, w0, w1, _], [x, b, r]| {
            [x, d0, d1, b - r, w0, w1]
        });
    }

    /// Forgets all: what follows a jump is not what came before.
    pub fn forget(&mut self, e: &mut E) {
        for x in self.delta.iter_mut().chain(&mut self.product) {
            let zero = e.zeros_like(x);
            e.copy(&zero, x);
        }
    }

    /// The vectors, to be kept and restored.
    pub fn vectors_mut(&mut self) -> impl Iterator<Item = &mut E::Vector> {
        self.delta.iter_mut().chain(&mut self.product)
    }
}

/// Goes on with A x = b from x and its residual r, until the norm of r is below that of b times the tolerance; r stays the residual.
#[rustfmt::skip]
pub fn correct<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, r: &mut E::Vector, stop: &Stop) {
    let [mut z, mut p] = e.vectors_like(r);
    e.apply(M, r, &mut z);                                 // z = M r
    e.copy(&z, &mut p);                                    // p = z
    let start = e.dot(r, &z);
    let rho = e.carry(start);                              // rho = (r, z)
    let norm = e.norm(b);

    let _ = e.iterate(stop, norm, |e| {
        let mut q = e.zeros_like(&p);
        e.require(Finite(rho.get()), Outcome::NonFinite);
        e.require(Positive(rho.get()), Outcome::Breakdown);
        e.apply(A, &p, &mut q);                            // q = A p
        let curvature = e.dot(&p, &q);
        e.require(Positive(curvature), Outcome::NotPositiveDefinite);
        let alpha = rho.get() / curvature;                 // alpha = rho / (p, A p)
        e.axpy(alpha, &p, x);                              // x = x + alpha p
        e.axpy(-alpha, &q, r);                             // r = r - alpha q
        e.apply(M, r, &mut z);                             // z = M r
        let rho_next = e.dot(r, &z);
        let norm = e.norm(r);
        e.xpby(&z, rho_next.over(rho.get()), &mut p);      // p = z + (rho'/rho) p
        rho.set(rho_next);
        norm
    });
}
