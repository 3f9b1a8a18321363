//! One level: the stages in their order.

use super::aggregates::Aggregates;
use super::clock::{Clock, Stages};
use super::coarse::Work;
use super::prolongator::Parts;
use super::tools::Tools;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::Scalar;
use std::sync::Arc;

/// What is told of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Rows of its matrix.
    pub rows: usize,
    /// Stored entries of its matrix.
    pub nnz: usize,
    /// Rows of the next level.
    pub aggregates: usize,
    /// Rows that are in none.
    pub outside: usize,
    /// Rounds of both independent sets.
    pub rounds: usize,
    /// sum_i h(i) (aggregate_i + 1) mod 2^64.
    pub checksum: u64,
    /// Whether P is smoothed; it is not where that would make the next level denser than this one.
    pub is_smoothed: bool,
    /// Seconds by stage; see [`Options::timed`](super::Options::timed).
    pub stages: Stages,
    /// Multiply-adds of A P and of R (A P), if timed.
    pub work: Work,
}

/// A level above the coarsest.
pub struct Level<S> {
    /// The prolongator.
    pub P: DeviceCsr<S>,
    /// The restriction.
    pub R: DeviceCsr<S>,
    /// The next level's matrix, R A P.
    pub coarse: DeviceCsr<S>,
    /// 1 / l_i with the scaled l1 norms of the rows of this level's matrix, of the smoother.
    pub weights: Arc<Buffer>,
    /// What is told of it.
    pub facts: Facts,
    aggregates: Aggregates,
    kept: Option<Buffer>,
}

/// What came of a level.
pub(super) enum Made<S> {
    Level(Box<Level<S>>),
    /// Nothing, or too much, is left to be a next level: the weights of its smoother.
    Last(Buffer, Facts),
}

/// Most aggregates for each row.
const STAGNATION: f64 = 0.8;

impl Tools<'_> {
    /// All stages of a level.
    pub(super) fn level<S: Scalar>(&self, A: &DeviceCsr<S>, near_null: Option<&Buffer>) -> Result<Made<S>> {
        let mut clock = Clock::start(self.gpu(), self.options.timed);
        let statistics = self.statistics(A, near_null, None)?;
        clock.lap("statistics")?;
        let graph = self.edges(A, &statistics)?;
        clock.lap("strength")?;
        let owners = self.owners(A, &graph)?;
        clock.lap("roots")?;
        let rounds = owners.rounds;
        let aggregates = self.aggregates(A, (&statistics, &graph), owners)?;
        drop(graph);
        clock.lap("aggregates")?;
        let mut facts = Facts { rows: A.rows, nnz: A.nnz, aggregates: aggregates.count, rounds, ..Facts::default() };
        let [checksum, outside] = self.checksum(&aggregates, A.rows)?;
        (facts.checksum, facts.outside) = (checksum, outside as usize);
        if aggregates.count == 0 || aggregates.count as f64 > STAGNATION * A.rows as f64 {
            facts.stages = clock.stages();
            return Ok(Made::Last(statistics.weights, facts));
        }
        for is_smoothed in [true, false] {
            clock.skip();
            let parts = Parts { A, near_null, statistics: &statistics, aggregates: &aggregates, is_smoothed };
            let P = self.prolongator(&parts)?;
            clock.lap("prolongator")?;
            let R = self.multiplier.transpose(&P, true)?;
            clock.lap("transpose")?;
            let (coarse, work) = self.coarse((A, &P, &R), &mut clock)?;
            if coarse.nnz <= A.nnz || !is_smoothed {
                facts = Facts { work, is_smoothed, stages: clock.stages(), ..facts };
                let (weights, kept) = (Arc::new(statistics.weights), statistics.kept);
                return Ok(Made::Level(Box::new(Level { P, R, coarse, weights, facts, aggregates, kept })));
            }
        }
        unreachable!("the second time is the last")
    }

    /// New values for a level.
    pub(super) fn refill<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        near_null: Option<&Buffer>,
        level: &mut Level<S>,
    ) -> Result<()> {
        let mut statistics = self.statistics(A, near_null, level.kept.take())?;
        let is_smoothed = level.facts.is_smoothed;
        let parts = Parts { A, near_null, statistics: &statistics, aggregates: &level.aggregates, is_smoothed };
        self.refill_prolongator(&parts, &level.P)?;
        self.multiplier.transpose_into(&level.P, true, &level.R)?;
        self.refill_coarse((A, &level.P, &level.R), &level.coarse)?;
        level.kept = statistics.kept.take();
        level.weights = Arc::new(statistics.weights);
        Ok(())
    }
}

impl<S: Scalar> Level<S> {
    /// The aggregate of each row; all ones for none.
    pub fn aggregates(&self) -> &Buffer {
        &self.aggregates.of_row
    }
}
