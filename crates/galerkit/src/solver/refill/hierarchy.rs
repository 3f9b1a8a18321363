//! Algebraic multigrid for new values: aggregates and patterns stay, numbers are computed by the host, or by the GPU
//! that has set it up, and loaded anew. A hierarchy whose solves have become slow is set up anew.

use super::super::iterative::Iterative;
use super::super::machine::Machine;
use super::super::standing::Standing;
use galerkit_cuda::amg::Refillable;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Held;
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;
use std::sync::Arc;

impl<S: Scalar> Iterative<S> {
    /// Takes the values of A; false if it must be set up anew.
    pub(super) fn renew_hierarchy(&mut self, A: &Csr<S>) -> bool {
        let ordered = self.order.as_ref().and_then(|order| A.permute_symmetric(order).ok());
        let Prepared::Amg(M) = &mut self.M else { return false };
        if self.has_slowed || !matches!(M.refill(ordered.as_ref().unwrap_or(A)), Ok(true)) {
            return false;
        }
        self.load_hierarchy();
        true
    }

    /// Takes the entries that are on the GPU; false if it must be set up anew.
    pub(super) fn renew_hierarchy_there(&mut self, levels: &Arc<Refillable<S>>, entries: &Held<Vector>) -> bool {
        let Prepared::Amg(M) = &mut self.M else { return false };
        let Some(entries) = self.engine.executor().cuda().and_then(|cuda| cuda.buffer(entries.name())) else {
            return false;
        };
        if self.has_slowed {
            return false;
        }
        let Ok(made) = levels.refill(entries) else { return false };
        **M = made.with_origin(levels.clone());
        self.load_hierarchy();
        true
    }

    fn load_hierarchy(&mut self) {
        self.standing = Standing::load(&mut self.engine, &self.A, &mut self.M, Precision::Full);
        self.forget_program();
    }
}
