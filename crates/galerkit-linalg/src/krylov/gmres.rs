//! GMRES(m), generalised minimal residuals (Saad and Schultz 1986), preconditioned from the right, so that the norm it
//! minimises over x + M span(v_0, A M v_0, ...) is that of b - A x itself. For any regular A; M must not change.
//!
//! Arnoldi's process by classical Gram-Schmidt, twice where the first leaves little; the residual norm comes from the
//! least-squares problem (`arnoldi.rs`), x only at the end of a cycle or of the loop. A cycle ends with the true b - A
//! x, in place of `stop.replacement`. A column that vanishes (h_{j+1,j} = 0) ends the loop as converged, or as a
//! breakdown if A is singular.
//!
//! A basis vector gets its length 1 in the pass that multiplies M v, and A M v with it: there is no pass between the one
//! that finds v and that one, as long as M is part of the former.
//!
//! Keeps m + 2 vectors; per iteration 1 A, 1 M, j + 3 dots, j + 3 updates with j < m, and j + 2 dots, j + 1 updates
//! more where Gram-Schmidt is applied twice, M too where it is elementwise; per cycle 1 A, 1 M, m updates more; per
//! solve 1 M more.

use super::arnoldi::{self, LeastSquares};
use super::{Run, Stop};
use crate::engine::{Engine, Operator, Register};
use crate::scalar::Scalar;

/// Solves A x = b, starting from x; M approximates the inverse of A, `restart` basis vectors are kept (at least 1).
#[rustfmt::skip]
pub fn gmres<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let m = arnoldi::cycle(restart, stop);
    let mut V = arnoldi::vectors(e, m + 1, b);
    let mut z = e.zeros_like(b);
    let start = arnoldi::begin(e, A, b, x, &mut V[0]);     // v_0 = r = b - A x
    e.apply(M, &V[0], &mut z);                             // z = M v_0
    let norm = e.carry(start);
    let first = arnoldi::unit(e, start);
    let unit = e.carry(first);                             // 1 / ||v_j||
    let early = M.is_elementwise();                        // then M v is taken in the pass that makes v
    let none = e.number(0.0);
    let taken = e.carry(none);                             // columns of H in this cycle
    let mut H = LeastSquares::new(m, E::Scalar::eps());

    let run = e.iterate(stop, start, |e| {
        e.cyclic(m, |e, j| {
            e.apply(A, &z, &mut V[j + 1]);
            e.scale(unit.get(), &mut V[j + 1]);            // w = A z / ||v_j||
            e.scale(unit.get(), &mut V[j]);                // v_j = v_j / ||v_j||
            let (basis, w) = arnoldi::kept(&mut V, j + 1);
            let more = j + 1 < m;
            let column = arnoldi::expand(e, basis, w, |e, v| if more && early { e.apply(M, v, &mut z); });
            if more && !early { e.apply(M, &V[j + 1], &mut z); } // z = M v_{j+1}
            unit.set(arnoldi::unit(e, column.length));
            norm.set(H.extend(e, j, column, norm.get()));  // column j of H, ||r||
            taken.set(e.number(((j + 1) % m) as f64));
            if j + 1 == m {
                correct(e, M, &H.solve(m), &mut V, &mut z, x);
                norm.set(arnoldi::begin(e, A, b, x, &mut V[0]));
                unit.set(arnoldi::unit(e, norm.get()));
                e.apply(M, &V[0], &mut z);
            }
        });
        norm.get()
    });
    let y = H.finish(e, &run, &taken);
    correct(e, M, &y, &mut V, &mut z, x);
    run
}

/// x = x + M sum y_i v_i; the sum is taken in the basis vector behind the last one used, which nobody needs any more.
#[rustfmt::skip]
fn correct<E: Engine>(e: &mut E, M: &dyn Operator<E>, y: &[E::Num], V: &mut [E::Vector], z: &mut E::Vector, x: &mut E::Vector) {
    if y.is_empty() { return; }
    let (V, u) = arnoldi::kept(V, y.len());
    let (zero, one) = (e.number(0.0), e.number(1.0));
    e.axpby(y[0], &V[0], zero, u);                         // u = y_0 v_0
    for i in 1..y.len() {
        e.axpy(y[i], &V[i], u);                            // u = sum y_i v_i
    }
    e.apply(M, u, z);                                      // z = M u
    e.axpy(one, z, x);                                     // x = x + z
}
