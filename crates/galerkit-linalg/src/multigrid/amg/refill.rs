//! Other values of the same matrix: edges, aggregates, the entries that smooth and all patterns stay; l, g, P and coarse matrices
//! are computed anew, without symbolic work. With the same values that is the set-up, bit for bit.

use super::check::check_matrix;
use super::filter::filter;
use super::galerkin::{mirrored, upper};
use super::inverse::inverse;
use super::levels::{Coarsening, Coarsest, Kept, Levels};
use super::norms::{norms, smoother_weights};
use super::restrict::{Class, Stay, restrict};
use super::smooth::smooth;
use super::tentative::tentative;
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
        check_matrix(A, self.class)?;
        if self.levels.iter().any(|level| level.kept.is_none()) {
            return Ok(false);
        }
        for l in 0..self.levels.len() {
            let b = if l == 0 { self.near_null.as_deref() } else { None };
            let own = self.levels[l].A.take();
            let template = self.levels.get_mut(l + 1).map_or(&mut self.A, |next| &mut next.A).take();
            let coarse = renew(&mut self.levels[l], own.as_ref().unwrap_or(A), self.class, b, template)?;
            self.levels[l].A = own;
            *self.levels.get_mut(l + 1).map_or(&mut self.A, |next| &mut next.A) = coarse;
        }
        let last = self.A.as_ref().unwrap_or(A);
        self.coarsest = match &self.coarsest {
            Coarsest::Inverse(_) => Coarsest::Inverse(inverse(last, self.class)),
            Coarsest::Smoother(_) => Coarsest::Smoother(smoother_weights(last, &norms(last).l1)),
        };
        Ok(true)
    }
}

/// A level of A; and the coarse matrix, which had this pattern.
fn renew<S: Scalar>(
    level: &mut Coarsening<S>,
    A: &Csr<S>,
    class: Class,
    b: Option<&[S]>,
    coarse: Option<Csr<S>>,
) -> Result<Option<Csr<S>>> {
    let (Some(Kept { entries, mut adjoint, mut AP }), Some(mut coarse)) = (level.kept.take(), coarse) else {
        return Ok(None);
    };
    level.weights = smoother_weights(A, &norms(A).l1);
    let filtered = filter(A, b, entries);
    if level.is_smoothed {
        let T = tentative(&level.aggregates, b);
        level.P = smooth(A, &filtered, &T).0;
        (level.R, adjoint) = restrict(class, A, (&level.P, &T), b, Stay::Entries(adjoint));
    }
    A.multiply_into(&level.P, &mut AP)?;
    match class {
        Class::General => level.R.multiply_into(&AP, &mut coarse)?,
        Class::Hermitian | Class::Symmetric => {
            let mut upper = upper(&coarse);
            level.R.multiply_into(&AP, &mut upper)?;
            coarse = mirrored(&upper, class);
        }
    }
    level.kept = Some(Kept { entries: filtered.kept, adjoint, AP });
    Ok(Some(coarse))
}
