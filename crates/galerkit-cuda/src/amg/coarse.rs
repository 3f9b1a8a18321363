//! The next level's matrix, R (A P) with its lower triangle mirrored (spec 08, section 2, steps 10 and 11). Large
//! products take one pass: A P stays in any order, since only R (A P) is looked at by others.

use super::clock::Clock;
use super::tools::Tools;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::product::Loose;
use galerkit_linalg::Scalar;

/// Multiply-adds of A P and of R (A P), where they were counted.
pub type Work = [u64; 2];

/// A P, in one of two forms.
enum Right<'a, S> {
    Loose(Loose<'a>),
    Rows(DeviceCsr<S>),
}

impl Tools<'_> {
    /// R (A P), and what it took.
    pub(super) fn coarse<S: Scalar>(
        &self,
        (A, P, R): (&DeviceCsr<S>, &DeviceCsr<S>, &DeviceCsr<S>),
        clock: &mut Clock,
    ) -> Result<(DeviceCsr<S>, Work)> {
        let one_pass = A.nnz >= self.options.one_pass_from;
        let loose = if one_pass { self.multiplier.loose_product(A, P)? } else { None };
        let right = match loose {
            Some(AP) => Right::Loose(AP),
            None => Right::Rows(self.multiplier.product(A, P)?),
        };
        clock.lap("A P")?;
        let work = if self.options.timed { self.work((A, P, R), &right)? } else { [0; 2] };
        clock.skip();
        let made = match &right {
            Right::Rows(AP) => Some(self.multiplier.product(R, AP)?),
            Right::Loose(AP) => self.multiplier.product_with_loose(R, AP)?,
        };
        let made = match made {
            Some(made) => made,
            None => self.multiplier.product(R, &self.multiplier.product(A, P)?)?, // rows that no table takes
        };
        clock.lap("R(AP)")?;
        self.multiplier.mirror(&made);
        clock.lap("mirror")?;
        Ok((made, work))
    }

    fn work<S: Scalar>(
        &self,
        (A, P, R): (&DeviceCsr<S>, &DeviceCsr<S>, &DeviceCsr<S>),
        right: &Right<'_, S>,
    ) -> Result<Work> {
        let second = match right {
            Right::Loose(AP) => self.multiplier.work_with_loose(R, AP)?,
            Right::Rows(AP) => self.multiplier.work_of(R, AP)?,
        };
        Ok([self.multiplier.work_of(A, P)?, second])
    }

    /// The values of C = R (A P), whose pattern is known.
    pub(super) fn refill_coarse<S: Scalar>(
        &self,
        (A, P, R): (&DeviceCsr<S>, &DeviceCsr<S>, &DeviceCsr<S>),
        C: &DeviceCsr<S>,
    ) -> Result<()> {
        let AP = self.multiplier.product(A, P)?;
        self.multiplier.fill(R, &AP, C)?;
        self.multiplier.mirror(C);
        Ok(())
    }
}
