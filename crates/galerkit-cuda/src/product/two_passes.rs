//! A product in two passes: the columns of each row are counted, then rows whose starts are known are filled. Kernels:
//! product_kernels.cu, product_rows.cu.

use super::Multiplier;
use super::kernels::TABLES;
use super::table::{Factors, Output};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

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
        for (which, table) in TABLES.iter().enumerate().skip(factors.first) {
            let most = table.most;
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
}
