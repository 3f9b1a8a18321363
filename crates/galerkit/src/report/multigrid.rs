//! The hierarchy of algebraic multigrid: its levels, and how much larger than the matrix all of it is.

use galerkit_linalg::Scalar;
use galerkit_linalg::multigrid::amg::{LevelSummary, Summary};
use galerkit_linalg::precond::Prepared;
use serde::Serialize;

/// A level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelReport {
    /// Rows of its matrix.
    pub rows: usize,
    /// Stored entries of its matrix.
    pub nnz: usize,
    /// Its aggregates, which are the rows of the next level, or parts of them; none on the last.
    pub aggregates: Option<usize>,
    /// Rows that are in none.
    pub outside: usize,
    /// Rounds until all were found.
    pub rounds: usize,
    /// Checksum of the aggregates, in hexadecimal digits: the same on every machine.
    pub checksum: Option<String>,
    /// Seconds from this level to the next; on the last those of its inverse.
    pub seconds: f64,
    /// Bytes of its arrays, without the matrix of the system.
    pub bytes: usize,
}

/// All levels.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=32")?.into_real()?;
/// let solver = Solver::new().preconditioner("amg,coarse=50".parse::<Preconditioner>()?);
/// let report = solver.solve(&A, &vec![1.0; A.rows()])?.report;
/// let multigrid = report.multigrid.expect("amg preconditions");
/// assert_eq!(multigrid.levels[0].aggregates, Some(multigrid.levels[1].rows));
/// assert!(multigrid.operator_complexity < 1.8);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MultigridReport {
    /// The finest first.
    pub levels: Vec<LevelReport>,
    /// Entries of all matrices by those of the finest.
    pub operator_complexity: f64,
    /// Rows of all matrices by those of the finest.
    pub grid_complexity: f64,
    /// `V`, `W` or `K`.
    pub cycle: String,
    /// Seconds of the set-up.
    pub seconds: f64,
    /// Bytes of all arrays, without the matrix of the system.
    pub bytes: usize,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

impl MultigridReport {
    /// Of a preconditioner that is one.
    pub(crate) fn of<S: Scalar>(M: &Prepared<S>) -> Option<Self> {
        match M {
            Prepared::Amg(built) => Some(built.summary().into()),
            _ => None,
        }
    }

    /// Rows of all levels, and complexities, in one line.
    pub fn line(&self) -> String {
        let rows: Vec<String> = self.levels.iter().map(|level| level.rows.to_string()).collect();
        let notes = if self.notes.is_empty() { String::new() } else { format!("; {}", self.notes.join("; ")) };
        let (rows, cycle, operator) = (rows.join(", "), &self.cycle, self.operator_complexity);
        format!(
            "{cycle}-cycle over {rows} rows, operator complexity {operator:.2}, set up in {:.3} s{notes}",
            self.seconds
        )
    }
}

impl From<LevelSummary> for LevelReport {
    fn from(level: LevelSummary) -> Self {
        let LevelSummary { rows, nnz, aggregates, outside, rounds, checksum, seconds, bytes } = level;
        let checksum = aggregates.map(|_| format!("{checksum:016x}"));
        Self { rows, nnz, aggregates, outside, rounds, checksum, seconds, bytes }
    }
}

impl From<Summary> for MultigridReport {
    fn from(summary: Summary) -> Self {
        let (seconds, bytes) = (summary.seconds(), summary.bytes());
        Self {
            levels: summary.levels.into_iter().map(LevelReport::from).collect(),
            operator_complexity: summary.operator_complexity,
            grid_complexity: summary.grid_complexity,
            cycle: summary.shape.to_string(),
            seconds,
            bytes,
            notes: summary.notes,
        }
    }
}
