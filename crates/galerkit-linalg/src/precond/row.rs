//! One row of an incomplete factorisation, spread out over its columns, so that each update finds its entry at once.

use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The row in work: which columns it has, and their values.
pub(super) struct SpreadRow<S> {
    met_in: Vec<u32>, // 1 + the row that has this column
    value: Vec<S>,
    mark: u32,
}

impl<S: Scalar> SpreadRow<S> {
    pub(super) fn new(columns: usize) -> Self {
        Self { met_in: vec![0; columns], value: vec![S::zero(); columns], mark: 0 }
    }

    /// Begins row i.
    pub(super) fn begin(&mut self, i: usize) {
        self.mark = i as u32 + 1;
    }
    /// Gives the row these columns, with zeros.
    pub(super) fn allow(&mut self, columns: &[u32]) {
        for &j in columns {
            self.met_in[j as usize] = self.mark;
            self.value[j as usize] = S::zero();
        }
    }
    /// Sets entry j, which the row may have only if it was allowed.
    pub(super) fn set(&mut self, j: usize, value: S) -> Result<()> {
        if self.has(j) {
            self.value[j] = value;
            return Ok(());
        }
        let place = format!("row {}, column {}", self.mark, j + 1);
        let problem = "the factors have no entry there: their pattern is of another matrix, factorise anew";
        Err(Error::InvalidStructure { place, problem: problem.into() })
    }
    pub(super) fn has(&self, j: usize) -> bool {
        self.met_in[j] == self.mark
    }
    pub(super) fn get(&self, j: usize) -> S {
        self.value[j]
    }
    pub(super) fn put(&mut self, j: usize, value: S) {
        self.value[j] = value;
    }
    /// Subtracts from entry j if the row has it: what is dropped makes the factorisation incomplete.
    pub(super) fn subtract(&mut self, j: usize, value: S) {
        if self.has(j) {
            self.value[j] -= value;
        }
    }
    /// Copies the row's values to row i of a triangle.
    pub(super) fn store(&self, T: &mut Csr<S>, i: usize) {
        for k in T.range(i) {
            T.val_mut()[k] = self.value[T.col()[k] as usize];
        }
    }
}
