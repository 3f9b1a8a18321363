//! Rows of a product by hash tables in shared memory. Two passes: the columns of each row are counted, then rows whose starts are known are
//! filled. Or one, where an estimate says how much room there must be: rows lie in any order, and are put in place if somebody needs that.
//! Kernels: product.cu, product_kernels.cu, product_rows.cu.

use super::Multiplier;
use super::kernels::{TABLES, Table, first_table};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// Rows that an estimate of the entries of a product looks at.
const SAMPLE: usize = 1 << 16;
/// What is added to it.
const RESERVE: f64 = 1.1;

/// A matrix in compressed rows that lie in any order, with columns in any order.
pub(crate) struct Loose<'a> {
    shape: (usize, usize),
    nnz: usize,
    start: Piece<'a>,
    length: Piece<'a>,
    col: Piece<'a>,
    val: Piece<'a>,
}

/// The left and the right factor as words of `struct Rows`.
struct Factors {
    rows: usize,
    words: [u64; 8],
    first: usize,
}

impl Factors {
    fn new<S: Scalar>(A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Self {
        let [b_start, b_col, b_val] = B.addresses();
        Self::with(A, [b_start, 0, b_col, b_val], B.nnz, B.rows)
    }

    fn with<S: Scalar>(A: &DeviceCsr<S>, [s, l, c, v]: [u64; 4], nnz: usize, rows: usize) -> Self {
        let [start, col, val] = A.addresses();
        let first = first_table(nnz as f64 / rows.max(1) as f64);
        Self { rows: A.rows, words: [start, 0, col, val, s, l, c, v], first }
    }
}

/// What a kernel writes, as words of `struct Product` behind the factors.
#[derive(Clone, Copy, Default)]
struct Output {
    most: usize,
    start: u64,
    col: u64,
    val: u64,
    passed: u64,
    passed_count: u64,
    cursor: u64,
    room: usize,
    length: u64,
    sorted: bool,
}

impl Output {
    fn words(&self) -> [u64; 10] {
        let Self { most, start, col, val, passed, passed_count, cursor, room, length, sorted } = *self;
        [most as u64, start, col, val, passed, passed_count, cursor, room as u64, length, sorted as u64]
    }
}

impl Multiplier<'_> {
    /// The product A B.
    pub(crate) fn product<S: Scalar>(&self, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<DeviceCsr<S>> {
        galerkit_linalg::error::check_length("the right factor (its rows)", A.cols, B.rows)?;
        let start = Buffer::new(self.gpu(), "the row starts of a product", 8 * (A.rows + 1))?;
        self.count_rows(A, B, &start)?;
        self.rows().scan(&start, A.rows);
        let C = DeviceCsr::with_starts(start, (A.rows, B.cols), self.rows().scan_total()?)?;
        self.fill(A, B, &C)?;
        Ok(C)
    }

    /// Writes how many entries each row of A B has.
    fn count_rows<S: Scalar>(&self, A: &DeviceCsr<S>, B: &DeviceCsr<S>, start: &Buffer) -> Result<()> {
        let factors = Factors::new(A, B);
        let output = Output { start: start.address(), ..Output::default() };
        let (left, list) = self.by_tables::<S>("product_count", &factors, output)?;
        list.map_or(Ok(()), |list| self.count_long(A, B, (left, &list), start))
    }

    /// Computes the values of C = A B, whose row starts are known, and its columns.
    pub(crate) fn fill<S: Scalar>(&self, A: &DeviceCsr<S>, B: &DeviceCsr<S>, C: &DeviceCsr<S>) -> Result<()> {
        let longest = self.longest(C.rows, &C.start)?;
        let factors = Factors::new(A, B);
        let [start, col, val] = C.addresses();
        let (mut least, mut all) = (0, true);
        for which in factors.first..TABLES.len() {
            let most = TABLES[which].most;
            let output = Output { most, start, col, val, ..Output::default() };
            if all {
                self.queue::<S>("product_fill", which, &factors, (A.rows, 0), output)?;
            } else {
                let (rows, list) = self.rows_between(C, least, most)?;
                self.queue::<S>("product_fill", which, &factors, (rows, list.address()), output)?;
            }
            (least, all) = (most, false);
            if longest <= most {
                return Ok(());
            }
        }
        let (rows, list) = self.rows_between(C, least, usize::MAX)?;
        self.fill_long(A, B, (rows, &list), C)
    }

    /// The rows with more than `least` and at most `most` entries.
    pub(crate) fn rows_between<S: Scalar>(
        &self,
        C: &DeviceCsr<S>,
        least: usize,
        most: usize,
    ) -> Result<(usize, Piece<'_>)> {
        let list = self.pool().piece(4 * C.rows)?;
        let counter = self.zero_counters();
        let words = [C.rows as u64, C.start.address(), least as u64, most as u64, list.address(), counter];
        self.launch("product_bin", C.rows, &words);
        Ok((self.counts::<1>()?[0], list))
    }

    /// Runs a kernel for all rows, and with larger tables for those that were passed on; the rows that no table takes.
    fn by_tables<S: Scalar>(
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
    fn queue<S: Scalar>(
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

impl Multiplier<'_> {
    /// About how many entries A B has, from some of its rows; writes to `start`.
    fn estimate<S: Scalar>(&self, factors: &Factors, start: &Buffer) -> Result<usize> {
        let sample = SAMPLE.min(factors.rows);
        let rows: Vec<u32> = (0..sample).map(|k| (k as u128 * factors.rows as u128 / sample as u128) as u32).collect();
        let mut list = self.pool().piece(4 * SAMPLE)?;
        list.upload(&rows)?;
        let output = Output { start: start.address(), ..Output::default() };
        start.clear_first(8 * factors.rows);
        let passed = self.pool().piece(4 * SAMPLE)?;
        let counter = self.zero_counters();
        let output = Output { passed: passed.address(), passed_count: counter, ..output };
        self.queue::<S>(
            "product_count",
            (factors.first + 1).min(TABLES.len() - 1),
            factors,
            (sample, list.address()),
            output,
        )?;
        let total = counter + 8;
        self.launch("product_sum", sample, &[sample as u64, list.address(), start.address(), total]);
        let [_, sum] = self.sums::<2>()?;
        Ok((sum as f64 / sample.max(1) as f64 * factors.rows as f64 * RESERVE) as usize + 4096)
    }

    /// The product in one pass; none where a row is too long for every table or the estimate was too low.
    fn once<S: Scalar>(&self, factors: &Factors, cols: usize, sorted: bool) -> Result<Option<Loose<'_>>> {
        let start = self.pool().piece(8 * (factors.rows + 1))?;
        let room = self.estimate::<S>(factors, &start)?;
        let length = self.pool().piece(4 * factors.rows)?;
        let (col, val) = (self.pool().piece(4 * room)?, self.pool().piece(size_of::<S>() * room)?);
        let cursor = self.pool().cleared(8)?;
        let output = Output {
            start: start.address(),
            col: col.address(),
            val: val.address(),
            cursor: cursor.address(),
            room,
            length: length.address(),
            sorted,
            ..Output::default()
        };
        let (left, _) = self.by_tables::<S>("product_once", factors, output)?;
        let nnz = cursor.download::<u64>(1)?[0] as usize;
        let made = left == 0 && nnz <= room;
        Ok(made.then_some(Loose { shape: (factors.rows, cols), nnz, start, length, col, val }))
    }

    /// A B with rows and columns in any order; none where two passes are needed.
    pub(crate) fn loose_product<S: Scalar>(&self, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<Option<Loose<'_>>> {
        self.once::<S>(&Factors::new(A, B), B.cols, false)
    }

    /// A B in compressed rows, where B is in any order; none where two passes are needed.
    pub(crate) fn product_with_loose<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        B: &Loose<'_>,
    ) -> Result<Option<DeviceCsr<S>>> {
        let right = [&B.start, &B.length, &B.col, &B.val].map(|piece| piece.address());
        let factors = Factors::with(A, right, B.nnz, B.shape.0);
        let made = self.once::<S>(&factors, B.shape.1, true)?;
        made.map(|made| self.placed(made)).transpose()
    }

    /// Multiply-adds of A B, where B is in any order.
    pub(crate) fn work_with_loose<S: Scalar>(&self, A: &DeviceCsr<S>, B: &Loose<'_>) -> Result<u64> {
        self.work([A.nnz as u64, A.col.address(), B.start.address(), B.length.address()])
    }

    /// Multiply-adds of A B.
    pub(crate) fn work_of<S: Scalar>(&self, A: &DeviceCsr<S>, B: &DeviceCsr<S>) -> Result<u64> {
        self.work([A.nnz as u64, A.col.address(), B.start.address(), 0])
    }

    fn work(&self, words: [u64; 4]) -> Result<u64> {
        let counter = self.zero_counters();
        self.rows().launch("product_work", words[0] as usize, &[&words[..], &[counter]].concat());
        Ok(self.sums::<1>()?[0])
    }

    /// The rows of a matrix one after the other; their columns must ascend.
    fn placed<S: Scalar>(&self, made: Loose<'_>) -> Result<DeviceCsr<S>> {
        let (rows, cols) = made.shape;
        let start = Buffer::new(self.gpu(), "the row starts of a product", 8 * (rows + 1))?;
        self.launch("product_widen", rows, &[rows as u64, made.length.address(), start.address()]);
        self.rows().scan(&start, rows);
        let C = DeviceCsr::with_starts(start, (rows, cols), made.nnz)?;
        let [start, col, val] = C.addresses();
        let from = [&made.start, &made.col, &made.val].map(|piece| piece.address());
        self.launch("product_place", 8 * rows, &[&[rows as u64][..], &from, &[start, col, val]].concat());
        Ok(C)
    }
}
