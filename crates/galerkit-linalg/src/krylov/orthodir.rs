//! ORTHODIR(m), orthogonal directions (Young and Jea 1980; Magoulès, Cheik Ahamed, Putanowicz 2014, with the listing
//! corrected as in spec 04, section 5), preconditioned from the right: the directions are M r, M A M r, ... made such
//! that their images z_i = A v_i are orthonormal. Unlike GCR it does not break down before the solution for any regular
//! A.
//!
//! Gram-Schmidt is applied in its classical form, twice where the first leaves little, instead of once in the modified
//! one: more orthogonal (Giraud, Langou, Rozložník 2005), and the dot products of one round share a pass over z, where
//! the modified form needs j passes and j sums one after the other. But z - A v grows as fast as ||r|| falls, and does
//! not stop where r does; so a residual that a cycle cannot reduce further, as far as rounding goes, makes its
//! remaining steps idle (keep = 0). After m directions r is replaced by b - A x, in place of `stop.replacement`, and
//! all directions are dropped.
//!
//! Keeps 2m + 1 vectors; per iteration 1 A (2 at the end of a cycle), 1 M, j + 4 dots, 2j + 4 updates with j < m, and
//! j + 2 dots, j updates more where Gram-Schmidt is applied twice; per solve 1 M more.

use super::arnoldi;
use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop};

/// Solves A x = b, starting from x; M approximates the inverse of A, `restart` directions are kept (at least 1).
#[rustfmt::skip]
pub fn orthodir<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let m = arnoldi::cycle(restart, stop);
    let (mut V, mut Z) = (arnoldi::vectors(e, m, b), arnoldi::vectors(e, m, b));
    let mut r = e.zeros_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    let start = e.norm(&r);
    let norm = e.carry(start);
    let one = e.number(1.0);
    let mut begun = start;                                 // ||r|| at the beginning of the cycle
    e.apply(M, &r, &mut V[0]);                             // v = M r

    e.iterate(stop, start, |e| {
        e.cyclic(m, |e, j| {
            if j == 0 { begun = norm.get(); }
            let ((V_j, v), (Z_j, z)) = (arnoldi::kept(&mut V, j), arnoldi::kept(&mut Z, j));
            e.apply(A, v, z);                              // z = A v
            let before = e.dot(z, z);
            // z = z - sum beta_i z_i, beta_i = (z_i, z)
            let (beta, square, product) = arnoldi::orthogonalise_with(e, Z_j, z, before, &r);
            e.require(Finite(before), Outcome::NonFinite);
            let length = square.sqrt();
            let lost = arnoldi::exhausted(e, before.sqrt());
            let rest = norm.get().over(begun) - arnoldi::exhausted(e, one);
            let keep = (rest + rest.abs()).over(rest.abs() + rest.abs()); // 1 if rest > 0, else 0
            e.require(Positive(length - keep * lost + (one - keep)), Outcome::Breakdown); // else the space is exhausted
            let inverse = one.over(length);
            arnoldi::subtract(e, &beta, V_j, v);           // v = v - sum beta_i v_i
            e.scale(keep * inverse, v);                    // v = v / ||z||
            e.scale(inverse, z);                           // z = z / ||z||
            let alpha = keep * product * inverse;          // alpha = (z, r)
            e.axpy(alpha, v, x);                           // x = x + alpha v
            if j + 1 < m { e.axpy(-alpha, z, &mut r); }    // r = r - alpha z
            else { e.residual(A, b, x, &mut r); }          // r = b - A x at the end of a cycle
            let last = if j + 1 < m { &Z[j] } else { &r };
            e.apply(M, last, &mut V[(j + 1) % m]);         // v = M z, or M r: the next Krylov vector, in this pass where M allows
            norm.set(e.norm(&r));
        });
        norm.get()
    })
}
