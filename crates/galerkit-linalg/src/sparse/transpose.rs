//! Transpose and conjugate transpose of compressed rows, by counting: entries are dealt out to ranges of columns, row by row, and in each
//! range to their columns, so that they arrive in ascending order. Time O(nnz + rows + columns), nothing is sorted. Both steps are on
//! threads: every range of rows has a list for each range of columns, which a range of columns reads in order.

use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
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
        let width = self.cols().div_ceil(ranges).max(1);
        let height = self.rows().div_ceil(ranges).max(1);
        let dealt = parallel::values(self.rows().div_ceil(height), &|k| {
            self.deal(k * height..self.rows().min((k + 1) * height), width)
        });
        let columns = |k: usize| k * width..self.cols().min((k + 1) * width);
        let parts = parallel::values(self.cols().div_ceil(width), &|k| {
            let lists: Vec<&[Entry<S>]> = dealt.iter().map(|lists| &lists[k][..]).collect();
            gather(columns(k), &lists, map)
        });
        join(self.rows(), parts)
    }

    /// The entries of some rows, in a list for each range of so many columns.
    fn deal(&self, rows: Range<usize>, width: usize) -> Vec<Vec<Entry<S>>> {
        let lists = self.cols().div_ceil(width);
        let entries = (self.start()[rows.end] - self.start()[rows.start]) as usize;
        let mut dealt: Vec<Vec<Entry<S>>> = (0..lists).map(|_| Vec::with_capacity(entries / lists)).collect();
        for i in rows {
            for (j, v) in self.row(i) {
                dealt[j / width].push((i as u32, j as u32, v));
            }
        }
        dealt
    }
}

/// Some rows of the transpose: lengths, columns, values.
struct Rows<S> {
    lengths: Vec<u64>,
    col: Vec<u32>,
    val: Vec<S>,
}

/// The rows of the transpose that are these columns, from lists in the order of the matrix's rows.
fn gather<S: Scalar>(columns: Range<usize>, lists: &[&[Entry<S>]], map: fn(S) -> S) -> Rows<S> {
    let first = columns.start;
    let mut lengths = vec![0u64; columns.len()];
    lists.iter().copied().flatten().for_each(|(_, j, _)| lengths[*j as usize - first] += 1);
    let (mut next, mut sum) = (Vec::with_capacity(columns.len()), 0);
    for length in &lengths {
        next.push(sum);
        sum += *length as usize;
    }
    let (mut col, mut val) = (vec![0u32; sum], vec![S::zero(); sum]);
    for &(i, j, v) in lists.iter().copied().flatten() {
        let slot = &mut next[j as usize - first];
        (col[*slot], val[*slot]) = (i, map(v));
        *slot += 1;
    }
    Rows { lengths, col, val }
}

/// One matrix of parts that follow each other.
fn join<S: Scalar>(cols: usize, parts: Vec<Rows<S>>) -> Csr<S> {
    let (mut start, mut sum) = (vec![0], 0);
    for length in parts.iter().flat_map(|part| &part.lengths) {
        sum += length;
        start.push(sum);
    }
    let (col, val) = parts.into_iter().map(|part| (part.col, part.val)).unzip();
    Csr::from_parts_trusted(cols, start, parallel::concatenated(col), parallel::concatenated(val))
}
