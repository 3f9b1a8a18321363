//! Room for one row of a product: a sum for each column, and which columns the row has met. Columns that were met by an
//! earlier row need not be cleared, because each carries the number of the row that met it last.

use crate::scalar::Scalar;
use std::sync::{Mutex, PoisonError};

/// A sum for each column.
pub(crate) struct Accumulator<S> {
    sums: Vec<(u32, S)>, // 1 + the row that has met this column last, and the sum
    mark: u32,
    columns: Vec<u32>,
}

impl<S: Scalar> Accumulator<S> {
    fn new(columns: usize) -> Self {
        Self { sums: vec![(0, S::zero()); columns], mark: 0, columns: Vec::new() }
    }

    /// Begins with row i, which was never begun with.
    pub(crate) fn begin(&mut self, i: usize) {
        self.mark = i as u32 + 1;
        self.columns.clear();
    }

    /// Adds to the sum of a column.
    #[inline]
    pub(crate) fn add(&mut self, j: u32, value: S) {
        self.add_all(std::iter::once((j, value)));
    }

    /// Adds to the sums of some columns.
    #[inline]
    pub(crate) fn add_all(&mut self, entries: impl Iterator<Item = (u32, S)>) {
        let (sums, mark) = (&mut self.sums[..], self.mark); // as locals they stay in registers
        entries.for_each(|(j, value)| {
            let (met_in, sum) = &mut sums[j as usize];
            if *met_in == mark {
                *sum += value;
            } else {
                (*met_in, *sum) = (mark, S::zero() + value);
                self.columns.push(j);
            }
        });
    }

    /// Adds a times a row, given by its columns and values.
    #[inline]
    pub(crate) fn add_row(&mut self, a: S, col: &[u32], val: &[S]) {
        self.add_all(col.iter().zip(val).map(|(&j, &b)| (j, a * b)));
    }

    /// The sum of a column begins at zero, whether something is added or not.
    pub(crate) fn open(&mut self, j: u32) {
        self.sums[j as usize] = (self.mark, S::zero());
    }

    /// The sum of a column of this row; zero where nothing was added.
    #[inline]
    pub(crate) fn value(&self, j: u32) -> S {
        let (met_in, sum) = self.sums[j as usize];
        if met_in == self.mark { sum } else { S::zero() }
    }

    /// How many columns the row has.
    pub(crate) fn length(&self) -> usize {
        self.columns.len()
    }

    /// Writes the row behind others, columns ascending.
    pub(crate) fn append_to(&mut self, col: &mut Vec<u32>, val: &mut Vec<S>) {
        self.columns.sort_unstable();
        col.extend_from_slice(&self.columns);
        val.extend(self.columns.iter().map(|&j| self.sums[j as usize].1));
    }
}

/// Accumulators that threads lend: about one for each of them is made.
pub(crate) struct Accumulators<S> {
    columns: usize,
    free: Mutex<Vec<Accumulator<S>>>,
}

impl<S: Scalar> Accumulators<S> {
    /// For rows of so many columns.
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, free: Mutex::new(Vec::new()) }
    }

    /// Works with one that nobody else has. No row may be begun with twice.
    pub(crate) fn lend(&self, work: &mut dyn FnMut(&mut Accumulator<S>)) {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = free().pop();
        let mut lent = taken.unwrap_or_else(|| Accumulator::new(self.columns));
        work(&mut lent);
        free().push(lent);
    }
}
