//! A method that is left to the program: the method that suits the matrix by what can be seen of it, and after one that
//! failed the next, each from x = 0. The best answer is returned; the report says what was tried and why it changed.

use super::elimination::Price;
use super::followers::{is_worth_a_change, next};
use super::least_squares::{AS_THE_ANSWER, IN_PASSING};
use super::prepared::PreparedMatrix;
use super::selection::{Chosen, choose};
use super::slowness::{PATIENCE, Slowness, advise_patience};
use super::{Solution, Solver};
use crate::choice::{Choice, Device, Method, Preconditioning, Variant};
use crate::error::{Error, Result};
use crate::precision::Precision;
use crate::report::{Attempt, Report};
use crate::stages::{Stage, Stages};
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::krylov::{InnerMethod, Krylov, Outcome, norm};
use galerkit_linalg::precond::Preconditioner;
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
        if let Some(solution) = self.solve_without_empty_rows(prepared, b)? {
            return Ok(solution);
        }
        let Chosen { method, reason, needs_mean_zero } = self.choose(prepared)?;
        let null_space = if needs_mean_zero { self.constants(prepared, b)? } else { None };
        let (mut method, mut reason) = self.adapt(method, reason);
        let mut solver = self.clone();
        let mut attempts = Attempts { tried: Vec::new(), best: None, lost: Stages::default(), failure: None };
        loop {
            let slowness = if needs_mean_zero { None } else { self.slowness(method, prepared, norm(b)) };
            solver.observer = match &slowness {
                Some(slowness) => Some(slowness.watcher(self.observer.clone())),
                None => self.observer.clone(),
            };
            match solver.solve_or_weaken(self.preconditioner, method, prepared, (b, start)) {
                Ok(mut solution) => {
                    if let Some(known) = self.without_null_vectors(method, &solution.report, prepared, b)? {
                        solution = known;
                    }
                    let is_hopeless = slowness.as_ref().is_some_and(Slowness::gave_up);
                    if is_hopeless {
                        solution.report.conclude(Outcome::Stagnated);
                        advise_patience(&mut solution.report);
                    }
                    // Nothing is known to be faster where A = A^H and elimination is out of reach.
                    let is_last = is_hopeless && method == Krylov::Minres.into() && !has_direct(prepared, method);
                    let enough = is_last || !self.may_do_better::<S>(&solution.report);
                    attempts.keep(solution);
                    if enough {
                        break;
                    }
                }
                Err(error) if attempts.tried.is_empty() && is_for_general(&error, method) => {
                    reason = format!("{reason}, and {method} cannot have that preconditioner");
                    method = Krylov::Bicgstab.into();
                    continue;
                }
                Err(error) if attempts.tried.is_empty() && !is_for_another_method(&error) => return Err(error),
                Err(error) => {
                    let is_singular = is_singular(&error);
                    attempts.fail(method, error);
                    if is_singular && attempts.keep_any(self.solve_singular(prepared, b, AS_THE_ANSWER)?) {
                        break;
                    }
                }
            }
            let Some(follower) = self.follower(&attempts.tried, prepared)? else { break };
            method = follower;
            solver.preconditioner = stronger(self.preconditioner, &attempts.tried, method);
            if solver.precision == Choice::Given(Precision::Hybrid) {
                solver.precision = Precision::Double.into(); // it was given up already where it was of no use
            }
        }
        if self.may_be_singular(&attempts) {
            attempts.keep_any(self.solve_singular(prepared, b, AS_THE_ANSWER)?);
        }
        let mut solution = attempts.conclude(&reason)?;
        solution.report.null_space = solution.report.null_space.or(null_space);
        Ok(solution)
    }

    /// For self-adjoint A whose rows sum to zero: an error where b has no x, else the dimension of the null space where
    /// that is known.
    fn constants<S: Scalar>(&self, prepared: &mut PreparedMatrix<'_, S>, b: &[S]) -> Result<Option<usize>> {
        let (A, rhs_norm) = (prepared.A(), norm(b));
        let parts = prepared.facts().parts(A.view())?;
        parts.require_mean_zero(b, self.threshold::<S>(rhs_norm), rhs_norm)?;
        Ok(parts.has_no_other_null_vectors.then_some(parts.count))
    }

    /// The solution of least norm in place of one whose null vectors are what rounding left, if factors say that there
    /// are any.
    fn without_null_vectors<S: Scalar>(
        &self,
        method: Method,
        report: &Report,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
    ) -> Result<Option<Solution<S>>> {
        let is_direct = method.krylov().is_none() && report.converged;
        match is_direct && prepared.is_nearly_singular(method)? {
            true => Ok(self.solve_singular(prepared, b, IN_PASSING)?.filter(|found| found.report.converged)),
            false => Ok(None),
        }
    }

    /// Whether nothing has met the tolerance, and nobody has said how far to go.
    fn may_be_singular<S: Scalar>(&self, attempts: &Attempts<S>) -> bool {
        let best = attempts.best.as_ref().map(|best| best.report.outcome);
        let is_open = best.is_none_or(|best| !matches!(best, Outcome::Converged | Outcome::Interrupted));
        let is_known = attempts.best.as_ref().is_some_and(|best| best.report.null_space.is_some());
        is_open && !is_known && !self.wants_iterations()
    }

    /// Solves by a method; a factorisation that the matrix has not gives way to the preconditioner that was asked for.
    fn solve_or_weaken<S: Scalar>(
        &self,
        asked: Choice<Preconditioning>,
        method: Method,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        match self.solve_by(method, prepared, (b, start)) {
            Err(Error::Linalg(_)) if self.preconditioner != asked => {
                Self { preconditioner: asked, ..self.clone() }.solve_by(method, prepared, (b, start))
            }
            solved => solved,
        }
    }

    /// Who looks at the rate of iterations: nobody where a limit was set, where nothing better would follow, or on a
    /// GPU, which would wait for it.
    fn slowness<S: Scalar>(&self, method: Method, prepared: &PreparedMatrix<'_, S>, rhs_norm: f64) -> Option<Slowness> {
        let is_host = !matches!(self.choice.resolve(prepared.nnz(), method).0, Device::Cuda(_));
        let wanted = method.krylov().is_some() && is_host && !self.wants_iterations();
        let products = wanted.then(|| prepared.products_of(direct(method)));
        let products = products?.or((method != Method::CG).then_some(PATIENCE))?;
        let threshold = (self.rtol_for::<S>() * rhs_norm).max(self.atol);
        (threshold > 0.0).then(|| Slowness::new(threshold, products))
    }

    /// The method for the matrix.
    fn choose<S: Scalar>(&self, prepared: &mut PreparedMatrix<'_, S>) -> Result<Chosen> {
        prepared.choose(self.wants_iterations(), |known, elimination| {
            choose(known, elimination, || self.free_memory(known.0.nnz()))
        })
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

    /// The method that was chosen, or one of its kind that can do what was asked for beside it.
    fn adapt(&self, method: Method, reason: String) -> (Method, String) {
        let flexible = self.adapt_to_inner(method);
        if flexible != method {
            return (flexible, format!("{reason}, and the preconditioner varies from one application to the next"));
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
            (Choice::Given(Preconditioning::Named(name)), Some(krylov)) if name.varies() => krylov.flexible().into(),
            (Choice::Given(Preconditioning::Inner(_)), None) => Krylov::Vpgcr { restart: 30 }.into(),
            _ => method,
        }
    }

    /// The free memory of the GPU that a large system would be solved on.
    fn free_memory(&self, nnz: usize) -> Option<usize> {
        match self.choice.resolve(nnz, Krylov::Bicgstab.into()).0 {
            Device::Cuda(number) => Some(Gpu::open(number).ok()?.free_memory().ok()?.0),
            Device::Cpu | Device::Reference => None,
        }
    }
}

