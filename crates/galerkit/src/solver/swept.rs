//! Jacobi sweeps that the program picked for triangular solves, and that fail: exact solves follow.

use super::followers::is_worth_a_change;
use super::prepared::PreparedMatrix;
use super::{Solution, Solver, hybrid};
use crate::choice::{Choice, Variant};
use crate::error::Result;
use crate::report::Report;
use crate::triangular::TriangularSolve;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::Krylov;

impl Solver {
    /// Solves by a Krylov method; sweeps that were not asked for and fail are followed by exact solves.
    pub(super) fn solve_swept_or_exactly<S: Scalar>(
        &self,
        method: Krylov,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let solution = hybrid::solve(self, method, prepared, (b, start))?;
        let report = &solution.report;
        let failed = is_worth_a_change::<S>(report.outcome, report.backward_error, report.true_residual);
        match failed && self.has_picked_sweeps(report) {
            true => self.go_on_exactly(method, prepared, b, solution.report),
            false => Ok(solution),
        }
    }

    /// Whether the program has swept of its own accord.
    fn has_picked_sweeps(&self, report: &Report) -> bool {
        let is_open = self.preconditioner.variant() == Some(Variant::Auto);
        self.triangular == Choice::Auto && is_open && report.has_swept()
    }

    /// Solves once more, exactly, after sweeps that failed.
    fn go_on_exactly<S: Scalar>(
        &self,
        method: Krylov,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
        first: Report,
    ) -> Result<Solution<S>> {
        let rest = self.limit().saturating_sub(first.iterations);
        let exact = self.clone().triangular(TriangularSolve::Exact).max_iterations(rest);
        let mut solution = hybrid::solve(&exact, method, prepared, (b, None))?;
        let report = &mut solution.report;
        let swept = first.attempts().into_iter().map(|attempt| attempt.with(first.triangular));
        report.tried = swept.chain(report.attempts()).collect();
        report.triangular_reason = format!(
            "{} were first ({}) and {} after {} iterations; exact solves began again from x = 0",
            first.triangular.map_or("none".into(), |it| it.to_string()),
            first.triangular_reason,
            first.outcome.name().replace('_', " "),
            first.iterations
        );
        report.spend_on_attempt(&first);
        Ok(solution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Preconditioning;
    use galerkit_linalg::gallery::{Stencil, poisson2d};
    use galerkit_linalg::krylov::Outcome;
    use galerkit_linalg::precond::Preconditioner;
    use galerkit_linalg::sparse::Csr;

    /// For b of ones.
    fn solve(solver: &Solver, A: &Csr<f64>) -> Result<Solution<f64>> {
        solver.solve(A, &vec![1.0; A.rows()])
    }

    /// As if a GPU had picked one sweep, which breaks down or runs astray; the exact solve is then the answer.
    #[test]
    fn exact_solves_follow_sweeps_that_failed() {
        let A = poisson2d(20, Stencil::Points5).unwrap();
        let b = vec![1.0; A.rows()];
        let auto = Preconditioning::Variant(Preconditioner::Ilu { fill: 0 }, Variant::Auto);
        let solver = Solver::new().method(Krylov::Cg).preconditioner(auto);
        let swept = solver.clone().triangular(TriangularSolve::Sweeps(1)).max_iterations(7);
        let mut first = solve(&swept, &A).unwrap().report;
        first.conclude(Outcome::Breakdown);
        first.triangular_reason = "expected to be fast".into();
        first.tried.clear(); // as it is before `solve` lists it
        assert!(solver.has_picked_sweeps(&first));
        let Solution { report, .. } =
            solver.go_on_exactly(Krylov::Cg, &mut PreparedMatrix::new(&A), &b, first.clone()).unwrap();
        assert!(report.converged && report.triangular == Some(TriangularSolve::Exact), "{report}");
        let tried: Vec<_> = report.tried.iter().map(|it| (it.name(), it.outcome_name())).collect();
        assert_eq!(tried, [("cg with sweeps:1".into(), "breakdown"), ("cg".into(), "converged")]);
        let reason =
            "sweeps:1 were first (expected to be fast) and breakdown after 7 iterations; exact solves began again";
        assert!(report.triangular_reason.starts_with(reason), "{}", report.triangular_reason);
        assert_eq!(report.failures(), ["cg with sweeps:1 breakdown after 7 iterations"]);
        let exactly = solve(&solver.clone().triangular(TriangularSolve::Exact), &A).unwrap().report;
        assert_eq!(report.iterations, exactly.iterations);
        // Iterations that are used up are not given again.
        let few = solver
            .clone()
            .max_iterations(10)
            .go_on_exactly(Krylov::Cg, &mut PreparedMatrix::new(&A), &b, first)
            .unwrap();
        assert_eq!(few.report.iterations, 3);
    }

    #[test]
    fn sweeps_that_were_asked_for_are_not_replaced() {
        let A = poisson2d(20, Stencil::Points5).unwrap();
        let ilu0 = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Ilu { fill: 0 });
        let named = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Ilu0Sweeps { sweeps: 1 });
        for solver in [ilu0.clone().triangular(TriangularSolve::Sweeps(1)), named] {
            let report = solve(&solver, &A).unwrap().report;
            assert!(report.has_swept() && !solver.has_picked_sweeps(&report));
        }
        assert!(!ilu0.has_picked_sweeps(&solve(&ilu0, &A).unwrap().report));
    }
}
