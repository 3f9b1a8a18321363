//! `Method::Auto`: the method that suits the matrix by what can be seen of it, and after one that failed the next, each
//! from x = 0. The best answer is returned; the report says what was tried and why it changed.

use super::judgement::{choose, is_worth_a_change, next};
use super::{Solution, Solver};
use crate::choice::{Device, Method, PreconditionerChoice};
use crate::error::{Error, Result};
use crate::precision::Precision;
use crate::report::Attempt;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::krylov::{InnerMethod, Krylov};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error as LinalgError, Scalar};

/// What the attempts so far have brought.
struct Attempts<S> {
    tried: Vec<Attempt>,
    best: Option<Solution<S>>,
    /// Seconds spent in attempts that are not the best one.
    lost: f64,
    /// What stopped the last attempt that failed.
    failure: Option<Error>,
}

impl Solver {
    /// Tries one method after another until one does.
    pub(super) fn solve_somehow<S: Scalar>(&self, A: &Csr<S>, b: &[S]) -> Result<Solution<S>> {
        let (method, reason) = choose(A, || self.free_memory(A))?;
        let (mut method, reason) = self.adapt(method, reason);
        let mut solver = self.clone();
        let mut attempts = Attempts { tried: Vec::new(), best: None, lost: 0.0, failure: None };
        loop {
            let follower = next(method, A.rows()).map(|follower| self.adapt_to_inner(follower));
            match solver.solve_by(method, A, b) {
                Ok(solution) => {
                    let report = &solution.report;
                    let enough = !is_worth_a_change::<S>(report.outcome, report.backward_error, report.true_residual);
                    attempts.keep(solution);
                    if enough {
                        break;
                    }
                }
                Err(error) if attempts.tried.is_empty() && !is_for_another_method(&error, follower) => {
                    return Err(error);
                }
                Err(error) => attempts.fail(method, error),
            }
            let Some(follower) = follower else { break };
            method = follower;
            if solver.precision == Precision::Hybrid {
                solver.precision = Precision::Double; // it was given up already where it was of no use
            }
        }
        attempts.conclude(&reason)
    }

    /// The method that was chosen, or one of its kind that can do what was asked for beside it.
    fn adapt(&self, method: Method, reason: String) -> (Method, String) {
        let flexible = self.adapt_to_inner(method);
        if flexible != method {
            return (flexible, format!("{reason}, and the preconditioner is an inner solve"));
        }
        let can_be_inside = method.krylov().is_some_and(|krylov| InnerMethod::krylov(krylov).is_ok());
        let has_inner = matches!(self.preconditioner, PreconditionerChoice::Inner(_));
        if self.precision == Precision::Hybrid && !has_inner && !can_be_inside {
            return (Krylov::Bicgstab.into(), format!("{reason}, and {method} cannot run in hybrid precision"));
        }
        (method, reason)
    }

    /// A method whose preconditioner may change, if that is to be an inner solve.
    fn adapt_to_inner(&self, method: Method) -> Method {
        match (self.preconditioner, method.krylov()) {
            (PreconditionerChoice::Inner(_), Some(krylov)) => krylov.flexible().into(),
            (PreconditionerChoice::Inner(_), None) => Krylov::Vpgcr { restart: 30 }.into(),
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

/// Whether an error is about what one method or its preconditioner needs, and there is another method.
fn is_for_another_method(error: &Error, follower: Option<Method>) -> bool {
    follower.is_some() && matches!(error, Error::Linalg(LinalgError::NegativeDiagonal { .. }))
}

impl<S: Scalar> Attempts<S> {
    fn keep(&mut self, solution: Solution<S>) {
        let seconds = |solution: &Solution<S>| solution.report.setup_seconds + solution.report.solve_seconds;
        self.tried.extend(solution.report.attempts());
        let better = |best: &Solution<S>| {
            let (now, then) = (&solution.report, &best.report);
            now.converged || now.true_residual < then.true_residual || then.true_residual.is_nan()
        };
        if self.best.as_ref().is_none_or(better) {
            self.lost += self.best.as_ref().map_or(0.0, seconds);
            self.best = Some(solution);
        } else {
            self.lost += seconds(&solution);
        }
    }

    fn fail(&mut self, method: Method, error: Error) {
        self.tried.push(Attempt::failed(method.to_string()));
        self.failure = Some(error);
    }

    /// The best answer, with what was tried; the last error if there is no answer at all.
    fn conclude(self, reason: &str) -> Result<Solution<S>> {
        let mut solution = match (self.best, self.failure.as_ref()) {
            (Some(solution), _) => solution,
            (None, _) => return Err(self.failure.expect("every attempt was kept or has failed")),
        };
        let report = &mut solution.report;
        report.tried = self.tried;
        report.setup_seconds += self.lost;
        let first = &report.tried[0].method;
        report.reason_first(&match report.tried.len() {
            1 => reason.to_string(),
            _ => format!("{first} was first, because the matrix is {reason}; {}", report.failures().join("; ")),
        });
        if let (Some(advice), Some(failure)) = (&mut report.advice, self.failure) {
            *advice = format!("{advice}; another method failed: {failure}");
        }
        Ok(solution)
    }
}
