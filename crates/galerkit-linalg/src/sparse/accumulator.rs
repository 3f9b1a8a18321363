//! Room for one row of a product: a sum for each column, and which columns the row has met. Columns carry the number of
//! the row that met them last, and nothing is decided by branches: a column is always written down, and stays where the
//! row has not met it before.

use crate::scalar::Scalar;
use std::sync::{Mutex, PoisonError};

/// A sum for each column.
pub(crate) struct Accumulator<S> {
    sums: Vec<(u32, S)>, // 1 + the row that has met this column last, and the sum, which is zero unless that is the present row
    mark: u32,
    columns: Vec<u32>, // those that were met, and room for one more than there are
    length: usize,
}

impl<S: Scalar> Accumulator<S> {
    fn new(columns: usize) -> Self {
        Self { sums: vec![(0, S::zero()); columns], mark: 0, columns: vec![0; columns + 1], length: 0 }
    }

    /// Begins with row i, which was never begun with.
    pub(crate) fn begin(&mut self, i: usize) {
        for &j in &self.columns[..self.length] {
            self.sums[j as usize].1 = S::zero();
        }
        (self.mark, self.length) = (i as u32 + 1, 0);
    }

    /// Adds to the sum of a column.
    #[inline]
    pub(crate) fn add(&mut self, j: u32, value: S) {
        self.add_all(std::iter::once((j, value)));
    }

    /// Adds to the sums of some columns.
    #[inline]
    pub(crate) fn add_all(&mut self, entries: impl Iterator<Item = (u32, S)>) {
        let (sums, columns, mark) = (&mut self.sums[..], &mut self.columns[..], self.mark); // as locals they stay in registers
        let mut length = self.length;
        entries.for_each(|(j, value)| {
            let (met_in, sum) = &mut sums[j as usize];
            columns[length] = j;
            length += usize::from(*met_in != mark);
            *met_in = mark;
            *sum += value;
        });
        self.length = length;
    }

    /// Adds a times a row, given by its columns and values.
    #[inline]
    pub(crate) fn add_row(&mut self, a: S, col: &[u32], val: &[S]) {
        self.add_all(col.iter().zip(val).map(|(&j, &b)| (j, a * b)));
    }

    /// The sum of a column begins at zero, whether something is added or not.
    pub(crate) fn open(&mut self, j: u32) {
        self.add(j, S::zero());
    }

    /// The sum of a column of this row; zero where nothing was added.
    #[inline]
    pub(crate) fn value(&self, j: u32) -> S {
        self.sums[j as usize].1
    }

    /// How many columns the row has.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Writes the row behind others, columns ascending.
    pub(crate) fn append_to(&mut self, col: &mut Vec<u32>, val: &mut Vec<S>) {
        let columns = &mut self.columns[..self.length];
        columns.sort_unstable();
        col.extend_from_slice(columns);
        val.extend(columns.iter().map(|&j| self.sums[j as usize].1));
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
