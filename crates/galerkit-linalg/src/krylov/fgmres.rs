//! FGMRES(m), flexible GMRES (Saad 1993): GMRES that keeps z_j = M v_j, so that the preconditioner may be another one
//! in every step, for example an inner iteration. With the same M throughout it makes the steps of GMRES(m).
//!
//! Keeps 2m + 1 vectors; per iteration 1 A, 1 M, j + 3 dots, j + 2 updates with j < m, and j + 2 dots, j + 1 updates
//! more where Gram-Schmidt is applied twice; per cycle 1 A, m updates more; per solve 1 M more, unless M is a solve
//! itself.

use super::arnoldi::{self, LeastSquares};
use super::{Run, Stop};
use crate::engine::{Engine, Operator, Register};
use crate::scalar::Scalar;

/// Solves A x = b, starting from x; M approximates the inverse of A, `restart` basis vectors are kept (at least 1).
#[rustfmt::skip]
pub fn fgmres<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let m = arnoldi::cycle(restart, stop);
    let (mut V, mut Z) = (arnoldi::vectors(e, m + 1, b), arnoldi::vectors(e, m, b));
    let start = arnoldi::begin(e, A, b, x, &mut V[0]);     // r = b - A x
    arnoldi::normalise(e, start, &mut V[0]);               // v_0 = r / ||r||
    let norm = e.carry(start);
    let none = e.number(0.0);
    let taken = e.carry(none);                             // columns of H in this cycle
    let mut H = LeastSquares::new(m, E::Scalar::eps());
    let early = !M.is_solve();                             // then M v is taken in the pass that makes v
    if early { e.apply(M, &V[0], &mut Z[0]); }

    let run = e.iterate(stop, start, |e| {
        e.cyclic(m, |e, j| {
            if !early { e.apply(M, &V[j], &mut Z[j]); }    // z_j = M v_j
            e.apply(A, &Z[j], &mut V[j + 1]);              // w = A z_j
            let (basis, w) = arnoldi::kept(&mut V, j + 1);
            let column = arnoldi::expand(e, basis, w, |_, _| ());
            arnoldi::normalise(e, column.length, w);       // v_{j+1}
            if early && j + 1 < m { e.apply(M, &V[j + 1], &mut Z[j + 1]); }
            norm.set(H.extend(e, j, column, norm.get()));  // column j of H, ||r||
            taken.set(e.number(((j + 1) % m) as f64));
            if j + 1 == m {
                correct(e, &H.solve(m), &Z, x);
                norm.set(arnoldi::begin(e, A, b, x, &mut V[0]));
                arnoldi::normalise(e, norm.get(), &mut V[0]);
                if early { e.apply(M, &V[0], &mut Z[0]); }
            }
        });
        norm.get()
    });
    let y = H.finish(e, &run, &taken);
    correct(e, &y, &Z, x);
    run
}

/// x = x + sum y_i z_i
fn correct<E: Engine>(e: &mut E, y: &[E::Num], Z: &[E::Vector], x: &mut E::Vector) {
    for (&y, z) in y.iter().zip(Z) {
        e.axpy(y, z, x);
    }
}
