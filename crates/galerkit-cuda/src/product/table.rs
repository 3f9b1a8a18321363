//! Rows of a product by hash tables in shared memory, the smallest first; rows with more columns than a table takes
//! are passed on to the next. Kernels: product.cu, product_kernels.cu.

use super::Multiplier;
use super::kernels::{TABLES, Table, first_table};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// The left and the right factor as words of `struct Rows`.
pub(super) struct Factors {
    pub(super) rows: usize,
    words: [u64; 8],
    pub(super) first: usize,
}

impl Factors {
    pub(super) fn new<S: Scalar>(A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Self {
        let [b_start, b_col, b_val] = B.addresses();
        Self::with(A, [b_start, 0, b_col, b_val], B.nnz, B.rows)
    }

    pub(super) fn with<S: Scalar>(A: &DeviceCsr<S>, [s, l, c, v]: [u64; 4], nnz: usize, rows: usize) -> Self {
        let [start, col, val] = A.addresses();
        let first = first_table(nnz as f64 / rows.max(1) as f64, A.rows);
        Self { rows: A.rows, words: [start, 0, col, val, s, l, c, v], first }
    }
}

/// What a kernel writes, as words of `struct Product` behind the factors.
#[derive(Clone, Copy, Default)]
pub(super) struct Output {
    pub(super) most: usize,
    pub(super) start: u64,
    pub(super) col: u64,
    pub(super) val: u64,
    pub(super) passed: u64,
    pub(super) passed_count: u64,
    pub(super) cursor: u64,
    pub(super) room: usize,
    pub(super) length: u64,
    pub(super) sorted: bool,
}

impl Output {
    fn words(&self) -> [u64; 10] {
        let Self { most, start, col, val, passed, passed_count, cursor, room, length, sorted } = *self;
        [most as u64, start, col, val, passed, passed_count, cursor, room as u64, length, sorted as u64]
    }
}

impl Multiplier<'_> {
    /// Runs a kernel for all rows, and with larger tables for those that were passed on; the rows that no table takes.
    pub(super) fn by_tables<S: Scalar>(
        &self,
        kernel: &'static str,
        factors: &Factors,
        output: Output,
    ) -> Result<(usize, Option<Piece<'_>>)> {
        let (mut rows, mut list) = (factors.rows, None::<Piece<'_>>);
        for which in factors.first..TABLES.len() {
            let passed = self.pool().piece(4 * rows)?;
            let output = Output { passed: passed.address(), passed_count: self.zero_counters(), ..output };
            let some = (rows, list.as_ref().map_or(0, |list| list.address()));
            self.queue::<S>(kernel, which, factors, some, output)?;
            rows = self.counts::<1>()?[0];
            if rows == 0 {
                return Ok((0, None));
            }
            list = Some(passed);
        }
        Ok((rows, list))
    }

    /// Queues a kernel of a table for some rows, all if there is no list.
    pub(super) fn queue<S: Scalar>(
        &self,
        kernel: &'static str,
        which: usize,
        factors: &Factors,
        (rows, list): (usize, u64),
        output: Output,
    ) -> Result<()> {
        let Table { lanes, slots, threads, .. } = TABLES[which];
        let entry = if kernel == "product_count" { 4 } else { 4 + size_of::<S>() };
        let shared = threads / lanes * slots * entry;
        let kernels = self.table(which)?;
        let words = [&[rows as u64, list][..], &factors.words, &output.words()].concat();
        if rows > 0 {
            kernels.launch_all(kernel, rows * lanes, (threads, shared), &words);
        }
        Ok(())
    }
}
