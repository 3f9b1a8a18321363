//! The triangular solves of SSOR and of incomplete factors by levels: a row's level is one more than the highest level
//! among the rows it needs, so all rows of a level can be computed at once. Rows are stored level after level and
//! renumbered, which makes the done part of y and the level in work two disjoint slices. Each row keeps its order of
//! summation: the bits are those of natural order.
//!
//! The backward sweep runs through the same levels in reverse, which is right when the pattern is symmetric. Other
//! patterns, thin levels and single threads take the plain sweeps in natural order.

use crate::precond::Triangular;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Levels, Permutation};
use rayon::prelude::*;
use std::ops::Range;

/// Rows a level must have on average before a second thread pays for the wait at its end.
const LEAST_ROWS: usize = 2048;
/// Rows one thread takes at a time.
const CHUNK: usize = 512;

/// How the sweeps of one preconditioner are run.
pub enum Schedule<S> {
    /// In natural order, on one thread.
    Natural,
    /// By levels, on all threads.
    Levels(Sweeps<S>),
}

impl<S: Scalar> Schedule<S> {
    /// Chooses for the current number of threads.
    pub fn new(M: &impl Triangular<S>) -> Self {
        if rayon::current_num_threads() < 2 {
            return Schedule::Natural;
        }
        Sweeps::new(M).map_or(Schedule::Natural, Schedule::Levels)
    }

    /// y = M^-1 x
    pub fn apply(&self, M: &impl Triangular<S>, x: &[S], y: &mut [S]) {
        match self {
            Schedule::Natural => M.solve(x, y),
            Schedule::Levels(sweeps) => sweeps.apply(M, x, y),
        }
    }
}

/// Both triangles in level order.
pub struct Sweeps<S> {
    order: Permutation,
    /// The rows of each level, in the new order.
    ranges: Vec<Range<usize>>,
    scale: Vec<S>,
    lower: Triangle<S>,
    upper: Triangle<S>,
}

/// Rows in level order with renumbered columns, entries in their old order.
struct Triangle<S> {
    start: Vec<u64>,
    entries: Vec<(u32, S)>,
}

impl<S: Scalar> Sweeps<S> {
    /// Finds the levels; none if they are thin or the backward sweep cannot use them.
    pub fn new(M: &impl Triangular<S>) -> Option<Self> {
        let levels = Levels::lower(M.lower());
        let reversible = |i: usize| M.upper().row(i).all(|(j, _)| levels.of(j) > levels.of(i));
        let rows = M.scale().len();
        if rows < LEAST_ROWS * levels.count().max(1) || !(0..rows).all(reversible) {
            return None;
        }
        let ranges = levels.ranges().collect();
        let order = Permutation::from_old(levels.order().to_vec()).expect("levels hold every row once");
        let scale = order.gather(M.scale()).expect("the order has as many rows as M");
        let (lower, upper) = (Triangle::new(M.lower(), &order), Triangle::new(M.upper(), &order));
        Some(Self { order, ranges, scale, lower, upper })
    }

    fn apply(&self, M: &impl Triangular<S>, x: &[S], y: &mut [S]) {
        let old = self.order.old();
        let mut u = vec![S::zero(); y.len()];
        for level in &self.ranges {
            let (done, rest) = u.split_at_mut(level.start);
            in_chunks(&mut rest[..level.len()], level.start, |s, u| {
                *u = M.forward(self.scale[s], x[old[s] as usize], self.lower.row_sum(s, 0, done));
            });
        }
        for level in self.ranges.iter().rev() {
            let (rest, done) = u.split_at_mut(level.end);
            in_chunks(&mut rest[level.start..], level.start, |s, u| {
                *u = M.backward(self.scale[s], *u, self.upper.row_sum(s, level.end, done));
            });
        }
        let position = self.order.new_position();
        y.par_chunks_mut(CHUNK).zip(position.par_chunks(CHUNK)).for_each(|(y, position)| {
            y.iter_mut().zip(position).for_each(|(y, &s)| *y = u[s as usize]);
        });
    }
}

/// Runs `compute(s, value)` for every row of a level; the first has number `first`.
fn in_chunks<S: Scalar>(level: &mut [S], first: usize, compute: impl Fn(usize, &mut S) + Sync) {
    level.par_chunks_mut(CHUNK).enumerate().for_each(|(k, chunk)| {
        (first + k * CHUNK..).zip(chunk).for_each(|(s, value)| compute(s, value));
    });
}

impl<S: Scalar> Triangle<S> {
    fn new(T: &Csr<S>, order: &Permutation) -> Self {
        let position = order.new_position();
        let mut start = vec![0u64];
        let mut entries = Vec::with_capacity(T.nnz());
        for &i in order.old() {
            entries.extend(T.row(i as usize).map(|(j, a)| (position[j], a)));
            start.push(entries.len() as u64);
        }
        Self { start, entries }
    }

    /// The sum over row s, where `done` holds the rows from `offset` on.
    fn row_sum(&self, s: usize, offset: usize, done: &[S]) -> S {
        let row = &self.entries[self.start[s] as usize..self.start[s + 1] as usize];
        row.iter().fold(S::zero(), |sum, &(j, a)| sum + a * done[j as usize - offset])
    }
}
