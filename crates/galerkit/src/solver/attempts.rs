//! A method that is left to the program: the method that suits the matrix by what can be seen of it, and after one that failed the next, each
//! from x = 0. The best answer is returned; the report says what was tried and why it changed. So it is with Jacobi sweeps that
//! were picked for triangular solves and fail: exact solves follow.

use super::elimination::Price;
use super::followers::{is_worth_a_change, next};
use super::prepared::PreparedMatrix;
use super::selection::{Chosen, choose, norm};
use super::singular::require_mean_zero;
use super::slowness::Slowness;
use super::{Solution, Solver, hybrid};
use crate::choice::{Choice, Device, Method, Preconditioning};
use crate::error::{Error, Result};
use crate::precision::Precision;
use crate::report::{Attempt, Report};
use crate::stages::{Stage, Stages};
use crate::triangular::TriangularSolve;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::krylov::{InnerMethod, Krylov, Outcome};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error as LinalgError, Scalar};

/// What the attempts so far have brought.
struct Attempts<S> {
    tried: Vec<Attempt>,
    best: Option<Solution<S>>,
    /// Spent in attempts that are not the best one.
    lost: Stages,
    /// What stopped the last attempt that failed.
    failure: Option<Error>,
}

impl Solver {
    /// Tries one method after another until one does.
    pub(super) fn solve_auto<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let Chosen { method, reason, needs_mean_zero } = self.choose(prepared)?;
        if needs_mean_zero {
            let rhs_norm = norm(b);
            require_mean_zero(b, (self.rtol_for::<S>() * rhs_norm).max(self.atol), rhs_norm)?;
        }
        let (mut method, reason) = self.adapt(method, reason);
        let slowness = if needs_mean_zero { None } else { self.slowness(method, prepared, norm(b)) };
        let mut solver = self.clone();
        if let Some(slowness) = &slowness {
            solver.observer = Some(slowness.watcher(self.observer.clone()));
        }
        let mut attempts = Attempts { tried: Vec::new(), best: None, lost: Stages::default(), failure: None };
        loop {
            match solver.solve_by(method, prepared, (b, start)) {
                Ok(mut solution) => {
                    if slowness.as_ref().is_some_and(Slowness::gave_up) && attempts.tried.is_empty() {
                        solution.report.conclude(Outcome::Stagnated);
                    }
                    let enough = !self.may_do_better::<S>(&solution.report);
                    attempts.keep(solution);
                    if enough {
                        break;
                    }
                }
                Err(error) if attempts.tried.is_empty() && !is_for_another_method(&error) => return Err(error),
                Err(error) => attempts.fail(method, error),
            }
            let Some(follower) = self.follower(&attempts.tried, prepared)? else { break };
            method = follower;
            solver.observer = self.observer.clone();
            if solver.precision == Choice::Given(Precision::Hybrid) {
                solver.precision = Precision::Double.into(); // it was given up already where it was of no use
            }
        }
        attempts.conclude(&reason)
    }

    /// Who looks at the rate of the first iterations: nobody where a limit was set, where elimination is not affordable, or on a GPU,
    /// which would wait for it.
    fn slowness<S: Scalar>(&self, method: Method, prepared: &PreparedMatrix<'_, S>, rhs_norm: f64) -> Option<Slowness> {
        let is_host = !matches!(self.choice.resolve(prepared.A().nnz(), method).0, Device::Cuda(_));
        let wanted = method.krylov().is_some() && is_host && !self.wants_iterations();
        let direct = if method == Method::CG { Method::Cholesky } else { Method::Lu };
        let products = wanted.then(|| prepared.products_of(direct)).flatten()?;
        let threshold = (self.rtol_for::<S>() * rhs_norm).max(self.atol);
        (threshold > 0.0).then(|| Slowness::new(threshold, products))
    }

    /// The method for the matrix.
    fn choose<S: Scalar>(&self, prepared: &mut PreparedMatrix<'_, S>) -> Result<Chosen> {
        prepared.choose(self.wants_iterations(), |A, elimination| choose(A, elimination, || self.free_memory(A)))
    }

    /// Whether another method may do better. Who has set a limit of iterations wants no more than those.
    fn may_do_better<S: Scalar>(&self, report: &Report) -> bool {
        let ran_out = report.outcome == Outcome::IterationLimit && self.max_iterations == Choice::Auto;
        ran_out || is_worth_a_change::<S>(report.outcome, report.backward_error, report.true_residual)
    }

    /// What to try after these.
    fn follower<S: Scalar>(&self, tried: &[Attempt], prepared: &mut PreparedMatrix<'_, S>) -> Result<Option<Method>> {
        let iterating = Self { iterates: true, ..self.clone() };
        let Chosen { method, needs_mean_zero, .. } = iterating.choose(prepared)?;
        let price = |method| if needs_mean_zero { Price::TooMuch } else { prepared.price(method) };
        let follower = next(tried, price, method).map(|follower| self.adapt_to_inner(follower));
        Ok(follower.filter(|follower| !tried.iter().any(|attempt| attempt.method == *follower)))
    }

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
        let asked = self.preconditioner.named().and_then(|named| named.sweeps()).is_some();
        self.triangular == Choice::Auto && !asked && report.has_swept()
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

    /// The method that was chosen, or one of its kind that can do what was asked for beside it.
    fn adapt(&self, method: Method, reason: String) -> (Method, String) {
        let flexible = self.adapt_to_inner(method);
        if flexible != method {
            return (flexible, format!("{reason}, and the preconditioner is an inner solve"));
        }
        let can_be_inside = method.krylov().is_some_and(|krylov| InnerMethod::krylov(krylov).is_ok());
        let has_inner = matches!(self.preconditioner, Choice::Given(Preconditioning::Inner(_)));
        if self.precision == Choice::Given(Precision::Hybrid) && !has_inner && !can_be_inside {
            return (Krylov::Bicgstab.into(), format!("{reason}, and {method} cannot run in hybrid precision"));
        }
        (method, reason)
    }

    /// A method whose preconditioner may change, if that is to be an inner solve.
    fn adapt_to_inner(&self, method: Method) -> Method {
        match (self.preconditioner, method.krylov()) {
            (Choice::Given(Preconditioning::Inner(_)), Some(krylov)) => krylov.flexible().into(),
            (Choice::Given(Preconditioning::Inner(_)), None) => Krylov::Vpgcr { restart: 30 }.into(),
            _ => method,
        }
    }

    /// The free memory of the GPU that a large system would be solved on.
    fn free_memory<S: Scalar>(&self, A: &Csr<S>) -> Option<usize> {
        match self.choice.resolve(A.nnz(), Krylov::Bicgstab.into()).0 {
            Device::Cuda(number) => Some(Gpu::open(number).ok()?.free_memory().ok()?.0),
            Device::Cpu | Device::Reference => None,
        }
    }
}

