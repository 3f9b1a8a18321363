//! Amdahl's law with measured phases: of a solve in the first place the share F is in the loop, which another place
//! runs A_m times as fast; set-up and transfers stay. So the whole can be A = 1 / ((1 - F) + F / A_m) times as fast.
//! What is measured differs from it by what the other place sets up faster, or copies.

use super::Row;
use serde::Serialize;

/// A solve in two places.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Amdahl {
    /// Rows of the matrix.
    pub unknowns: usize,
    /// The solver.
    pub solver: String,
    /// The place that others are compared to.
    pub from: String,
    /// The place that is compared to it.
    pub place: String,
    /// F, the share of the loop in the first of both.
    pub fraction: f64,
    /// A_m, the speed-up of the loop.
    pub of_loop: f64,
    /// A, what the law allows.
    pub expected: f64,
    /// The speed-up of everything.
    pub measured: f64,
}

/// Of two rows of the same solve; none where one was not run.
pub fn amdahl(first: &Row, other: &Row) -> Option<Amdahl> {
    let ran = |row: &Row| row.is_solved() && row.seconds > 0.0 && row.loop_seconds > 0.0;
    if !(ran(first) && ran(other)) {
        return None;
    }
    let fraction = first.loop_seconds / first.seconds;
    let of_loop = first.loop_seconds / other.loop_seconds;
    Some(Amdahl {
        unknowns: first.unknowns,
        solver: first.solver.clone(),
        from: first.place.clone(),
        place: other.place.clone(),
        fraction,
        of_loop,
        expected: 1.0 / ((1.0 - fraction) + fraction / of_loop),
        measured: first.seconds / other.seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(place: &str, setup: f64, transfer: f64, loop_seconds: f64) -> Row {
        Row {
            unknowns: 1000,
            entries: 7000,
            solver: "cg".into(),
            format: Some("csr".into()),
            place: place.into(),
            skipped: None,
            outcome: Some("converged"),
            iterations: 10,
            setup_seconds: setup,
            transfer_seconds: transfer,
            loop_seconds,
            seconds: setup + transfer + loop_seconds,
            error: Some(0.0),
            true_residual: Some(0.0),
        }
    }

    #[test]
    fn a_loop_of_three_quarters_that_is_three_times_as_fast_halves_the_time() {
        let found = amdahl(&row("cpu, 1 core", 1.0, 0.0, 3.0), &row("cuda:0", 1.0, 2.0, 1.0)).unwrap();
        assert_eq!((found.fraction, found.of_loop, found.expected, found.measured), (0.75, 3.0, 2.0, 1.0));
        let mut failed = row("cuda:0", 1.0, 0.0, 1.0);
        failed.error = Some(1.0);
        assert!(amdahl(&row("cpu, 1 core", 1.0, 0.0, 3.0), &failed).is_none());
    }
}
