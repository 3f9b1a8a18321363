//! What a solve returns.

use crate::report::Report;

/// The solution and how it was found.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson1d?n=3")?.into_real()?;
/// let Solution { x, report } = Solver::new().solve(&A, &[1.0, 0.0, 1.0])?;
/// assert!(report.converged && x.iter().all(|x| (x - 1.0).abs() < 1e-7));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solution<S> {
    /// x, in the order of the input.
    pub x: Vec<S>,
    /// How it went; look at `converged`.
    pub report: Report,
}
