//! BiCGSTAB (van der Vorst 1992), preconditioned from the right, so that r is the residual of A x = b itself; the
//! shadow residual is the first one. For any A; whatever `stop.watch` says, the Euclidean norm of r is watched.
//!
//! Keeps 6 vectors; per iteration 2 A, 2 M, 4 dots, 1 norm, 6 updates. A half step that hits the solution leaves r = 0
//! and t = 0: omega is then 0, not 0 / 0, and the monitor sees the zero norm. An omega of zero with r not zero, like a
//! zero (r~, r) or (r~, v), is a breakdown. Every `stop.replacement`-th iteration r is replaced by b - A x.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Nonzero},
};
use crate::program::{Outcome, Run, Stop};

/// Solves A x = b for any A by stabilised biconjugate gradients; M approximates the inverse of A. Starts from x.
#[rustfmt::skip]
pub fn bicgstab<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut shadow, mut p, mut v, mut y, mut t] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    e.copy(&r, &mut shadow);                               // r~ = r
    e.copy(&r, &mut p);                                    // p = r
    let (start, one) = (e.dot(&shadow, &r), e.number(1.0));
    let rho = e.carry(start);                              // rho = (r~, r)
    let omega = e.carry(one);

    e.iterate(stop, start.sqrt(), |e| {
        e.require(Finite(rho.get()), Outcome::NonFinite);
        e.require(Nonzero(rho.get()), Outcome::Breakdown);
        e.require(Nonzero(omega.get()), Outcome::Breakdown);
        e.apply(M, &p, &mut y);                            // y = M p
        e.apply(A, &y, &mut v);                            // v = A y
        let sigma = e.dot(&shadow, &v);
        e.require(Finite(sigma), Outcome::NonFinite);
        e.require(Nonzero(sigma), Outcome::Breakdown);
        let alpha = rho.get() / sigma;                     // alpha = rho / (r~, v)
        e.axpy(alpha, &y, x);                              // x = x + alpha y
        e.axpy(-alpha, &v, &mut r);                        // s = r - alpha v, in the place of r
        e.apply(M, &r, &mut y);                            // z = M s, in the place of y
        e.apply(A, &y, &mut t);                            // t = A z
        let (ts, tt) = (e.dot(&t, &r), e.dot(&t, &t));
        let omega_next = ts.over(tt);                      // omega = (t, s) / (t, t)
        e.axpy(omega_next, &y, x);                         // x = x + omega z
        e.axpy(-omega_next, &t, &mut r);                   // r = s - omega t
        e.every(stop.replacement, |e| e.residual(A, b, x, &mut r)); // r = b - A x, now and then
        let (rho_next, norm) = (e.dot(&shadow, &r), e.norm(&r));
        let beta = (rho_next / rho.get()) * alpha.over(omega_next);
        e.axpy(-omega_next, &v, &mut p);
        e.xpby(&r, beta, &mut p);                          // p = r + (rho'/rho)(alpha/omega)(p - omega v)
        rho.set(rho_next);
        omega.set(omega_next);
        norm
    })
}
