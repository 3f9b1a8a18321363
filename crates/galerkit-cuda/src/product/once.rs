//! A product in one pass, where an estimate says how much room there must be: rows lie in any order, and are put in
//! place if somebody needs that. Kernels: product_kernels.cu, product_rows.cu.

use super::Multiplier;
use super::kernels::TABLES;
use super::table::{Factors, Output};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;
use galerkit_linalg::random::Random;

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

impl Multiplier<'_> {
    /// About how many entries A B has, from some of its rows; writes to `start`.
    fn estimate<S: Scalar>(&self, factors: &Factors, start: &Buffer) -> Result<usize> {
        let sample = SAMPLE.min(factors.rows);
        // Anywhere: rows at equal distances might all be of one side of a grid.
        let mut anywhere = Random::new(SAMPLE as u64);
        let rows: Vec<u32> = (0..sample).map(|_| anywhere.below(factors.rows) as u32).collect();
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
