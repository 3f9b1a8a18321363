//! One solve with what was prepared: scaled, rounded, by the method that was asked for or by those that the program
//! tries.

use super::brought_back::brought_back;
use super::prepared::PreparedMatrix;
use super::scaled::{ResidualOf, scaled};
use super::scaling::{power, times, times_power};
use super::slowness::advise_patience;
use super::watcher::Watcher;
use super::{Solution, Solver, require_vector, selection};
use crate::choice::{Choice, Method};
use crate::device::{on_threads, threads_used};
use crate::error::{Error, Result};
use crate::precision::{Precision, is_single};
use crate::report::Report;
use galerkit_direct::Transposition;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Outcome, norm, residual};
use galerkit_linalg::sparse::Csr;

/// A residual relative to b above it has grown, whatever the method has watched.
const GROWN: f64 = 1e3;

impl Solver {
    /// Solves with what was prepared, from x = 0 or from a start.
    pub(crate) fn solve_in<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
        start: Option<&[S]>,
    ) -> Result<Solution<S>> {
        let A = prepared.A();
        prepared.check(self)?;
        require_vector("the right-hand side", prepared.rows(), b)?;
        let is_rounded = self.precision == Choice::Given(Precision::Single) && !is_single::<S>();
        if !is_rounded && prepared.scale().is_some() {
            return self.solve_with_scaled(prepared, (b, start));
        }
        if let Some(power) = power(b, is_rounded || is_single::<S>() || self.rounds_residuals()) {
            let solve = |solver: &Self, b: &[S], start: Option<&[S]>| solver.solve_in(prepared, b, start);
            let residual_of = |b: &[S], x: &[S]| {
                let rows = A.view().host().ok()?;
                Some(selection::relative(norm(&residual(rows, b, x)), norm(b)))
            };
            return self.solve_scaled((b, start), power, solve, &residual_of);
        }
        if is_rounded {
            return self.solve_rounded(prepared.round()?, A.view().host()?, (b, start));
        }
        on_threads(self.threads, || {
            let mut solution = match self.method {
                Choice::Auto => self.solve_auto(prepared, (b, start))?,
                Choice::Given(method) => {
                    prepared.check_method(method, |known| selection::require_suitable(known, method))?;
                    let mut solution = self.solve_by(method, prepared, (b, start))?;
                    solution.report.reason_first("asked for");
                    solution.report.tried = solution.report.attempts();
                    self.advise_singular(prepared, b, &mut solution.report)?;
                    solution
                }
            };
            let report = &mut solution.report;
            report.spend(&prepared.take_stages());
            (report.rtol, report.atol) = (self.rtol_for::<S>(), self.atol);
            if report.outcome == Outcome::IterationLimit {
                advise_patience(report);
            }
            self.advise_multigrid(A.view(), report);
            if is_single::<S>() {
                selection::advise_hybrid(report);
            }
            Ok(solution)
        })
    }

    /// Says of a solve that failed if it had no solution to find.
    fn advise_singular<S: Scalar>(&self, prepared: &PreparedMatrix<'_, S>, b: &[S], report: &mut Report) -> Result<()> {
        let (A, facts, rhs_norm) = (prepared.A(), prepared.facts(), norm(b));
        let is_open = !report.converged && report.outcome != Outcome::Interrupted;
        if report.outcome == Outcome::Stagnated && report.true_residual > GROWN {
            report.conclude(Outcome::Diverged); // MINRES believes in its recurrence
        }
        if is_open && facts.annihilates_constants(A.view()) && facts.is_nearly_self_adjoint(A.view()) {
            let parts = facts.parts(A.view())?;
            let refused = parts.require_mean_zero(b, self.threshold::<S>(rhs_norm), rhs_norm).err();
            report.advice = refused.map(|refused| refused.to_string()).or(report.advice.take());
        }
        Ok(())
    }

    /// Solves with 2^power A and brings x back.
    fn solve_with_scaled<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let A = prepared.A();
        let (power, scaled) = prepared.scale().expect("it was found to be out of range");
        let observer = self.observer.clone().map(|observer| observer.with_scaled_x::<S>(-power));
        let solver = Self { observer, ..self.clone() };
        let start = start.map(|x| times_power(x, -power));
        let Solution { x, report } = solver.solve_in(scaled, b, start.as_deref())?;
        let rhs_norm = norm(b);
        let residual_of = |y: &[S]| {
            let rows = A.view().host().ok()?;
            Some(selection::relative(norm(&residual(rows, b, &times_power(y, power))), rhs_norm))
        };
        Ok(brought_back(&x, -power, report, &residual_of))
    }

    /// Solves for 2^power b and brings x back.
    pub(super) fn solve_scaled<S: Scalar>(
        &self,
        (b, start): (&[S], Option<&[S]>),
        power: i32,
        solve: impl FnOnce(&Self, &[S], Option<&[S]>) -> Result<Solution<S>>,
        residual_of: ResidualOf<'_, S>,
    ) -> Result<Solution<S>> {
        let (b, start) = (times_power(b, power), start.map(|x| times_power(x, power)));
        let Solution { x, mut report } = solve(&scaled::<S>(self, power), &b, start.as_deref())?;
        report.rhs_norm = times(report.rhs_norm, -power);
        report.atol = self.atol;
        Ok(brought_back(&x, power, report, &|x| residual_of(&b, x)))
    }

    /// Solves with every number rounded to single precision; the answer is judged in that of the matrix.
    pub(super) fn solve_rounded<S: Scalar>(
        &self,
        rounded: &mut PreparedMatrix<'_, S::Single>,
        A: &Csr<S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let single = |x: &[S]| x.iter().map(|value| value.to_single()).collect::<Vec<S::Single>>();
        let observer = self.observer.clone().map(Watcher::widened::<S>);
        let solver = Self { observer, ..self.clone() };
        let Solution { x, mut report } = solver.solve_in(rounded, &single(b), start.map(single).as_deref())?;
        let x: Vec<S> = x.into_iter().map(S::widen).collect();
        let truth = norm(&residual(A, b, &x));
        report.true_residual = selection::relative(truth, report.rhs_norm);
        if report.converged && report.true_residual > report.tolerance() {
            report.conclude(Outcome::Stagnated);
            selection::advise_hybrid(&mut report);
        }
        Ok(Solution { x, report })
    }

    pub(super) fn solve_by<S: Scalar>(
        &self,
        method: Method,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let (device, reason) = self.choice.resolve(prepared.nnz(), method);
        let placed = Self { device, ..self.clone() };
        let mut solution = match method.krylov() {
            Some(krylov) => placed.solve_or_match(krylov, prepared, (b, start))?,
            None if self.precision == Choice::Given(Precision::Hybrid) => {
                return Err(Error::NoIterations { method: method.to_string() });
            }
            None => prepared.eliminate(&placed, (method, Transposition::None), b)?,
        };
        let report = &mut solution.report;
        (report.device, report.device_reason, report.threads) = (device, reason, threads_used(device));
        Ok(solution)
    }
}
