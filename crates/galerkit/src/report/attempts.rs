//! Attempts from the reports of what was tried.

use super::{Attempt, Report};

impl Attempt {
    /// What came of a method.
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            method: report.method,
            is_hybrid: false,
            triangular: None,
            outcome: Some(report.outcome),
            iterations: report.iterations,
            true_residual: report.true_residual,
        }
    }

    /// What came of a method in hybrid precision, before it was left for double.
    pub(crate) fn hybrid(report: &Report) -> Self {
        Self { is_hybrid: true, ..Self::of(report) }
    }
}

impl Report {
    /// What was tried, this solve included.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        if self.tried.is_empty() { vec![Attempt::of(self)] } else { self.tried.clone() }
    }
}
