//! A solver for right-hand sides that were brought near 1.

use super::builder::Solver;
use super::scaling::times;
use galerkit_linalg::Scalar;

/// The relative residual of an x for a b, both scaled; none where there are no rows to compute it with.
pub(super) type ResidualOf<'a, S> = &'a dyn Fn(&[S], &[S]) -> Option<f64>;

/// The same solver for 2^power b.
pub(super) fn scaled<S: Scalar>(solver: &Solver, power: i32) -> Solver {
    let observer = solver.observer.clone().map(|observer| observer.scaled::<S>(power));
    Solver { atol: times(solver.atol, power), observer, power, ..solver.clone() }
}