/// What preconditions a method that follows others: where that was left to the program and iterations have failed with
/// the diagonal, incomplete factors, in the variant that is expected to be the fastest.
fn stronger(asked: Choice<Preconditioning>, tried: &[Attempt], method: Method) -> Choice<Preconditioning> {
    let has_iterated = tried.iter().any(|attempt| attempt.method.krylov().is_some());
    let is_general = method.krylov().is_some_and(|krylov| !krylov.needs_hermitian());
    match asked {
        Choice::Auto if has_iterated && is_general => {
            Preconditioning::Variant(Preconditioner::Ilu { fill: 0 }, Variant::Auto).into()
        }
        asked => asked,
    }
}

/// The elimination that would follow a method.
fn direct(method: Method) -> Method {
    if method == Method::CG { Method::Cholesky } else { Method::Lu }
}

/// Whether that is affordable.
fn has_direct<S: Scalar>(prepared: &PreparedMatrix<'_, S>, method: Method) -> bool {
    prepared.products_of(direct(method)).is_some()
}

/// Whether a preconditioner is there, but not for a method that needs a Hermitian one.
fn is_for_general(error: &Error, method: Method) -> bool {
    let needs =
        matches!(error, Error::MatchedForHermitian { .. } | Error::Linalg(LinalgError::NotPositivePivot { .. }));
    needs && method.krylov().is_some_and(Krylov::needs_hermitian)
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
            let explains = now.null_space.is_some() && !then.converged;
            now.converged || explains || now.true_residual < then.true_residual || then.true_residual.is_nan()
        };
        if self.best.as_ref().is_none_or(better) {
            if let Some(worse) = self.best.replace(solution) {
                self.lost.add(Stage::Attempts, seconds(&worse.report));
            }
        } else {
            self.lost.add(Stage::Attempts, seconds(&solution.report));
        }
    }

    /// Keeps a solution, if there is one.
    fn keep_any(&mut self, solution: Option<Solution<S>>) -> bool {
        let is_any = solution.is_some();
        solution.into_iter().for_each(|solution| self.keep(solution));
        is_any
    }

    fn fail(&mut self, method: Method, error: Error) {
        self.tried.push(Attempt::failed(method));
        self.failure = Some(error);
    }

    /// The best answer, with what was tried; the last error if there is no answer at all.
    fn conclude(self, reason: &str) -> Result<Solution<S>> {
        let (mut solution, failure) = match (self.best, self.failure) {
            (Some(solution), failure) => (solution, failure),
            (None, failure) => return Err(failure.expect("every attempt was kept or has failed")),
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

/// Whether an error says that LU met a zero pivot.
fn is_singular(error: &Error) -> bool {
    let Error::Linalg(error) = error else { return false };
    let of_lu = |diagnosis: &str| diagnosis.starts_with("singular");
    matches!(error, LinalgError::Singular { .. })
        || matches!(error, LinalgError::Factorisation { diagnosis, .. } if of_lu(diagnosis))
}

#[cfg(test)]
mod tests {
    use super::super::selection::gmres;
    use super::*;
    use galerkit_linalg::sparse::{Coo, Csr};

    #[test]
    fn iterations_that_failed_are_followed_by_factors() {
        let (auto, bicgstab) = (Choice::Auto, Krylov::Bicgstab.into());
        let after = |asked, tried: Method, next| stronger(asked, &[Attempt::failed(tried)], next).to_string();
        assert_eq!(after(auto, bicgstab, gmres(30)), "ilu0:auto");
        assert_eq!(after(auto, Method::CG, Krylov::Minres.into()), "auto", "its preconditioner must be definite");
        assert_eq!(after(auto, Method::Lu, bicgstab), "auto", "nothing has been iterated yet");
        assert_eq!(after(auto, bicgstab, Method::Lu), "auto");
        assert_eq!(after(Preconditioner::None.into(), bicgstab, gmres(30)), "none");
    }

    /// Two rows that share one column have no factors, matched or not; the diagonal does instead.
    #[test]
    fn factors_that_are_not_there_give_way() {
        let entries = [(0, 0, 2.0), (1, 0, 1.0), (2, 2, 3.0)];
        let A: Csr<f64> = Coo::from_triples(3, 3, &entries).unwrap().to_csr().0;
        let auto = Choice::Auto;
        let tried = [Attempt::failed(Krylov::Bicgstab.into())];
        let solver = Solver { preconditioner: stronger(auto, &tried, gmres(30)), ..Solver::new() };
        let mut prepared = super::super::prepared::PreparedMatrix::new(&A);
        let b = [2.0, 1.0, 3.0];
        assert!(solver.solve_by(gmres(30), &mut prepared, (&b, None)).is_err());
        let report = solver.solve_or_weaken(auto, gmres(30), &mut prepared, (&b, None)).unwrap().report;
        assert_eq!((report.converged, report.preconditioner.to_string().as_str()), (true, "none"), "{report}");
    }
}
