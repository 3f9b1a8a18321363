//! CSR to ELL-WARP and back. A row's entries are arranged (columns renumbered for r, sorted for s) and laid into the
//! slots of its lanes; the way back undoes both, so that the round trip is exact.

use super::EllWarp;
use super::layout::Layout;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::by_column::sort_by_column;
use crate::sparse::row_order::{longest_first, row_lengths};
use crate::sparse::{Csr, Format, Permutation, Variant, index, slots};

/// The entries of row `i` as (column in the format, index in CSR), in the order in which the format stores them.
fn arrange<S: Scalar>(A: &Csr<S>, i: usize, variant: Variant, order: &Permutation, row: &mut Vec<(u32, usize)>) {
    let new = order.new_position();
    row.clear();
    if variant.renumbers() {
        row.extend(A.range(i).map(|k| (new[A.col()[k] as usize], k)));
    } else {
        row.extend(A.range(i).map(|k| (A.col()[k], k)));
    }
    if variant.sorts() {
        sort_by_column(row);
    }
}

impl<S: Scalar> EllWarp<S> {
    /// Sorts the rows by length and lays them into warps of `warp` lanes; `threshold` is the most entries one lane
    /// should process, for K2 and its kin.
    pub fn from_csr(A: &Csr<S>, variant: Variant, warp: usize, threshold: usize) -> Result<Self> {
        Format::EllWarp { variant, warp, threshold }.check()?;
        if variant.renumbers() {
            A.require_square("renumbering columns in the order of the rows (k1r, k1rs, k2r, k2rs)")?;
        }
        let row_length = row_lengths(A);
        let order = Permutation::from_old(longest_first(&row_length, A.rows()))?;
        let len: Vec<u32> = order.old().iter().map(|&i| row_length[i as usize]).collect();
        let layout = Box::new(Layout::new(&len, warp, variant.splits().then_some(threshold)));
        let count = usize::try_from(layout.slots()).unwrap_or(usize::MAX);
        let count = index::slots("the number of ELL-WARP slots", count, 1)?;
        let mut col = slots::zeroed("the column array of ELL-WARP", count)?;
        let mut val = slots::zeroed("the value array of ELL-WARP", count)?;
        let mut row = Vec::new();
        for (at, &i) in layout.rows(A.rows()).zip(order.old()) {
            arrange(A, i as usize, variant, &order, &mut row);
            for (e, &(j, k)) in row.iter().enumerate() {
                col[at.slot(e)] = j;
                val[at.slot(e)] = A.val()[k];
            }
        }
        Ok(Self { cols: A.cols(), nnz: A.nnz(), variant, threshold, order, layout, len, col, val })
    }

    /// The same matrix in compressed rows, in the original numbering.
    pub fn to_csr(&self) -> Csr<S> {
        let mut start = vec![0u64; self.rows() + 1];
        for (i, &s) in self.order.new_position().iter().enumerate() {
            start[i + 1] = start[i] + self.len[s as usize] as u64;
        }
        let (mut col, mut val) = (vec![0; self.nnz], vec![S::zero(); self.nnz]);
        let mut row: Vec<(u32, S)> = Vec::new();
        for (s, at) in self.layout.rows(self.rows()).enumerate() {
            row.clear();
            row.extend((0..self.len[s] as usize).map(|e| at.slot(e)).map(|k| (self.old_column(k), self.val[k])));
            if self.variant.sorts() {
                sort_by_column(&mut row);
            }
            let first = start[self.order.old()[s] as usize] as usize;
            for (e, &(j, a)) in row.iter().enumerate() {
                col[first + e] = j;
                val[first + e] = a;
            }
        }
        Csr::from_parts_trusted(self.cols, start, col, val)
    }

    fn old_column(&self, slot: usize) -> u32 {
        let j = self.col[slot];
        if self.variant.renumbers() { self.order.old()[j as usize] } else { j }
    }

    /// The slot of every entry of the CSR pattern this matrix was built from.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        slots::require_same_pattern(&self.to_csr(), pattern)?;
        let mut map = vec![0; self.nnz];
        let mut row = Vec::new();
        for (at, &i) in self.layout.rows(self.rows()).zip(self.order.old()) {
            arrange(pattern, i as usize, self.variant, &self.order, &mut row);
            for (e, &(_, k)) in row.iter().enumerate() {
                map[k] = at.slot(e) as u64;
            }
        }
        Ok(map)
    }
    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        slots::scatter(&mut self.val, slot_of, values)
    }
}
