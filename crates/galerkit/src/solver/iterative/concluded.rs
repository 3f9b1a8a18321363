//! What the tuner has concluded, for reports.

use crate::report::Storage;
use galerkit_cuda::tune::{Candidate, Choice, Origin, Plan};

/// The decision of the tuner, found out once: writing it down takes as long as a few iterations of a small system.
pub(super) struct Concluded {
    /// So many candidates were timed.
    pub(super) timed: usize,
    pub(super) choice: Choice,
    /// The format that measuring brought, and why.
    pub(super) measured: Option<(Storage, String)>,
}

impl Concluded {
    /// With what was measured, and the alternative that was taken.
    pub(super) fn of(plan: &Plan, timed: &[(String, f64)], taken: Option<&str>) -> Self {
        let choice = plan.conclude(timed, taken);
        Self { timed: timed.len(), measured: measured(&choice), choice }
    }
}

fn measured(choice: &Choice) -> Option<(Storage, String)> {
    let loss = choice.loss().filter(|_| choice.from == Origin::Measured)?;
    let candidate: Candidate = choice.taken.parse().ok()?;
    let reason = format!("{candidate} was taken; the model's pick is {:.0} % slower than the best", 100.0 * loss);
    Some((candidate.format.into(), reason))
}