/// Whether an error is about what one method or its preconditioner needs.
fn is_for_another_method(error: &Error) -> bool {
    let Error::Linalg(error) = error else { return false };
    let direct = matches!(error, LinalgError::Factorisation { .. } | LinalgError::FactorTooLarge { .. });
    direct || matches!(error, LinalgError::Singular { .. } | LinalgError::NegativeDiagonal { .. })
}

/// Seconds of an attempt.
fn seconds(report: &Report) -> f64 {
    report.setup_seconds + report.transfer_seconds + report.solve_seconds
}

impl<S: Scalar> Attempts<S> {
    fn keep(&mut self, solution: Solution<S>) {
        self.tried.extend(solution.report.attempts());
        let better = |best: &Solution<S>| {
            let (now, then) = (&solution.report, &best.report);
            now.converged || now.true_residual < then.true_residual || then.true_residual.is_nan()
        };
        if self.best.as_ref().is_none_or(better) {
            if let Some(worse) = self.best.replace(solution) {
                self.lost.add(Stage::Attempts, seconds(&worse.report));
            }
        } else {
            self.lost.add(Stage::Attempts, seconds(&solution.report));
        }
    }

    fn fail(&mut self, method: Method, error: Error) {
        self.tried.push(Attempt::failed(method));
        self.failure = Some(error);
    }

    /// The best answer, with what was tried; the last error if there is no answer at all, or if elimination found the matrix singular
    /// and iterations have not met the tolerance either.
    fn conclude(self, reason: &str) -> Result<Solution<S>> {
        let is_singular = is_failed_elimination(&self.tried);
        let (mut solution, failure) = match (self.best, self.failure) {
            (Some(solution), failure) if solution.report.converged || !is_singular => (solution, failure),
            (_, failure) => return Err(failure.expect("every attempt was kept or has failed")),
        };
        let report = &mut solution.report;
        report.tried = self.tried;
        report.spend(&self.lost);
        let first = report.tried[0].name();
        let failures: Vec<String> =
            report.failures().into_iter().chain(failure.as_ref().map(Error::to_string)).collect();
        report.reason_first(&match report.tried.len() {
            1 => reason.to_string(),
            _ => format!("{first} was first, because the matrix is {reason}; {}", failures.join("; ")),
        });
        if let (Some(advice), Some(failure)) = (&mut report.advice, failure) {
            *advice = format!("{advice}; another method failed: {failure}");
        }
        Ok(solution)
    }
}

/// Whether elimination was first, and LU has failed.
fn is_failed_elimination(tried: &[Attempt]) -> bool {
    let has_failed =
        |attempt: &Attempt| matches!(attempt.method, Method::Lu | Method::Dense) && attempt.outcome.is_none();
    tried[0].method.krylov().is_none() && tried.iter().any(has_failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d};
    use galerkit_linalg::precond::Preconditioner;

    /// For b of ones.
    fn solve(solver: &Solver, A: &Csr<f64>) -> Result<Solution<f64>> {
        solver.solve(A, &vec![1.0; A.rows()])
    }

    /// As if a GPU had picked one sweep, which breaks down or runs astray; the exact solve is then the answer.
    #[test]
    fn exact_solves_follow_sweeps_that_failed() {
        let A = poisson2d(20, Stencil::Points5).unwrap();
        let b = vec![1.0; A.rows()];
        let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Ilu { fill: 0 });
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
