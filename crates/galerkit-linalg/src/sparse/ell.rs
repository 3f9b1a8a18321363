//! ELLPACK: every row padded to the longest, stored column by column so that neighbouring rows are neighbours in
//! memory. Entry e of row i sits at `e * rows + i`; padding is value 0 in column 0. Good for rows of equal length.
//! Row lengths are kept so that conversion back is exact and a kernel can leave the padding out: 0 * NaN is not 0.
//!
//! ```text
//! [ 1 -2  0  0 ]    val  1 3 2 2 | -2 1 -5 4 | . . 1 .      . is padding
//! [ 0  3  1  0 ]    col  0 1 0 1 |  1 2  2 3 | . . 3 .
//! [ 2  0 -5  1 ]    len  2 2 3 2
//! [ 0  2  0  4 ]
//! ```

use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::{Csr, index, slots};

/// A sparse matrix whose rows are padded to one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Ell<S> {
    rows: usize,
    cols: usize,
    nnz: usize,
    width: usize,
    len: Vec<u32>,
    col: Vec<u32>,
    val: Vec<S>,
}

impl<S: Scalar> Ell<S> {
    /// Pads every row to the length of the longest.
    pub fn from_csr(A: &Csr<S>) -> Result<Self> {
        Self::with_width(A, A.longest_row())
    }

    /// Keeps the first `width` entries of each row.
    pub(super) fn with_width(A: &Csr<S>, width: usize) -> Result<Self> {
        let rows = A.rows();
        let count = index::slots("the number of ELL slots", width, rows)?;
        let mut col = slots::zeroed("the column array of ELL", count)?;
        let mut val = slots::zeroed("the value array of ELL", count)?;
        let mut len = Vec::with_capacity(rows);
        for i in 0..rows {
            for (e, (j, a)) in A.row(i).take(width).enumerate() {
                col[e * rows + i] = j as u32;
                val[e * rows + i] = a;
            }
            len.push(A.row_length(i).min(width) as u32);
        }
        let nnz = len.iter().map(|&l| l as usize).sum();
        Ok(Self { rows, cols: A.cols(), nnz, width, len, col, val })
    }

    /// Number of rows, and the distance in memory between two entries of a row.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Entries each row is padded to.
    pub fn width(&self) -> usize {
        self.width
    }
    /// Entries of each row, without padding.
    pub fn len(&self) -> &[u32] {
        &self.len
    }
    /// Column of each slot.
    pub fn col(&self) -> &[u32] {
        &self.col
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    /// Value of each slot.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// Value/column pairs, padding included: width times rows.
    pub fn slots(&self) -> usize {
        self.col.len()
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.len[..]) + size_of_val(&self.col[..]) + self.slots() * size_of::<S>()
    }
    /// Columns and values of row `i`, without padding.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        (0..self.len[i] as usize).map(move |e| e * self.rows + i).map(|slot| (self.col[slot] as usize, self.val[slot]))
    }

    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<S> {
        Csr::collect_rows(self.cols, self.nnz, (0..self.rows).map(|i| self.row(i)))
    }

    /// The slot of every entry of the CSR pattern this matrix was built from.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        slots::slot_of(&self.to_csr(), pattern, |i, e| e * self.rows + i)
    }
    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        slots::scatter(&mut self.val, slot_of, values)
    }
    /// Values of all slots, for formats that contain an ELL part.
    pub(super) fn val_mut(&mut self) -> &mut [S] {
        &mut self.val
    }
}
