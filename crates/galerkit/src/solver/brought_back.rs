//! An x that comes back from a scaled system: where numbers do not reach so far, or lose digits near their least, it is
//! not the x that was solved for, and is judged once more.

use super::Solution;
use super::scaling::times_power;
use super::selection::relative;
use crate::report::Report;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Outcome, first_not_finite, norm};

const BEYOND: &str = "x is larger than its numbers can be: scale the system, or use double precision";
const LOST: &str = "entries of x are so small that they lose digits: scale the system, or use double precision";

/// x over 2^power. `residual` is the relative one of the scaled system; of a map without rows none, whose x may change
/// as little as its residual may be large.
pub(super) fn brought_back<S: Scalar>(
    x: &[S],
    power: i32,
    mut report: Report,
    residual: &dyn Fn(&[S]) -> Option<f64>,
) -> Solution<S> {
    let back = times_power(x, -power);
    let kept = times_power(&back, power);
    if report.converged && first_not_finite(&back).is_some() {
        report.true_residual = f64::INFINITY;
        report.conclude_because(Outcome::NonFinite, BEYOND);
    } else if report.converged && kept != x {
        let change = || {
            let lost: Vec<S> = x.iter().zip(&kept).map(|(x, kept)| *x - *kept).collect();
            relative(norm(&lost), norm(x))
        };
        report.true_residual = report.true_residual.max(residual(&kept).unwrap_or_else(change));
        if report.true_residual > report.tolerance() {
            report.conclude_because(Outcome::Stagnated, LOST);
        }
    }
    Solution { x: back, report }
}
