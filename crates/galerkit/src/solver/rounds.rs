//! Solves of a scaled system for one residual after the other, until the given system has the residual that was asked
//! for.

use super::selection::relative;
use crate::error::Result;
use crate::report::Report;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Outcome, backward_error, frobenius_norm, norm, residual};
use galerkit_linalg::sparse::Csr;

/// The most rounds.
const MOST: usize = 10;
/// A round need not reach less than so many units of rounding: the next one begins with what it has left.
const ROUNDING: f64 = 4096.0;
/// What a later round need not reach.
const LOOSEST: f64 = 0.1;
/// What the tolerance of a later round has in reserve.
const RESERVE: f64 = 0.5;

/// x with what is left of b, and the reports of the rounds so far as one.
pub(super) struct Rounds<'a, S> {
    A: &'a Csr<S>,
    b: &'a [S],
    tolerance: f64,
    pub(super) x: Vec<S>,
    pub(super) r: Vec<S>,
    /// ||r||
    left: f64,
    /// The relative tolerance of the next round.
    pub(super) rtol: f64,
    report: Option<Report>,
    count: usize,
}

impl<'a, S: Scalar> Rounds<'a, S> {
    /// Before the first, to a norm of b - A x.
    pub(super) fn new((A, b): (&'a Csr<S>, &'a [S]), start: Option<&[S]>, tolerance: f64) -> Self {
        let x = start.map_or_else(|| vec![S::zero(); b.len()], <[S]>::to_vec);
        let r = if start.is_some() { residual(A, b, &x) } else { b.to_vec() };
        let left = norm(&r);
        let rtol = if left > tolerance { (tolerance / left).max(Self::least()) } else { 1.0 };
        Self { A, b, tolerance, x, r, left, rtol, report: None, count: 0 }
    }

    fn least() -> f64 {
        ROUNDING * S::eps()
    }

    /// Iterations so far.
    pub(super) fn iterations(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.iterations)
    }

    /// Takes a step from x, and what came of it; whether another round may do better.
    pub(super) fn take(&mut self, step: &[S], round: Report) -> bool {
        self.count += 1;
        let next: Vec<S> = self.x.iter().zip(step).map(|(&x, &d)| x + d).collect();
        let r = residual(self.A, self.b, &next);
        let (before, now) = (self.left, norm(&r));
        let share = relative(before, norm(self.b));
        if now < before {
            (self.x, self.r, self.left) = (next, r, now);
        }
        let (could_do_better, has_gained) = (self.rtol > Self::least(), now <= before / 2.0);
        let goes_on = round.outcome == Outcome::Converged && now > self.tolerance && self.count < MOST;
        let amplified = now / before / self.rtol; // by the scaling, in this round
        self.rtol = (RESERVE * self.tolerance / self.left / amplified).clamp(Self::least(), LOOSEST);
        self.report = Some(joined(self.report.take(), round, share));
        goes_on && (has_gained || could_do_better)
    }

    /// x, with a report of all rounds.
    pub(super) fn conclude(self) -> Result<(Vec<S>, Report)> {
        let rhs_norm = norm(self.b);
        let mut report = self.report.expect("a round was taken");
        report.rhs_norm = rhs_norm;
        report.true_residual = relative(self.left, rhs_norm);
        report.recursive_residual = report.true_residual;
        report.backward_error = backward_error(self.left, frobenius_norm(self.A), norm(&self.x), rhs_norm);
        report.conclude(match report.outcome {
            _ if self.left <= self.tolerance => Outcome::Converged,
            Outcome::Converged => Outcome::Stagnated,
            other => other,
        });
        Ok((self.x, report))
    }
}

/// The last round with what was spent on those before; its history begins where theirs ended, at this share of ||b||.
fn joined(before: Option<Report>, round: Report, share: f64) -> Report {
    let history: Vec<f64> = round.history.iter().map(|norm| norm * share).collect();
    let Some(mut all) = before else { return Report { history, ..round } };
    all.history.extend(history.into_iter().skip(1));
    all.setup_stages.append(&round.setup_stages);
    Report {
        iterations: all.iterations + round.iterations,
        products: all.products + round.products,
        restarts: all.restarts + round.restarts + 1,
        history: all.history,
        setup_seconds: all.setup_seconds + round.setup_seconds,
        transfer_seconds: all.transfer_seconds + round.transfer_seconds,
        setup_stages: all.setup_stages,
        solve_seconds: all.solve_seconds + round.solve_seconds,
        bytes_moved: all.bytes_moved.zip(round.bytes_moved).map(|(all, round)| all + round),
        ..round
    }
}
