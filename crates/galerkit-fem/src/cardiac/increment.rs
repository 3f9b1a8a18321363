//! The increment of a diffusion step: A x = b by conjugate gradients, from a guess that damped extrapolation of the
//! last three increments gives. A times the guess follows from A times those increments, b - r, without a product; the
//! damping keeps the rounding errors of that bounded. A has a unit diagonal, so no preconditioner is applied.
//!
//! Conjugate gradients in the form of Chronopoulos and Gear (1989), whose two sums belong to one product and one
//! update: on a GPU an iteration waits twice for all threads instead of three times. Keeps 3 vectors, and 6 for the
//! guess.

use galerkit_linalg::engine::{
    Engine, Entry, Number, Operator, Register,
    Test::{Finite, Positive},
};
use galerkit_linalg::krylov::{Outcome, Stop, inner_stop};
use galerkit_linalg::program::Precision;

/// Damping of the extrapolation.
const DAMPING: f64 = 0.98;
/// The same in single precision, which forgets sooner.
const DAMPING_IN_SINGLE: f64 = 0.85;

/// The increment that is solved for, which begins as a guess, with A times the guess; the last two increments and A
/// times each.
pub struct Increments<E: Engine> {
    /// The guess, and what becomes of it.
    pub x: E::Vector,
    /// b - A x.
    pub residual: E::Vector,
    last: [E::Vector; 2],
    product: E::Vector,
    last_products: [E::Vector; 2],
    directions: [E::Vector; 2],
    damping: f64,
}

/// When an increment is good enough.
pub struct Tolerance {
    /// Of the residual, relative to b.
    pub rtol: f64,
    /// A b much smaller than this is rest, and the tolerance is relative to this instead.
    pub rest: f64,
    /// Most iterations.
    pub limit: usize,
}

impl<E: Engine> Increments<E> {
    /// None yet: a guess of zero.
    pub fn new(e: &mut E, n: usize, precision: Precision) -> Self {
        let damping = if precision == Precision::Single { DAMPING_IN_SINGLE } else { DAMPING };
        let [x, residual, product] = [(); 3].map(|()| e.zeros(n, precision));
        let [last, last_products, directions] = [(); 3].map(|()| [(); 2].map(|()| e.zeros(n, precision)));
        Self { x, residual, last, product, last_products, directions, damping }
    }

    /// x = the guess, r = b - A x; then x and r are improved until the tolerance is met.
    pub fn solve(&mut self, e: &mut E, A: &dyn Operator<E>, b: &E::Vector, tolerance: &Tolerance) {
        e.pointwise([&mut self.residual], [b, &self.product], |_, [b, product]| [b - product]);
        self.correct(e, A, b, tolerance);
    }

    /// Remembers the increment, A x = b - r, and guesses the next.
    #[rustfmt::skip]
    pub fn push(&mut self, e: &mut E, b: &E::Vector) {
        let l = self.damping;
        let weights = [3.0 * l, -3.0 * l * l, l * l * l];                        // (1 - l S)³ x' = 0, S a shift by one step
        let ([d0, d1], [w0, w1]) = (&mut self.last, &mut self.last_products);
        e.pointwise([&mut self.x, d0, d1, &mut self.product, w0, w1], [b, &self.residual], |[x, d0, d1, _, w0, w1], [b, r]| {
            let (w, [p, q, s]) = (b - r, weights.map(E::Entry::constant));
            [p * x + q * d0 + s * d1, x, d0, p * w + q * w0 + s * w1, w, w0]
        });
    }

    /// Forgets all: what follows a jump is not what came before.
    pub fn forget(&mut self, e: &mut E) {
        for x in self.vectors_mut() {
            let zero = e.zeros_like(x);
            e.copy(&zero, x);
        }
    }

    /// The vectors that a next solve depends on, to be kept and restored.
    pub fn vectors_mut(&mut self) -> impl Iterator<Item = &mut E::Vector> {
        let (last, last_products) = (self.last.iter_mut(), self.last_products.iter_mut());
        [&mut self.x, &mut self.product].into_iter().chain(last).chain(last_products)
    }

    /// Goes on from x and its residual r, until the norm of r is below that of b times the tolerance; r stays the
    /// residual.
    #[rustfmt::skip]
    fn correct(&mut self, e: &mut E, A: &dyn Operator<E>, b: &E::Vector, tolerance: &Tolerance) {
        let (x, r, [p, s]) = (&mut self.x, &mut self.residual, &mut self.directions);
        // Norms are relative to that of b already, so that a guess may be good enough.
        let stop = Stop { atol: tolerance.rtol, ..inner_stop(0.0, tolerance.limit) };
        let (start, none, rest) = (e.dot(r, r), e.number(0.0), e.number(tolerance.rest * tolerance.rest));
        let size = (e.dot(b, b) + rest).sqrt();
        let [rho, rho_last, alpha_last] = [start, none, none].map(|value| e.carry(value));

        let _ = e.iterate(&stop, start.sqrt() / size, |e| {
            let mut w = e.zeros_like(r);
            e.apply(A, r, &mut w);                         // w = A r
            let product = e.dot(r, &w);
            let beta = rho.get().over(rho_last.get());     // beta = (r, r) / (r', r'), 0 at first
            let curvature = product - beta * rho.get().over(alpha_last.get());
            e.require(Finite(rho.get()), Outcome::NonFinite);
            e.require(Positive(curvature), Outcome::NotPositiveDefinite);
            let alpha = rho.get() / curvature;             // alpha = (r, r) / (p, A p)
            e.pointwise([p, s, x, r], [&w], |[p, s, x, r], [w]| {
                let [alpha, beta] = [alpha, beta].map(E::Entry::scalar);
                let (p, s) = (r + beta * p, w + beta * s); // p = r + beta p,  s = A p
                [p, s, x + alpha * p, r - alpha * s]       // x = x + alpha p, r = r - alpha s
            });
            let rho_next = e.dot(r, r);
            rho_last.set(rho.get());
            alpha_last.set(alpha);
            rho.set(rho_next);
            rho_next.sqrt() / size
        });
    }
}
