//! What there is to report of a hierarchy: its levels, how much larger than the matrix all of it is, and notes.

use super::aggregate::NONE;
use super::choices::Kind;
use super::levels::{Coarsest, Levels};
use super::settings::Amg;
use crate::multigrid::shape::Shape;
use crate::scalar::Scalar;

/// A level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Rows of its matrix.
    pub rows: usize,
    /// Stored entries of its matrix.
    pub nnz: usize,
    /// Its aggregates, or points of the next level; none on the last.
    pub aggregates: Option<usize>,
    /// Rows that are in no aggregate.
    pub outside: usize,
    /// Rounds that it took to find them.
    pub rounds: usize,
    /// The checksum of the aggregates.
    pub checksum: u64,
    /// Seconds from this level to the next, on the last of its inverse.
    pub seconds: f64,
    /// Bytes of its arrays, without the matrix on the finest level.
    pub bytes: usize,
}

/// A hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its parameters, by name.
    pub name: String,
    /// Its levels, the finest first.
    pub levels: Vec<LevelSummary>,
    /// Entries of all matrices by those of the finest.
    pub operator_complexity: f64,
    /// Rows of all matrices by those of the finest.
    pub grid_complexity: f64,
    /// How often coarser levels are visited.
    pub shape: Shape,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

impl Summary {
    /// Of these levels.
    pub fn new<S: Scalar>(levels: &Levels<S>, amg: &Amg) -> Self {
        let mut all: Vec<LevelSummary> = levels
            .levels
            .iter()
            .map(|level| {
                let maps = level.P.bytes() + level.R.bytes() + size_of_val(&level.weights[..]);
                LevelSummary {
                    rows: level.weights.len(),
                    nnz: level.nnz,
                    aggregates: Some(level.aggregates.count),
                    outside: level.aggregates.of.iter().filter(|number| **number == NONE).count(),
                    rounds: level.aggregates.rounds,
                    checksum: level.aggregates.checksum(),
                    seconds: level.seconds,
                    bytes: maps + level.A.as_ref().map_or(0, |A| A.bytes()),
                }
            })
            .collect();
        let inverse = match &levels.coarsest {
            Coarsest::Inverse(inverse) => size_of_val(&inverse.val[..]),
            Coarsest::Smoother(weights) => size_of_val(&weights[..]),
        };
        let (rows, nnz) = levels.last;
        let bytes = inverse + levels.A.as_ref().map_or(0, |A| A.bytes());
        let last = LevelSummary {
            rows,
            nnz,
            aggregates: None,
            outside: 0,
            rounds: 0,
            checksum: 0,
            seconds: levels.seconds,
            bytes,
        };
        all.push(last);
        Self {
            name: amg.to_string(),
            levels: all,
            operator_complexity: levels.operator_complexity(),
            grid_complexity: levels.grid_complexity(),
            shape: amg.cycle,
            notes: notes(levels, amg),
        }
    }

    /// Seconds of the set-up.
    pub fn seconds(&self) -> f64 {
        self.levels.iter().map(|level| level.seconds).sum()
    }
    /// Bytes of all arrays, without the finest matrix.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.bytes).sum()
    }
}

fn notes<S: Scalar>(levels: &Levels<S>, amg: &Amg) -> Vec<String> {
    let mut notes = Vec::new();
    for (l, level) in levels.levels.iter().enumerate() {
        if !level.is_smoothed && amg.kind == Kind::Smoothed {
            notes.push(format!(
                "level {l}: the prolongator is not smoothed, the coarse matrix would have had more entries"
            ));
        }
        if level.capped > 0 {
            let rows = if level.capped == 1 { "row is" } else { "rows are" };
            notes.push(format!("level {l}: {} {rows} too long to be smoothed with", level.capped));
        }
    }
    match &levels.coarsest {
        Coarsest::Inverse(inverse) if inverse.skipped > 0 => {
            let pivots = if inverse.skipped == 1 { "pivot was" } else { "pivots were" };
            notes.push(format!("{} {pivots} skipped in the coarsest inverse: the matrix is singular", inverse.skipped));
        }
        Coarsest::Smoother(_) => {
            let rows = levels.last.0;
            notes.push(format!("coarsening ended at {rows} rows, which a smoother of degree 8 must do alone"));
        }
        Coarsest::Inverse(_) => (),
    }
    notes
}
