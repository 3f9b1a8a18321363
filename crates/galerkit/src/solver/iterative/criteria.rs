//! When the iterations of a solver stop.

use super::super::Solver;
use crate::choice::ResidualReplacement;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Krylov, Reference, Stop};

/// The criteria; tolerances are relative to ||b||.
pub(super) fn stopping<S: Scalar>(solver: &Solver, method: Krylov, rhs_norm: f64) -> Stop {
    // Replacing the residual of BiCGSTAB costs it its biorthogonality: up to 1.8 times the iterations on real matrices.
    let usual = if method == Krylov::Bicgstab { 0 } else { 50 };
    Stop {
        rtol: solver.rtol_for::<S>(),
        atol: solver.atol,
        limit: solver.limit(),
        replacement: solver.replacement.given().map_or(usual, ResidualReplacement::period),
        reference: Reference::Given(rhs_norm),
        ..Stop::default()
    }
}
