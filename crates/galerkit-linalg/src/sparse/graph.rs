//! The graph of a square pattern: vertices are rows, and i and j are neighbours where (i, j) or (j, i) is stored. A
//! diagonal entry makes a row a neighbour of itself, which no sweep minds. Where the pattern mirrors itself, as most
//! do, it is its own graph.

use super::mirror::is_mirrored;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::{Csr, build, product};
use std::borrow::Cow;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Rows that one thread takes at a time.
const ROWS: usize = 1 << 12;
/// Vertices whose rows are found together.
pub(super) const BATCH: usize = 16;

/// Pattern of A + A^T; borrowed from A when that is symmetric already.
pub(super) struct Graph<'a> {
    start: Cow<'a, [u64]>,
    neighbour: Cow<'a, [u32]>,
}

impl<'a> Graph<'a> {
    /// Of a square matrix.
    pub(super) fn of<S: Scalar>(A: &'a Csr<S>) -> Self {
        Self::of_pattern(A.start(), A.col())
    }

    fn of_pattern(start: &'a [u64], col: &'a [u32]) -> Self {
        if is_mirrored(start, col) {
            return Self { start: Cow::Borrowed(start), neighbour: Cow::Borrowed(col) };
        }
        let (other_start, other) = transposed(start, col);
        let row = |i: usize| &col[start[i] as usize..start[i + 1] as usize];
        let column = |i: usize| &other[other_start[i] as usize..other_start[i + 1] as usize];
        let rows = start.len() - 1;
        let both = build::row_starts(rows, || (), |(), i| product::merge(row(i), column(i), |_, _, _| ()));
        let neighbour = build::fill_columns(&both, &|i, out: &mut [u32]| {
            let mut slots = out.iter_mut();
            product::merge(row(i), column(i), |j, _, _| slots.next().into_iter().for_each(|slot| *slot = j));
        });
        Self { start: Cow::Owned(both), neighbour: Cow::Owned(neighbour) }
    }

    /// How many vertices there are.
    pub(super) fn vertices(&self) -> usize {
        self.start.len() - 1
    }

    /// The neighbours of a vertex, ascending.
    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbour[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }

    /// Where the neighbours of some vertices are. They lie anywhere in memory, and which of them counts cannot be
    /// foreseen: so all that will be needed is asked for before any of it is waited for.
    pub(super) fn rows(&self, vertices: &[u32]) -> [(u64, u64); BATCH] {
        let mut rows = [(0, 0); BATCH];
        for (row, &v) in rows.iter_mut().zip(vertices) {
            *row = (self.start[v as usize], self.start[v as usize + 1]);
        }
        let touched = |&(start, end): &(u64, u64)| match self.neighbour.get(start as usize..end as usize) {
            Some([first, .., last]) => first ^ last,
            _ => 0,
        };
        black_box(rows.iter().fold(0, |sum, row| sum ^ touched(row)));
        rows
    }

    /// The neighbours that are there.
    pub(super) fn row(&self, (start, end): (u64, u64)) -> &[u32] {
        &self.neighbour[start as usize..end as usize]
    }

    /// How many those are.
    pub(super) fn degree(&self, v: u32) -> u64 {
        self.start[v as usize + 1] - self.start[v as usize]
    }
}

/// The transposed pattern: threads deal out the entries of their rows in any order, then each row is sorted.
fn transposed(start: &[u64], col: &[u32]) -> (Vec<u64>, Vec<u32>) {
    let rows = start.len() - 1;
    let length: Vec<AtomicU32> = (0..rows).map(|_| AtomicU32::new(0)).collect();
    let each_row = |visit: &(dyn Fn(usize, u32) + Sync)| {
        parallel::each(rows.div_ceil(ROWS), &|part| {
            for i in part * ROWS..rows.min((part + 1) * ROWS) {
                col[start[i] as usize..start[i + 1] as usize].iter().for_each(|&j| visit(i, j));
            }
        });
    };
    each_row(&|_, j| {
        length[j as usize].fetch_add(1, Relaxed);
    });
    let to = build::row_starts(rows, || (), |(), j| length[j].load(Relaxed) as usize);
    let next: Vec<AtomicU64> = to.iter().map(|&first| AtomicU64::new(first)).collect();
    let dealt: Vec<AtomicU32> = col.iter().map(|_| AtomicU32::new(0)).collect();
    each_row(&|i, j| dealt[next[j as usize].fetch_add(1, Relaxed) as usize].store(i as u32, Relaxed));
    let row = build::fill_columns(&to, &|j, out: &mut [u32]| {
        out.iter_mut().zip(&dealt[to[j] as usize..]).for_each(|(out, i)| *out = i.load(Relaxed));
        out.sort_unstable();
    });
    (to, row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A pattern of so many rows with about `filled` entries in each.
    fn pattern(rows: usize, filled: usize, seed: u64) -> (Vec<u64>, Vec<u32>) {
        let (mut random, mut start, mut col) = (Random::new(seed), vec![0], Vec::new());
        for _ in 0..rows {
            let mut row: Vec<u32> = (0..filled).map(|_| random.below(rows) as u32).collect();
            row.sort_unstable();
            row.dedup();
            col.extend(row);
            start.push(col.len() as u64);
        }
        (start, col)
    }

    #[test]
    fn neighbours_are_those_of_either_triangle() {
        for (rows, filled) in [(1, 0), (1, 1), (7, 2), (300, 3), (9000, 4)] {
            let (start, col) = pattern(rows, filled, rows as u64);
            let mut expected = vec![Vec::new(); rows];
            for i in 0..rows {
                for &j in &col[start[i] as usize..start[i + 1] as usize] {
                    expected[i].push(j);
                    expected[j as usize].push(i as u32);
                }
            }
            let graph = Graph::of_pattern(&start, &col);
            for (v, expected) in expected.iter_mut().enumerate() {
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(graph.neighbours(v as u32), expected);
                assert_eq!(graph.degree(v as u32), expected.len() as u64);
            }
        }
    }
}
