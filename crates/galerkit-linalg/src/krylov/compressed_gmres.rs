//! GMRES(m) whose basis is kept in single precision (Aliaga, Anzt, Grützmacher, Quintana-Ortí, Tomás 2022: compressed
//! basis GMRES). Gram-Schmidt, which moves most of GMRES's bytes, moves half of them; arithmetic, w, x, the
//! least-squares problem, A and M stay in the working precision. For any regular A; M must not change.
//!
//! What rounding does: the basis spans w_0, w_1, ... up to 6e-8 of each, so that within a cycle the residual norm of
//! the least-squares problem is that of b - A x up to about 1e-7 of what the cycle began with, and no cycle gains more
//! than that. The next one begins with the true b - A x and makes up for it: any accuracy is reached, by at least one
//! cycle for 7 digits. Who claims convergence within a cycle may therefore be wrong by that much; `verified` finds out.
//! Columns that vanish in single precision (h_{j+1,j} and R_jj) end the loop, as in GMRES those do that vanish in the
//! working one. In single precision it is GMRES.
//!
//! Keeps m vectors in single precision and 2 others; per iteration 1 A, 1 M, j + 3 dots, j + 2 updates, 1 copy with j <
//! m, and j + 2 dots, j + 1 updates more where Gram-Schmidt is applied twice; per cycle 1 A, 1 M, m updates more; per
//! solve 1 M more.

use super::arnoldi::{self, LeastSquares};
use super::{Run, Stop, gmres};
use crate::engine::{Engine, Operator, Register};
use crate::program::Precision;
use crate::scalar::Scalar;

/// Solves A x = b, starting from x; M approximates the inverse of A, `restart` basis vectors are kept (at least 1).
#[rustfmt::skip]
pub fn compressed_gmres<E: Engine>(e: &mut E, restart: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    if E::Scalar::KIND == <E::Scalar as Scalar>::Single::KIND { return gmres(e, restart, A, M, b, x, stop); }
    let m = arnoldi::cycle(restart, stop);
    let mut V: Vec<E::Vector> = (0..m).map(|_| e.zeros(e.length(b), Precision::Single)).collect();
    let [mut w, mut z] = e.vectors_like(b);
    let start = arnoldi::begin(e, A, b, x, &mut w);        // r = b - A x
    arnoldi::normalise(e, start, &mut w);                  // w = r / ||r||
    e.apply(M, &w, &mut z);                                // z = M w
    e.copy(&w, &mut V[0]);                                 // v_0 = w, rounded
    let norm = e.carry(start);
    let none = e.number(0.0);
    let taken = e.carry(none);                             // columns of H in this cycle
    let mut H = LeastSquares::new(m, <E::Scalar as Scalar>::Single::eps());

    let run = e.iterate(stop, start, |e| {
        e.cyclic(m, |e, j| {
            e.apply(A, &z, &mut w);                        // w = A z
            let column = arnoldi::expand(e, &V[..=j], &mut w, |_, _| ());
            arnoldi::normalise(e, column.length, &mut w);  // w orthogonal to v_0 .. v_j, of length 1
            if j + 1 < m {
                e.apply(M, &w, &mut z);                    // z = M w
                e.copy(&w, &mut V[j + 1]);                 // v_{j+1} = w, rounded
            }
            norm.set(H.extend(e, j, column, norm.get()));  // column j of H, ||r||
            taken.set(e.number(((j + 1) % m) as f64));
            if j + 1 == m {
                correct(e, M, &H.solve(m), &V, &mut w, &mut z, x);
                norm.set(arnoldi::begin(e, A, b, x, &mut w));
                arnoldi::normalise(e, norm.get(), &mut w);
                e.apply(M, &w, &mut z);
                e.copy(&w, &mut V[0]);
            }
        });
        norm.get()
    });
    let y = H.finish(e, &run, &taken);
    correct(e, M, &y, &V, &mut w, &mut z, x);
    run
}

/// x = x + M sum y_i v_i; the sum is taken in w.
#[rustfmt::skip]
fn correct<E: Engine>(e: &mut E, M: &dyn Operator<E>, y: &[E::Num], V: &[E::Vector], w: &mut E::Vector, z: &mut E::Vector, x: &mut E::Vector) {
    if y.is_empty() { return; }
    let one = e.number(1.0);
    e.copy(&V[0], w);
    e.scale(y[0], w);                                      // w = y_0 v_0
    for i in 1..y.len() {
        e.axpy(y[i], &V[i], w);                            // w = sum y_i v_i
    }
    e.apply(M, w, z);                                      // z = M w
    e.axpy(one, z, x);                                     // x = x + z
}
