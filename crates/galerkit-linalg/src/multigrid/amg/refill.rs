//! Other values of the same matrix: edges, aggregates, the entries that smooth and all patterns stay; l, g, P and
//! coarse matrices are computed anew, without symbolic work. With the same values that is the set-up, bit for bit.

use super::check::check_matrix;
use super::choices::{Interpolation, Scaling};
use super::direct::direct;
use super::extended::extended;
use super::filter::filter;
use super::galerkin::{mirrored, rest, upper};
use super::inverse::inverse;
use super::lambda::{bound, bounds};
use super::levels::{Coarsening, Coarsest, Kept, Levels, Origin, Smoothing};
use super::nodes::smoothed_nodes;
use super::norms::{norms, smoother_weights};
use super::restrict::{Class, Stay, restrict};
use super::smooth::{Step, smooth};
use super::tentative::{dead, tentative};
use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

per_scalar! {
    fn refill<S>(levels: &mut Levels<S>, A: &Csr<S>) -> Result<bool> = Levels::take;
}

impl<S: Scalar> Levels<S> {
    /// Takes other values of the matrix that it was made for. False where what that needs was not kept.
    pub fn refill(&mut self, A: &Csr<S>) -> Result<bool> {
        refill(self, A)
    }

    fn take(&mut self, A: &Csr<S>) -> Result<bool> {
        A.require_finite()?;
        check_matrix(A, self.class)?;
        if self.levels.iter().any(|level| level.kept.is_none()) {
            return Ok(false);
        }
        for l in 0..self.levels.len() {
            let b = if l == 0 { self.near_null.as_deref() } else { None };
            let own = self.levels[l].A.take();
            let template = self.levels.get_mut(l + 1).map_or(&mut self.A, |next| &mut next.A).take();
            let coarse =
                renew(&mut self.levels[l], own.as_ref().unwrap_or(A), (self.class, self.scaling), b, template)?;
            self.levels[l].A = own;
            *self.levels.get_mut(l + 1).map_or(&mut self.A, |next| &mut next.A) = coarse;
        }
        let last = self.A.as_ref().unwrap_or(A);
        self.coarsest = match &self.coarsest {
            Coarsest::Inverse(_) => Coarsest::Inverse(inverse(last, self.class)),
            Coarsest::Smoother(_) => {
                Coarsest::Smoother(smoother_weights(&last.diagonal(), &bounds(last, &norms(last), self.scaling)))
            }
        };
        Ok(true)
    }
}

/// A level of A; and the coarse matrix, which had this pattern.
fn renew<S: Scalar>(
    level: &mut Coarsening<S>,
    A: &Csr<S>,
    (class, scaling): (Class, Scaling),
    b: Option<&[S]>,
    coarse: Option<Csr<S>>,
) -> Result<Option<Csr<S>>> {
    let (Some(Kept { origin, mut AP }), Some(mut coarse)) = (level.kept.take(), coarse) else {
        return Ok(None);
    };
    level.weights = smoother_weights(&A.diagonal(), &bounds(A, &norms(A), scaling));
    let origin = if level.is_smoothed { transfers(level, A, (class, scaling), b, origin) } else { origin };
    A.multiply_into(&level.P, &mut AP)?;
    match class {
        Class::General => level.R.multiply_into(&AP, &mut coarse)?,
        Class::Hermitian | Class::Symmetric => {
            let mut upper = upper(&coarse);
            level.R.multiply_into(&AP, &mut upper)?;
            coarse = mirrored(&upper, class);
        }
    }
    match origin {
        Origin::Nodal(..) => {
            let rows = 0..coarse.rows();
            rest(&mut coarse, rows);
        }
        Origin::Fixed | Origin::Smoothed(_) => rest(&mut coarse, dead(&level.aggregates, b)),
        Origin::Points(..) => (),
    }
    level.kept = Some(Kept { origin, AP });
    Ok(Some(coarse))
}

/// P and R of other values.
fn transfers<S: Scalar>(
    level: &mut Coarsening<S>,
    A: &Csr<S>,
    (class, scaling): (Class, Scaling),
    b: Option<&[S]>,
    origin: Origin<S>,
) -> Origin<S> {
    match origin {
        Origin::Fixed => Origin::Fixed,
        Origin::Smoothed(Smoothing { entries, adjoint }) => {
            let (filtered, T) = (filter(A, &A.diagonal(), b, entries), tentative(&level.aggregates, b));
            level.P = smooth(A, &filtered, &T, Step::default()).0;
            let (R, adjoint) = restrict(class, A, (&level.P, &T), b, Stay::Entries(adjoint));
            level.R = R;
            Origin::Smoothed(Smoothing { entries: filtered.kept, adjoint })
        }
        Origin::Nodal(T, nodes, smoothing) => {
            let lambda = bound(A, &norms(A), scaling);
            level.P = smoothed_nodes(A, &nodes, &smoothing.entries, (&T, lambda)).0;
            level.R = match class {
                Class::Hermitian => level.P.conjugate_transpose(),
                Class::Symmetric | Class::General => {
                    let adjoint = A.conjugate_transpose();
                    smoothed_nodes(&adjoint, &nodes, &smoothing.adjoint, (&T, lambda)).0.conjugate_transpose()
                }
            };
            Origin::Nodal(T, nodes, smoothing)
        }
        Origin::Points(depends, interpolation) => {
            level.P = match interpolation {
                Interpolation::Extended => extended(A, &depends, &level.aggregates, Some(&level.P)),
                Interpolation::Direct => direct(A, &depends, &level.aggregates),
            };
            level.R = level.P.conjugate_transpose();
            Origin::Points(depends, interpolation)
        }
    }
}
