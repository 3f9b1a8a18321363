//! The hierarchy of multigrid, algebraic or by degrees: its levels, and how much larger than the matrix all of it is.

use galerkit_fem::Multigrid;
use galerkit_fem::multigrid::LevelSize;
use galerkit_linalg::Scalar;
use galerkit_linalg::multigrid::amg::{LevelSummary, Summary};
use galerkit_linalg::precond::Prepared;
use serde::Serialize;

/// A level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelReport {
    /// The highest degree, on levels that are spaces of finite elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<usize>,
    /// Cells, on the same levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<usize>,
    /// Rows of its matrix: unknowns.
    pub rows: usize,
    /// Stored entries of its matrix; 0 where there is none.
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
    /// Entries of all matrices by those of the finest; bytes of all operators where not all are matrices.
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

    /// Rows of all levels, complexity, and notes, in one line.
    pub fn line(&self) -> String {
        let rows: Vec<String> = self.levels.iter().map(|level| level.rows.to_string()).collect();
        let notes = if self.notes.is_empty() { String::new() } else { format!("; {}", self.notes.join("; ")) };
        let levels = if self.levels.len() == 1 { "1 level".into() } else { format!("{} levels", self.levels.len()) };
        let (rows, cycle, operator) = (rows.join(", "), &self.cycle, self.operator_complexity);
        format!(
            "{levels}: {rows} rows; {cycle}-cycle; operator complexity {operator:.2}; set-up {:.3} s{notes}",
            self.seconds
        )
    }

    /// A line for each level: rows, entries, aggregates, seconds.
    pub fn level_lines(&self) -> Vec<String> {
        let line = |(l, level): (usize, &LevelReport)| {
            let LevelReport { rows, nnz, seconds, .. } = level;
            let next = level.aggregates.map(|count| format!(", {count} aggregates")).unwrap_or_default();
            format!("level {l}: {rows} rows, {nnz} entries{next}, {seconds:.3} s")
        };
        self.levels.iter().enumerate().map(line).collect()
    }
}

impl From<&Multigrid> for MultigridReport {
    fn from(multigrid: &Multigrid) -> Self {
        let found = multigrid.levels();
        let of = |size: &dyn Fn(&LevelSize) -> usize| {
            let finest = found.first().map_or(1, size).max(1);
            found.iter().map(size).sum::<usize>() as f64 / finest as f64
        };
        Self {
            operator_complexity: of(&|level| level.operator_bytes),
            grid_complexity: of(&|level| level.unknowns),
            cycle: "V".into(),
            seconds: found.iter().map(|level| level.seconds).sum(),
            bytes: multigrid.bytes(),
            notes: Vec::new(),
            levels: found.into_iter().map(LevelReport::from).collect(),
        }
    }
}

impl From<LevelSize> for LevelReport {
    fn from(level: LevelSize) -> Self {
        let LevelSize { degree, cells, unknowns: rows, nnz, operator_bytes: _, bytes, seconds } = level;
        let (aggregates, checksum) = (None, None);
        Self { degree, cells, rows, nnz, aggregates, outside: 0, rounds: 0, checksum, seconds, bytes }
    }
}

impl From<LevelSummary> for LevelReport {
    fn from(level: LevelSummary) -> Self {
        let LevelSummary { rows, nnz, aggregates, outside, rounds, checksum, seconds, bytes } = level;
        let checksum = aggregates.map(|_| format!("{checksum:016x}"));
        Self { degree: None, cells: None, rows, nnz, aggregates, outside, rounds, checksum, seconds, bytes }
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
