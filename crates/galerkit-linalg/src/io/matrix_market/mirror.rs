//! From entries listed row by row or column by column, possibly of one triangle only, to the full matrix by rows.
//!
//! Let T be the list compressed by its own rows (which are columns of the matrix when the file goes by columns). A row
//! of the matrix is made of a row of T, of a row of T transposed, or of both:
//!
//! ```text
//! general, by rows      T
//! general, by columns   T'
//! lower triangle of T   T, then T' without the diagonal       upper triangle of T   T' without the diagonal, then T
//! ```
//!
//! T' is written in the order of the rows of T, so that its columns ascend, and in parallel by ranges of its rows.

use super::header::{Header, Symmetry};
use super::ordered::{Order, Ordered};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::mem::take;
use std::ops::Range;

impl<S: Scalar> Ordered<S> {
    /// The matrix of which these are the entries.
    pub(super) fn into_csr(self, header: &Header) -> Csr<S> {
        if header.symmetry == Symmetry::General && self.order == Order::Rows {
            return Csr::from_parts_trusted(header.cols, self.start, self.minor, self.val);
        }
        let plan = Plan::new(header, &self);
        let mut start = vec![0u64; header.rows + 1];
        let ranges = plan.ranges(header.rows);
        plan.count(&ranges, &mut start[1..]);
        (0..header.rows).for_each(|i| start[i + 1] += start[i]);
        let (mut col, mut val) =
            (vec![0u32; start[header.rows] as usize], vec![S::zero(); start[header.rows] as usize]);
        plan.fill(&ranges, &start, &mut col, &mut val);
        Csr::from_parts_trusted(header.cols, start, col, val)
    }

    fn row(&self, i: usize) -> Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
}

/// What the rows are made of.
struct Plan<'a, S> {
    list: &'a Ordered<S>,
    symmetry: Symmetry,
    lower: bool, // T is a lower triangle
}

impl<'a, S: Scalar> Plan<'a, S> {
    fn new(header: &Header, list: &'a Ordered<S>) -> Self {
        let majors = list.start.len() - 1;
        let below = |i: usize| list.minor[list.row(i)].first().is_some_and(|&j| (j as usize) < i);
        Self { list, symmetry: header.symmetry, lower: (0..majors).any(below) }
    }

    fn triangle(&self) -> bool {
        self.symmetry != Symmetry::General
    }

    /// One range of rows for each thread, with about as many entries of T each.
    fn ranges(&self, rows: usize) -> Vec<Range<usize>> {
        let parts = rayon::current_num_threads().min(rows).max(1);
        let nnz = self.list.minor.len();
        let cut = |part: usize| {
            if self.triangle() && part < parts {
                self.list.start.partition_point(|&start| (start as usize) < nnz / parts * part).min(rows)
            } else {
                rows * part / parts
            }
        };
        (0..parts).map(|part| cut(part)..cut(part + 1)).collect()
    }

    /// Calls `visit(i, k)` for every entry k of row i of T whose place in T' lies in `rows`, in the order of T.
    #[inline(always)]
    fn visit(&self, rows: &Range<usize>, mut visit: impl FnMut(usize, usize)) {
        let (begin, end) = (rows.start as u32, rows.end as u32);
        let majors = self.list.start.len() - 1;
        let of_interest = match (self.triangle(), self.lower) {
            (false, _) => 0..majors,
            (true, true) => rows.start..majors,
            (true, false) => 0..rows.end,
        };
        for i in of_interest {
            let mut range = self.list.row(i);
            let minor = &self.list.minor[range.clone()];
            if minor.first().is_some_and(|&j| j < begin) {
                range.start += minor.partition_point(|&j| j < begin);
            }
            for k in range {
                let j = self.list.minor[k];
                if j >= end {
                    break;
                }
                if !(self.triangle() && j as usize == i) {
                    visit(i, k);
                }
            }
        }
    }

    /// Counts the entries of each row.
    fn count(&self, ranges: &[Range<usize>], mut counts: &mut [u64]) {
        let mut parts = Vec::with_capacity(ranges.len());
        for rows in ranges {
            let own;
            (own, counts) = take(&mut counts).split_at_mut(rows.len());
            parts.push((rows, own));
        }
        parallel::each_piece(parts, &|(rows, counts): (&Range<usize>, &mut [u64])| {
            if self.triangle() {
                counts.iter_mut().zip(rows.clone()).for_each(|(count, i)| *count = self.list.row(i).len() as u64);
            }
            self.visit(rows, |_, k| counts[self.list.minor[k] as usize - rows.start] += 1);
        });
    }

    fn fill(&self, ranges: &[Range<usize>], start: &[u64], mut col: &mut [u32], mut val: &mut [S]) {
        let mut parts = Vec::with_capacity(ranges.len());
        for rows in ranges {
            let length = (start[rows.end] - start[rows.start]) as usize;
            let (own_col, own_val);
            (own_col, col) = take(&mut col).split_at_mut(length);
            (own_val, val) = take(&mut val).split_at_mut(length);
            parts.push((rows.clone(), own_col, own_val));
        }
        parallel::each_piece(parts, &|(rows, col, val): (Range<usize>, &mut [u32], &mut [S])| {
            self.fill_rows(&rows, start, col, val);
        });
    }

    fn fill_rows(&self, rows: &Range<usize>, start: &[u64], col: &mut [u32], val: &mut [S]) {
        let offset = start[rows.start];
        let mut next: Vec<u64> = start[rows.clone()].iter().map(|place| place - offset).collect();
        // A diagonal entry is its own image but for the sign of zeros, which stays as it is in the file.
        let own = |diagonal, v| if self.list.order == Order::Rows || diagonal { v } else { self.symmetry.image(v) };
        let mirrored = |value| if self.list.order == Order::Rows { self.symmetry.image(value) } else { value };
        if self.triangle() {
            for (next, i) in next.iter_mut().zip(rows.clone()) {
                let from = self.list.row(i);
                let end = (start[i + 1] - offset) as usize;
                let to = if self.lower { *next as usize } else { end - from.len() };
                let to = to..to + from.len();
                *next += if self.lower { from.len() as u64 } else { 0 };
                col[to.clone()].copy_from_slice(&self.list.minor[from.clone()]);
                let entries = self.list.minor[from.clone()].iter().zip(&self.list.val[from]);
                val[to].iter_mut().zip(entries).for_each(|(to, (&j, &v))| *to = own(j as usize == i, v));
            }
        }
        self.visit(rows, |i, k| {
            let next = &mut next[self.list.minor[k] as usize - rows.start];
            (col[*next as usize], val[*next as usize]) = (i as u32, mirrored(self.list.val[k]));
            *next += 1;
        });
    }
}
