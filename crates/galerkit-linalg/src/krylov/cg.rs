//! Preconditioned conjugate gradients, after Shewchuk 1994 (p. 51) with the start value and the previous value of
//! (r, z) kept apart, which the listing of source 000 confuses.
//!
//! Keeps 4 vectors; per iteration 1 A, 1 M, 2 dots, 1 norm, 3 updates. Every `stop.replacement`-th iteration the
//! recursive residual is replaced by b - A x.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop, Watch};

/// Solves A x = b for Hermitian positive definite A and M (M approximates the inverse of A), starting from x.
#[rustfmt::skip]
pub fn cg<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut z, mut p] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    e.apply(M, &r, &mut z);                                // z = M r
    e.copy(&z, &mut p);                                    // p = z
    let start = e.dot(&r, &z);
    let rho = e.carry(start);                              // rho = (r, z)
    let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => start.abs().sqrt() };

    e.iterate(stop, norm, |e| {
        let mut q = e.zeros_like(&p);
        e.require(Finite(rho.get()), Outcome::NonFinite);
        e.require(Positive(rho.get()), Outcome::PreconditionerNotPositiveDefinite);
        e.apply(A, &p, &mut q);                            // q = A p
        let curvature = e.dot(&p, &q);
        e.require(Finite(curvature), Outcome::NonFinite);
        e.require(Positive(curvature), Outcome::NotPositiveDefinite);
        let alpha = rho.get() / curvature;                 // alpha = rho / (p, A p)
        e.axpy(alpha, &p, x);                              // x = x + alpha p
        e.axpy(-alpha, &q, &mut r);                        // r = r - alpha q
        e.every(stop.replacement, |e| e.residual(A, b, x, &mut r)); // r = b - A x, now and then
        e.apply(M, &r, &mut z);                            // z = M r
        let rho_next = e.dot(&r, &z);
        let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => rho_next.abs().sqrt() };
        e.xpby(&z, rho_next / rho.get(), &mut p);          // p = z + (rho'/rho) p
        rho.set(rho_next);
        norm
    })
}
