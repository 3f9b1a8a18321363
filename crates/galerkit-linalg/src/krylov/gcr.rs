//! GCR(m), generalised conjugate residuals (Eisenstat, Elman, Schultz 1983; spec 01, section 1), with a preconditioner
//! from the right that may change: every step takes z = M r as its new direction and minimises ||b - A x|| over the
//! directions kept, whose images q = A p are orthogonal. Stops moving where (q, r) = 0, and breaks down after that.
//!
//! The coefficients are those of the unmodified A z (classical Gram-Schmidt): all dot products of a step share the pass
//! of the product. After m directions r is replaced by b - A x, in place of `stop.replacement`, and all directions are
//! dropped.
//!
//! Keeps 2m + 1 vectors; per iteration 1 A (2 at the end of a cycle), 1 M, j + 4 dots, 2j + 2 updates with j < m; per
//! solve 1 M more, unless M is a solve itself.

use super::arnoldi;
use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop};

/// Solves A x = b, starting from x; M approximates the inverse of A, `restart` directions are kept (at least 1).
#[rustfmt::skip]
pub fn gcr<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let m = arnoldi::cycle(restart, stop);
    let (mut P, mut Q) = (arnoldi::vectors(e, m, b), arnoldi::vectors(e, m, b));
    let mut r = e.zeros_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    let start = e.norm(&r);
    let norm = e.carry(start);
    let early = !M.is_solve();                             // then M r is taken in the pass that makes r
    if early { e.apply(M, &r, &mut P[0]); }
    let mut lengths = Vec::with_capacity(m);               // ||q_i||; its square, squared again in a complex quotient, underflows

    e.iterate(stop, start, |e| {
        e.cyclic(m, |e, j| {
            lengths.truncate(j);
            let ((P_j, p), (Q_j, q)) = (arnoldi::kept(&mut P, j), arnoldi::kept(&mut Q, j));
            if !early { e.apply(M, &r, p); }               // p = z = M r
            e.apply(A, p, q);                              // q = w = A z
            let before = e.dot(q, q);
            let products = arnoldi::dots(e, Q_j, q);
            let beta: Vec<E::Num> = products.iter().zip(&lengths).map(|(&product, &length)| product / length / length).collect();
            arnoldi::subtract(e, &beta, P_j, p);           // p = z - sum beta_i p_i, beta_i = (q_i, w) / (q_i, q_i)
            arnoldi::subtract(e, &beta, Q_j, q);           // q = w - sum beta_i q_i
            let (square, product) = (e.dot(q, q), e.dot(q, &r));
            e.require(Finite(before), Outcome::NonFinite);
            let length = square.sqrt();
            let lost = arnoldi::exhausted(e, before.sqrt());
            e.require(Positive(length - lost), Outcome::Breakdown); // else q is made of rounding errors
            let alpha = product / length / length;         // alpha = (q, r) / (q, q)
            e.axpy(alpha, p, x);                           // x = x + alpha p
            if j + 1 < m { e.axpy(-alpha, q, &mut r); }    // r = r - alpha q
            else { e.residual(A, b, x, &mut r); }          // r = b - A x at the end of a cycle
            lengths.push(length);
            if early { e.apply(M, &r, &mut P[(j + 1) % m]); }
            norm.set(e.norm(&r));
        });
        norm.get()
    })
}
