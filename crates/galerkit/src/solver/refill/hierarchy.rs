//! Algebraic multigrid for new values: aggregates and patterns stay, numbers are computed by the host and loaded anew.
//! A hierarchy whose solves have become slow is set up anew.

use super::super::iterative::Iterative;
use super::super::standing::Standing;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Csr;

impl<S: Scalar> Iterative<S> {
    /// Takes the values of A; false if it must be set up anew.
    pub(super) fn renew_hierarchy(&mut self, A: &Csr<S>) -> bool {
        let ordered = self.order.as_ref().and_then(|order| A.permute_symmetric(order).ok());
        let Prepared::Amg(M) = &mut self.M else { return false };
        if self.has_slowed || !matches!(M.refill(ordered.as_ref().unwrap_or(A)), Ok(true)) {
            return false;
        }
        self.standing = Standing::load(&mut self.engine, &self.A, &mut self.M, Precision::Full);
        self.forget_program();
        true
    }
}
