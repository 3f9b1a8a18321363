//! What a hierarchy of smoothed aggregation lacks whose solve took many iterations, by the signs of the entries beside
//! the diagonal: a near-null vector, where most have the sign of the diagonal, so that constants are none; or another
//! interpolation, where most are against it. A solve that stagnated at its precision has no more digits to get: its many
//! iterations are not for lack of a better hierarchy.

use super::Solver;
use crate::matrix::MatrixRef;
use crate::report::{AppliedPreconditioner, Report};
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::multigrid::amg::{Amg, Kind};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, parallel};

/// Iterations for eight digits that are many.
const MANY: f64 = 25.0;
/// Parts of the entries beside the diagonal, by their size, that have its sign: few, and most.
const FEW: f64 = 0.2;
const MOST: f64 = 0.5;
/// Rows that one task looks at.
const ROWS: usize = 1 << 14;

impl Solver {
    /// Adds to the notes of multigrid what would help.
    pub(super) fn advise_multigrid<S: Scalar>(&self, A: MatrixRef<'_, S>, report: &mut Report) {
        let AppliedPreconditioner::Chosen(choice) = &report.preconditioner else { return };
        let Some(Preconditioner::Amg(Amg { kind: Kind::Smoothed, block: 1, .. })) = choice.named() else { return };
        let digits = -report.true_residual.max(f64::MIN_POSITIVE).log10();
        let is_slow = digits > 0.0 && report.iterations as f64 * 8.0 / digits > MANY;
        if !is_slow
            || report.outcome == Outcome::Stagnated
            || S::KIND.is_complex()
            || self.near_null.is_given()
            || !A.is_on_host()
        {
            return;
        }
        let (Some(multigrid), Ok(A)) = (&mut report.multigrid, A.host()) else { return };
        multigrid.notes.extend(match share_of_sign(A) {
            share if share > MOST => Some(
                "most entries beside the diagonal have its sign, so that constants are far from the kernel: near-null \
                 vectors would help"
                    .into(),
            ),
            share if share < FEW => Some(format!(
                "{} iterations are many, and most entries beside the diagonal are against it: amg:classical may \
                 need fewer",
                report.iterations
            )),
            _ => None,
        });
    }
}

/// The part of entries beside the diagonal, by their size, that have its sign.
fn share_of_sign<S: Scalar>(A: &Csr<S>) -> f64 {
    let diagonal = A.diagonal();
    let parts = parallel::values(A.rows().div_ceil(ROWS), &|part| {
        let (mut alike, mut all) = (0.0, 0.0);
        let rows = part * ROWS..A.rows().min((part + 1) * ROWS);
        for (i, own) in rows.clone().zip(&diagonal[rows]) {
            for (_, a) in A.row(i).filter(|(j, _)| *j != i) {
                let value = a.parts().0;
                all += value.abs();
                alike += if value * own.parts().0 > 0.0 { value.abs() } else { 0.0 };
            }
        }
        [alike, all]
    });
    let [alike, all] = parts.into_iter().fold([0.0, 0.0], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
    if all > 0.0 { alike / all } else { 0.0 }
}
