//! Warnings: nothing drives the field, a matrix is nearly singular, iterations found no solution.

use super::Session;
use super::resolution::Resolution;
use super::solve::Solved;
use galerkit::Choice;
use galerkit::fem::acoustics::{Helmholtz, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::krylov::{Outcome, norm};

/// A system whose condition is larger is near a resonance.
const NEAR_RESONANCE: f64 = 1e10;
/// Below this k times the size of the domain there is no resonance but that of constants, k = 0.
const BELOW_RESONANCES: f64 = 0.1;
const NEARLY_ZERO: &str = "k is so small that constants nearly solve the equation: take a larger one, or --wavenumber 0 \
    with --wall TAG=soft[:VALUE]";
/// What helps near a resonance.
const CHANGE: &str = "change it, add losses (--wavenumber RE+IMi), or let a wall absorb";

/// Says which right-hand sides are 0.
pub fn of_silence(session: &Session<'_>, bs: &[Vec<c64>]) {
    let silent = (0..bs.len()).filter(|&case| norm(&bs[case]) == 0.0);
    for case in silent {
        let of = session.plan.cases.get(case).map_or(String::new(), |case| format!("--case {}: ", case.name));
        session.note(&format!(
            "warning: {of}nothing drives the field: u = 0; give --wall NAME=velocity:V, --source or --scatter"
        ));
    }
}

/// What is to be said of the last solve.
pub fn at_the_end<V: WaveSpace>(
    session: &Session<'_>,
    problem: &Helmholtz<V>,
    solved: &Solved<V>,
    resolution: &Resolution,
) {
    let report = &solved.report;
    if session.plan.place.device != Choice::Given(report.device) {
        session.note(&format!("device {}: {}", report.device, report.device_reason));
    }
    if let Some(advice) = &report.advice {
        session.note(&format!("note: {advice}"));
    }
    let seen = solved.condition.filter(|seen| *seen > NEAR_RESONANCE || !seen.is_finite());
    let is_lossless = solved.k.im == 0.0 && !problem.has_losses();
    if let Some(seen) = seen {
        let is_nearly_zero = problem.floats() && solved.k.norm() * resolution.extent < BELOW_RESONANCES;
        let why = if is_nearly_zero { NEARLY_ZERO.into() } else { format!("k is close to a resonance: {CHANGE}") };
        let least = format!("its condition number is at least {seen:.1e}");
        session.note(&format!("warning: the system is nearly singular: {least}. {why}"));
    } else if !report.converged && report.outcome != Outcome::Interrupted && is_lossless {
        let why = "nothing here absorbs sound, so k may be near a resonance";
        session.note(&format!("warning: no solution was found: {why}: {CHANGE}; --method lu tells how near"));
    }
}
