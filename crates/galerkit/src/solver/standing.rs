//! A preconditioner that stays loaded, because new values go there: one map, or the three maps of Jacobi sweeps. Others are spoken anew
//! whenever a method is recorded.

use super::machine::Engine as Recorded;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident};
use galerkit_linalg::map::single_map;
use galerkit_linalg::precond::{Prepared, Swept};
use galerkit_linalg::program::{Precision, Vector};

/// What is loaded.
pub(super) enum Standing<S: Scalar> {
    Map(Resident<Recorded<S>>),
    Sweeps(Swept<Recorded<S>>),
}

impl<S: Scalar> Standing<S> {
    /// Loads a preconditioner for vectors in this precision; none if it does not stay.
    pub(super) fn load(e: &mut Recorded<S>, M: &Prepared<S>, precision: Precision) -> Option<Self> {
        match (M, precision) {
            (Prepared::Map(M), Precision::Full) => Some(Standing::Map(e.load(M.clone()))),
            (Prepared::Map(M), Precision::Single) => M.to_single().map(|M| Standing::Map(e.load(single_map(M)))),
            (Prepared::Sweeps(M), _) => Some(Standing::Sweeps(M.clone().load(e, precision))),
            (Prepared::Identity | Prepared::Chebyshev(_), _) => None,
        }
    }
}

impl<S: Scalar> Operator<Recorded<S>> for Standing<S> {
    fn apply(&self, e: &mut Recorded<S>, x: &Held<Vector>, y: &mut Held<Vector>) {
        match self {
            Standing::Map(M) => M.apply(e, x, y),
            Standing::Sweeps(M) => M.apply(e, x, y),
        }
    }
    fn residual(&self, e: &mut Recorded<S>, b: &Held<Vector>, x: &Held<Vector>, r: &mut Held<Vector>) {
        match self {
            Standing::Map(M) => M.residual(e, b, x, r),
            Standing::Sweeps(M) => M.residual(e, b, x, r),
        }
    }
}
