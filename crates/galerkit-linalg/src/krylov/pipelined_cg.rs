//! Pipelined conjugate gradients (Ghysels and Vanroose 2014, algorithm 4): auxiliary recurrences for u = M r, w = A u,
//! s = A p, q = M s, z = A q let all dot products stand together, independent of the product that follows them, at the
//! price of five more vectors and of rounding errors that grow faster. Every `stop.replacement`-th iteration all of
//! them are computed anew from x and p (residual replacement: Cools, Yetkin, Agullo, Giraud, Vanroose 2018). Where r
//! jumps there, the paper's beta = gamma'/gamma and (p', A p') = (w, u) - beta gamma'/alpha no longer fit the vectors;
//! so both are taken from (s, u) and (p, s), which the same pass can form (as in the flexible variant of Sanan, Schnepp
//! and May 2016). (p, A p) being a recurrence, its loss of sign may be rounding's doing: a breakdown. Only (A u, u)
//! speaks against A.
//!
//! Keeps 9 vectors; per iteration 1 A, 1 M, 4 dots, 1 norm, 8 updates; one reduction.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop, Watch};

/// Solves A x = b for Hermitian positive definite A and M (M approximates the inverse of A), starting from x.
#[rustfmt::skip]
pub fn pipelined_cg<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut u, mut w, mut m, mut n] = e.vectors_like(b);
    let [mut p, mut s, mut q, mut z] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    e.apply(M, &r, &mut u);                                // u = M r
    e.apply(A, &u, &mut w);                                // w = A u
    let (start, wu, zero) = (e.dot(&r, &u), e.dot(&w, &u), e.number(0.0));
    let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => start.abs().sqrt() };
    let gamma = e.carry(start);                            // gamma = (r, u)
    let delta = e.carry(wu);                               // delta = (w, u)
    let curvature = e.carry(wu);                           // (p, A p), p being u at first
    let beta = e.carry(zero);

    e.iterate(stop, norm, |e| {
        e.require(Finite(gamma.get()), Outcome::NonFinite);
        e.require(Positive(gamma.get()), Outcome::PreconditionerNotPositiveDefinite);
        e.require(Finite(delta.get()), Outcome::NonFinite);
        e.require(Positive(delta.get()), Outcome::NotPositiveDefinite);
        e.require(Positive(curvature.get()), Outcome::Breakdown);
        e.apply(M, &w, &mut m);                            // m = M w
        e.apply(A, &m, &mut n);                            // n = A m
        let alpha = gamma.get() / curvature.get();         // alpha = gamma / (p, A p)
        e.xpby(&n, beta.get(), &mut z);                    // z = n + beta z
        e.xpby(&m, beta.get(), &mut q);                    // q = m + beta q
        e.xpby(&w, beta.get(), &mut s);                    // s = w + beta s
        e.xpby(&u, beta.get(), &mut p);                    // p = u + beta p
        e.axpy(alpha, &p, x);                              // x = x + alpha p
        e.axpy(-alpha, &s, &mut r);                        // r = r - alpha s
        e.axpy(-alpha, &q, &mut u);                        // u = u - alpha q
        e.axpy(-alpha, &z, &mut w);                        // w = w - alpha z
        e.every(stop.replacement, |e| {                          // now and then:
            e.residual(A, b, x, &mut r);                   // r = b - A x
            e.apply(M, &r, &mut u);                        // u = M r
            e.apply(A, &u, &mut w);                        // w = A u
            e.apply(A, &p, &mut s);                        // s = A p
            e.apply(M, &s, &mut q);                        // q = M s
            e.apply(A, &q, &mut z);                        // z = A q
        });
        let (gamma_next, wu, su, ps) = (e.dot(&r, &u), e.dot(&w, &u), e.dot(&s, &u), e.dot(&p, &s));
        let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => gamma_next.abs().sqrt() };
        beta.set(-su.over(ps));                            // beta = -(s, u) / (p, s)
        curvature.set(wu - su.conj() * su.over(ps));       // (p', A p') = (w, u) - |(s, u)|^2 / (p, s)
        delta.set(wu);
        gamma.set(gamma_next);
        norm
    })
}
