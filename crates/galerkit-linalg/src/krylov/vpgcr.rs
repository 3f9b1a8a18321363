//! VPGCR, variable preconditioned GCR (Abe and Zhang 2005; source 001, Ikuno, Deki, Fujita 2010, corrected as in
//! spec 01): GCR whose preconditioner is an inner iteration, run anew every step and, in the hybrid form, in single
//! precision. `M` is that iteration, usually an [`Inner`](super::Inner).
//!
//! Safeguard: as long as ||r - A z|| < ||r|| the residual falls strictly. A z that does not keep this, or is not
//! finite, is discarded for z = r, the direction of plain GCR. ||r - w||^2 = ||r||^2 - 2 Re (w, r) + ||w||^2, so two
//! dot products beside the product w = A z decide.
//!
//! Keeps 2m + 3 vectors; per iteration 1 A (2 at the end of a cycle), 1 inner solve, j + 6 dots, 2j + 4 updates, j < m.

use super::arnoldi;
use crate::engine::{Engine, Number, Operator, Register, Test::Positive};
use crate::program::{Outcome, Run, Stop};

/// Solves A x = b, starting from x; `restart` directions are kept (at least 1). Adds to `failures` each inner solve
/// that was discarded.
#[rustfmt::skip]
pub fn vpgcr<E: Engine>(e: &mut E, (restart, failures): (usize, &E::Reg), A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let m = arnoldi::cycle(restart, stop);
    let (mut P, mut Q) = (arnoldi::vectors(e, m, b), arnoldi::vectors(e, m, b));
    let [mut r, mut z, mut w] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    let start = e.norm(&r);
    let norm = e.carry(start);
    let one = e.number(1.0);
    let mut squares = Vec::with_capacity(m);               // (q_i, q_i)

    e.iterate(stop, start, |e| {
        e.apply(M, &r, &mut z);                            // z is roughly A^-1 r
        e.apply(A, &z, &mut w);                            // w = A z
        let (product, square) = (e.dot(&w, &r), e.dot(&w, &w));
        e.unless(Positive(product + product.conj() - square), |e| {
            e.copy(&r, &mut z);                            // z = r
            e.apply(A, &z, &mut w);
            failures.set(failures.get() + one);
        });
        e.cyclic(m, |e, j| {
            squares.truncate(j);
            let ((P, p), (Q, q)) = (arnoldi::kept(&mut P, j), arnoldi::kept(&mut Q, j));
            let before = e.dot(&w, &w);
            let products = arnoldi::dots(e, Q, &w);
            e.copy(&z, p);
            e.copy(&w, q);
            let beta: Vec<E::Num> = products.iter().zip(&squares).map(|(&product, &square)| product / square).collect();
            arnoldi::subtract(e, &beta, P, p);             // p = z - sum beta_i p_i, beta_i = (q_i, w) / (q_i, q_i)
            arnoldi::subtract(e, &beta, Q, q);             // q = w - sum beta_i q_i
            let (square, product) = (e.dot(q, q), e.dot(q, &r));
            let lost = arnoldi::exhausted(e, before.sqrt());
            e.require(Positive(square.sqrt() - lost), Outcome::Breakdown); // else q is made of rounding errors
            let alpha = product / square;                  // alpha = (q, r) / (q, q)
            e.axpy(alpha, p, x);                           // x = x + alpha p
            if j + 1 < m { e.axpy(-alpha, q, &mut r); }    // r = r - alpha q
            else { e.residual(A, b, x, &mut r); }          // r = b - A x at the end of a cycle
            squares.push(square);
            norm.set(e.norm(&r));
        });
        norm.get()
    })
}
