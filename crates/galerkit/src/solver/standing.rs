//! A preconditioner that stays loaded, because new values go there: one map, the three maps of Jacobi sweeps, or the
//! diagonal of a polynomial; the cycle of a hierarchy, or one that was brought along.

use super::machine::{Engine as Recorded, Machine as _};
use crate::layout::sliced;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident};
use galerkit_linalg::map::{Diagonal, diagonal_map, single_map};
use galerkit_linalg::multigrid::amg::Reuse;
use galerkit_linalg::precond::{Polynomial, Prepared, Swept};
use galerkit_linalg::program::{Precision, Vector};

/// What is loaded.
pub(super) enum Standing<S: Scalar> {
    Map(Resident<Recorded<S>>),
    Sweeps(Swept<Recorded<S>>),
    /// Of this matrix.
    Chebyshev(Resident<Recorded<S>>, Polynomial<Recorded<S>>),
    /// What somebody has brought along.
    Brought(Box<dyn Operator<Recorded<S>> + Send>),
}

impl<S: Scalar> Standing<S> {
    /// Loads a preconditioner for vectors in this precision, those that A multiplies; none if there is nothing to load.
    /// Of a diagonal only its length stays on the host: nobody there needs it, and a copy of it would take longer than
    /// all else.
    pub(super) fn load(
        e: &mut Recorded<S>,
        A: &Resident<Recorded<S>>,
        M: &mut Prepared<S>,
        precision: Precision,
    ) -> Option<Self> {
        match (M, precision) {
            (Prepared::Map(M), Precision::Full) => {
                let rows = M.known::<Diagonal<S>>().map(|_| M.shape().0);
                let whole = match rows {
                    Some(rows) => std::mem::replace(M, diagonal_map(Diagonal::taken(rows))),
                    None => M.clone(),
                };
                Some(Standing::Map(e.load(whole)))
            }
            (Prepared::Map(M), Precision::Single) => M.to_single().map(|M| Standing::Map(e.load(single_map(M)))),
            (Prepared::Sweeps(M), _) => Some(Standing::Sweeps(M.clone().load(e, precision))),
            (Prepared::Chebyshev(M), _) => {
                let A = Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise };
                Some(Standing::Chebyshev(A, M.clone().load_alone(e, precision)))
            }
            (Prepared::Amg(M), _) => {
                let A = Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise };
                let precision = if M.precision() == Precision::Single { Precision::Single } else { precision };
                let whole = if M.settings().reuse == Reuse::Aggregates { (**M).clone() } else { M.take_levels() };
                let height = if e.executor().cuda().is_some() { 32 } else { 8 };
                let hierarchy = whole.hierarchy(&|pattern| sliced(pattern, height));
                Some(Standing::Brought(Box::new(hierarchy.load_whole(e, A, precision))))
            }
            (Prepared::Identity, _) => None,
        }
    }
}

impl<S: Scalar> Operator<Recorded<S>> for Standing<S> {
    fn apply(&self, e: &mut Recorded<S>, x: &Held<Vector>, y: &mut Held<Vector>) {
        match self {
            Standing::Map(M) => M.apply(e, x, y),
            Standing::Sweeps(M) => M.apply(e, x, y),
            Standing::Chebyshev(A, M) => M.apply(e, A, x, y),
            Standing::Brought(M) => M.apply(e, x, y),
        }
    }
    fn residual(&self, e: &mut Recorded<S>, b: &Held<Vector>, x: &Held<Vector>, r: &mut Held<Vector>) {
        match self {
            Standing::Map(M) => M.residual(e, b, x, r),
            Standing::Sweeps(M) => M.residual(e, b, x, r),
            Standing::Brought(M) => M.residual(e, b, x, r),
            Standing::Chebyshev(A, M) => {
                M.apply(e, A, x, r);
                let one = e.number(1.0);
                e.axpby(one, b, -one, r);
            }
        }
    }
    fn is_solve(&self) -> bool {
        match self {
            Standing::Brought(M) => M.is_solve(),
            Standing::Map(_) | Standing::Sweeps(_) | Standing::Chebyshev(..) => false,
        }
    }
    fn is_elementwise(&self) -> bool {
        match self {
            Standing::Map(M) => M.is_elementwise(),
            Standing::Brought(M) => M.is_elementwise(),
            Standing::Sweeps(_) | Standing::Chebyshev(..) => false,
        }
    }
}
