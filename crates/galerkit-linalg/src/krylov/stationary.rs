//! Stationary iterations x = x + M (b - A x): Jacobi with the inverse diagonal as M, Richardson with the identity. By
//! themselves smoothers; inside VPGCR (source 001) the inner solver, with one of two conventions of when to stop.
//!
//! Keep 2 vectors (3 with increments); per iteration 1 A, 1 M, 1 norm (or 2 maxima), 1 update.

use super::{Run, Stop};
use crate::engine::{Engine, Number, Operator, Register, Test::Positive};

/// Stops by the residual: ||b - A x|| <= rtol ||b - A x_0||, asked before each sweep (convention R of spec 01).
#[rustfmt::skip]
pub fn richardson<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut d] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    let start = e.norm(&r);
    let one = e.number(1.0);
    e.iterate(stop, start, |e| {
        e.apply(M, &r, &mut d);                            // d = M r
        e.axpy(one, &d, x);                                // x = x + d
        e.residual(A, b, x, &mut r);                       // r = b - A x
        e.norm(&r)
    })
}

/// Stops by the increment: max |x' - x| <= rtol max |x'|, asked after each sweep (convention M of spec 01, which the
/// published counts obey). Starts from x = M b, whatever x was, which is not counted.
/// One sweep is made at least.
#[rustfmt::skip]
pub fn increments<E: Engine>(e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut d, mut y] = e.vectors_like(b);
    e.apply(M, b, x);                                      // x = M b
    let one = e.number(1.0);
    let newest_is_x = e.carry(one);
    let watch_ratio = Stop { rtol: 0.0, atol: stop.rtol, ..stop.clone() };
    let not_yet = e.number(f32::MAX.into());               // so that a first sweep is made whatever the tolerance
    let run = e.iterate(&watch_ratio, not_yet, |e| {
        let ratio = e.carry(one);
        e.cyclic(2, |e, place| {                            // x and y in turn are the newest
            let (from, to) = if place == 0 { (&mut *x, &mut y) } else { (&mut y, &mut *x) };
            e.residual(A, b, from, &mut r);                // r = b - A x
            e.apply(M, &r, &mut d);                        // d = M r
            e.copy(from, to);
            e.axpy(one, &d, to);                           // x' = x + d
            let (increment, size) = (e.norm_inf(&d), e.norm_inf(to));
            ratio.set(increment.over(size));
        });
        newest_is_x.set(one - newest_is_x.get());
        ratio.get()
    });
    let newest = newest_is_x.get();
    e.unless(Positive(newest), |e| e.copy(&y, x));
    run
}
