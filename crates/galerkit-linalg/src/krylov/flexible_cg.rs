//! Flexible conjugate gradients (Notay 2000, with one direction kept): CG whose beta is that of Polak and Ribiere,
//! (r' - r, z') / (r, z), so that p' is conjugate to p even if M is not the same map in every iteration. As
//! r' - r = -alpha A p, that is -(A p, z') / (p, A p), and no second residual is kept.
//!
//! Keeps 4 vectors; per iteration 1 A, 1 M, 3 dots, 1 norm, 3 updates. Every `stop.replacement`-th iteration the
//! recursive residual is replaced by b - A x.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop, Watch};

/// Solves A x = b for Hermitian positive definite A, starting from x. M approximates the inverse of A; it may change
/// from application to application, but (M r, r) must stay positive.
#[rustfmt::skip]
pub fn flexible_cg<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut z, mut p, mut q] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    e.apply(M, &r, &mut z);                                // z = M r
    e.copy(&z, &mut p);                                    // p = z
    let start = e.dot(&z, &r);
    let rho = e.carry(start);                              // rho = (z, r)
    let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => start.abs().sqrt() };

    e.iterate(stop, norm, |e| {
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
        let (rho_next, qz) = (e.dot(&z, &r), e.dot(&q, &z));
        let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => rho_next.abs().sqrt() };
        e.xpby(&z, -qz / curvature, &mut p);               // p = z - (q, z) / (p, q) p
        rho.set(rho_next);
        norm
    })
}
