//! Transpose and conjugate transpose of compressed rows, by counting: entries are dealt out to ranges of columns, row
//! by row, and in each range to their columns, so that they arrive in ascending order. Time O(nnz + rows + columns),
//! nothing is sorted. Both steps are on threads: every range of rows has a list for each range of columns, which a
//! range of columns reads in order.

use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, build};
use std::ops::Range;

/// Entries below which one thread does it all.
const FEW: usize = 1 << 15;
/// Ranges of rows and of columns for each thread.
const RANGES: usize = 4;

per_scalar! {
    fn transpose<S>(A: &Csr<S>) -> Csr<S> = Csr::transposed;
    fn conjugate_transpose<S>(A: &Csr<S>) -> Csr<S> = Csr::adjoint;
}

/// Row, column and value.
type Entry<S> = (u32, u32, S);

impl<S: Scalar> Csr<S> {
    /// The matrix with entry (i, j) moved to (j, i), on the threads of the current pool.
    pub fn transpose(&self) -> Self {
        transpose(self)
    }

    /// The adjoint: the transpose with every entry conjugated.
    pub fn conjugate_transpose(&self) -> Self {
        conjugate_transpose(self)
    }

    fn transposed(&self) -> Self {
        self.transpose_mapped(|v| v)
    }

    fn adjoint(&self) -> Self {
        self.transpose_mapped(S::conj)
    }

    fn transpose_mapped(&self, map: fn(S) -> S) -> Self {
        let threads = rayon::current_num_threads();
        let ranges = if self.nnz() < FEW || threads == 1 { 1 } else { RANGES * threads };
        let shift = self.cols().div_ceil(ranges).next_power_of_two().ilog2();
        let height = self.rows().div_ceil(ranges).max(1);
        let dealt = parallel::values(self.rows().div_ceil(height), &|k| {
            self.deal(k * height..self.rows().min((k + 1) * height), shift)
        });
        let entries = |first: usize| dealt.iter().flat_map(move |lists: &Vec<Vec<Entry<S>>>| &lists[first >> shift]);
        let mut start = vec![0u64; self.cols() + 1];
        parallel::each_chunk(&mut start[1..], 1 << shift, &|first, lengths| {
            entries(first).for_each(|(_, j, _)| lengths[*j as usize - first] += 1);
        });
        let mut sum = 0;
        for slot in &mut start[1..] {
            sum += *slot;
            *slot = sum;
        }
        build::fill_ranges(self.rows(), start, 1 << shift, &|columns, next, col, val| {
            for &(i, j, v) in entries(columns.start) {
                let slot = &mut next[j as usize - columns.start];
                (col[*slot], val[*slot]) = (i, map(v));
                *slot += 1;
            }
        })
    }

    /// The entries of some rows, in a list for each range of 2^shift columns.
    fn deal(&self, rows: Range<usize>, shift: u32) -> Vec<Vec<Entry<S>>> {
        let all = self.start()[rows.start] as usize..self.start()[rows.end] as usize;
        let mut counts = vec![0; self.cols().div_ceil(1 << shift)];
        self.col()[all].iter().for_each(|j| counts[(j >> shift) as usize] += 1);
        let mut dealt: Vec<Vec<Entry<S>>> = counts.into_iter().map(Vec::with_capacity).collect();
        for i in rows {
            for (j, v) in self.row(i) {
                dealt[j >> shift].push((i as u32, j as u32, v));
            }
        }
        dealt
    }
}
