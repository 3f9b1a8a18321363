//! MINRES (Paige and Saunders 1975), preconditioned as in Elman, Silvester and Wathen (2005): Lanczos vectors v and z =
//! M v, (z, v) = gamma^2, and their tridiagonal matrix made triangular by one rotation (c, s) a step. x minimises
//! sqrt((r, M r)), which is |eta|: that is [`Watch::Preconditioned`]. The residual itself is r_k = eta_k V Q^T e_{k+1},
//! hence r' = s'^2 r - (c' eta / a_1) v'; [`Watch::Residual`] is its Euclidean norm, which is sure not to grow only if
//! M is the identity.
//!
//! Keeps 8 vectors; per iteration 1 A, 1 M, 2 dots, 1 norm, 6 updates. Old and new vectors change places in turn, so
//! nothing is copied. `stop.replacement` is not heeded: a replaced residual would not belong to the Lanczos vectors.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Nonzero, Positive},
};
use crate::program::{Outcome, Run, Stop, Watch};

/// Solves A x = b for Hermitian A, which may be indefinite, and Hermitian positive definite M (it approximates the
/// inverse of A or of its modulus), starting from x.
#[rustfmt::skip]
pub fn minres<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let ([mut V, mut Z], [mut W, [mut r, mut q]]) = (pairs(e, b), pairs(e, b));
    e.residual(A, b, x, &mut r);                           // r = b - A x
    e.copy(&r, &mut V[0]);                                 // v = r
    e.apply(M, &r, &mut Z[0]);                             // z = M v
    let start = e.dot(&Z[0], &V[0]);
    let norm = match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => start.abs().sqrt() };
    let (zero, one) = (e.number(0.0), e.number(1.0));
    let square = e.carry(start);                           // gamma^2 = (z, v), as it came
    let [gamma, eta] = [start.abs().sqrt(); 2].map(|number| e.carry(number));
    let [gamma_old, c, c_old] = [one; 3].map(|number| e.carry(number));
    let [s, s_old, size] = [zero; 3].map(|number| e.carry(number));

    e.iterate(stop, norm, |e| {
        e.require(Finite(square.get()), Outcome::NonFinite);
        e.require(Positive(square.get()), Outcome::PreconditionerNotPositiveDefinite);
        e.cyclic(2, |e, place| {
            let (v_new, v) = old_and_new(&mut V, place);
            let (z_new, z) = old_and_new(&mut Z, place);
            let (w_new, w) = old_and_new(&mut W, place);
            let (one, half, tenth, g) = (e.number(1.0), e.number(0.5), e.number(0.1), gamma.get());
            e.apply(A, z, &mut q);                         // q = A z
            let zq = e.dot(z, &q);
            let delta = (zq + zq.conj()) * half / g / g; // delta = (z, A z) / gamma^2, real
            e.axpby(one / g, &q, -(g / gamma_old.get()), v_new);
            e.axpy(-(delta / g), v, v_new);                // v' = q / gamma - (gamma / gamma_old) v_old - (delta / gamma) v
            e.apply(M, v_new, z_new);                      // z' = M v'
            let square_new = e.dot(z_new, v_new);
            let g_new = square_new.abs().sqrt();           // gamma' = sqrt((z', v'))
            let a0 = c.get() * delta - c_old.get() * s.get() * g;
            let a1 = (a0 * a0 + g_new * g_new).sqrt();
            let a2 = s.get() * delta + c_old.get() * c.get() * g;
            let a3 = s_old.get() * g;                      // column (a_3, a_2, a_1) of the triangular matrix
            e.require(Finite(a1), Outcome::NonFinite);
            let all = (size.get() * size.get() + delta * delta + g_new * g_new).sqrt(); // a norm of the tridiagonal matrix
            e.require(Nonzero((all + a1 * tenth) - all), Outcome::Breakdown); // else A is singular, and b not in its range
            let (c_new, s_new) = (a0 / a1, g_new / a1);
            e.axpby(one / (g * a1), z, -(a3 / a1), w_new);
            e.axpy(-(a2 / a1), w, w_new);                  // w' = (z / gamma - a_3 w_old - a_2 w) / a_1
            e.axpy(c_new * eta.get(), w_new, x);           // x = x + c' eta w'
            e.axpby(-(c_new * eta.get() / a1), v_new, s_new * s_new, &mut r); // r = s'^2 r - (c' eta / a_1) v'
            square.set(square_new);
            size.set(all);
            eta.set(-(s_new * eta.get()));                 // eta = -s' eta
            for (old, new, value) in [(&gamma_old, &gamma, g_new), (&c_old, &c, c_new), (&s_old, &s, s_new)] {
                old.set(new.get());
                new.set(value);
            }
        });
        match stop.watch { Watch::Residual => e.norm(&r), Watch::Preconditioned => eta.get().abs() }
    })
}

/// Two pairs of vectors like b.
fn pairs<E: Engine>(e: &mut E, b: &E::Vector) -> [[E::Vector; 2]; 2] {
    [e.vectors_like(b), e.vectors_like(b)]
}

/// The vector of the step before last, which the next one replaces, and that of the last step.
fn old_and_new<T>([even, odd]: &mut [T; 2], place: usize) -> (&mut T, &T) {
    if place == 0 { (odd, even) } else { (even, odd) }
}
