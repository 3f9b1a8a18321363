//! Block compressed rows: dense square blocks of order b, row-major, one column index for all b*b values. For several
//! unknowns per node. Blocks at the lower and right edge stick out of the matrix when b does not divide its size.
//! One bit a slot tells entries from fill, so that conversion back is exact and 0 * NaN stays out of the product.
//!
//! ```text
//! [ 1 -2  0  0 ]    b = 2    block_start  0         2          4
//! [ 0  3  1  0 ]             block_col    0        1        0        1
//! [ 2  0 -5  1 ]             val          1 -2 . 3 | . . 1 . | 2 . . 2 | -5 1 . 4      . is fill
//! [ 0  2  0  4 ]             stored       1  1 0 1 | 0 0 1 0 | 1 0 0 1 |  1 1 0 1
//! ```

use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Format, index, slots};

/// A sparse matrix of dense square blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Bsr<S> {
    rows: usize,
    cols: usize,
    nnz: usize,
    block: usize,
    block_start: Vec<u64>,
    block_col: Vec<u32>,
    stored: Vec<u64>,
    val: Vec<S>,
}

/// Where each block row starts, and the ascending block columns that hold at least one entry.
pub(super) fn block_pattern<S: Scalar>(A: &Csr<S>, block: usize) -> (Vec<u64>, Vec<u32>) {
    let (mut block_start, mut block_col) = (vec![0], Vec::new());
    let mut seen = vec![usize::MAX; A.cols().div_ceil(block)]; // the last block row in which a block column occurred
    for block_row in 0..A.rows().div_ceil(block) {
        let first = block_col.len();
        for &j in &A.col()[entries(A, block, block_row)] {
            let block_column = j as usize / block;
            if seen[block_column] != block_row {
                seen[block_column] = block_row;
                block_col.push(block_column as u32);
            }
        }
        block_col[first..].sort_unstable();
        block_start.push(block_col.len() as u64);
    }
    (block_start, block_col)
}

fn row_range<S: Scalar>(A: &Csr<S>, block: usize, block_row: usize) -> std::ops::Range<usize> {
    let first = block_row * block;
    first..A.rows().min(first.saturating_add(block))
}

/// Where the entries of all rows of a block row are stored.
fn entries<S: Scalar>(A: &Csr<S>, block: usize, block_row: usize) -> std::ops::Range<usize> {
    let rows = row_range(A, block, block_row);
    A.start()[rows.start] as usize..A.start()[rows.end] as usize
}

/// Calls `place(k, slot)` for every entry, with the block pattern of the same matrix.
fn for_each_slot<S: Scalar>(
    A: &Csr<S>,
    block: usize,
    (block_start, block_col): (&[u64], &[u32]),
    mut place: impl FnMut(usize, usize),
) {
    let mut first_slot = vec![0; A.cols().div_ceil(block)]; // of each block column, in the present block row
    for block_row in 0..A.rows().div_ceil(block) {
        for p in block_start[block_row] as usize..block_start[block_row + 1] as usize {
            first_slot[block_col[p] as usize] = p * block * block;
        }
        for i in row_range(A, block, block_row) {
            for k in A.range(i) {
                let j = A.col()[k] as usize;
                place(k, first_slot[j / block] + (i % block) * block + j % block);
            }
        }
    }
}

impl<S: Scalar> Bsr<S> {
    /// Collects the entries into dense blocks of order `block`.
    pub fn from_csr(A: &Csr<S>, block: usize) -> Result<Self> {
        Format::Bsr { block }.check()?;
        let (block_start, block_col) = block_pattern(A, block);
        let block_size = index::slots("the size of a BSR block", block, block)?;
        let count = index::slots("the number of BSR slots", block_col.len(), block_size)?;
        let mut val = slots::zeroed("the value array of BSR", count)?;
        let mut stored = vec![0u64; count.div_ceil(64)];
        for_each_slot(A, block, (&block_start, &block_col), |k, slot| {
            val[slot] = A.val()[k];
            stored[slot / 64] |= 1 << (slot % 64);
        });
        Ok(Self { rows: A.rows(), cols: A.cols(), nnz: A.nnz(), block, block_start, block_col, stored, val })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries, without fill.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Order of a block.
    pub fn block(&self) -> usize {
        self.block
    }
    /// Where each block row starts, in blocks; one more than there are block rows.
    pub fn block_start(&self) -> &[u64] {
        &self.block_start
    }
    /// Block column of each block.
    pub fn block_col(&self) -> &[u32] {
        &self.block_col
    }
    /// One bit a slot, lowest first: set for entries, clear for fill.
    pub fn stored(&self) -> &[u64] {
        &self.stored
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    /// Value of each slot: block after block, each row by row.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// Whether a slot holds an entry and not fill.
    pub fn is_stored(&self, slot: usize) -> bool {
        self.stored[slot / 64] >> (slot % 64) & 1 == 1
    }
    /// Whether there is no fill at all; a kernel then needs no bits.
    pub fn is_full(&self) -> bool {
        self.nnz == self.slots()
    }
    /// Values, fill included.
    pub fn slots(&self) -> usize {
        self.block_col.len() * self.block * self.block
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        let pattern = size_of_val(&self.block_start[..]) + size_of_val(&self.block_col[..]);
        pattern + size_of_val(&self.stored[..]) + self.slots() * size_of::<S>()
    }
    /// Columns and values of row `i`, without fill.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        let b = self.block;
        let blocks = self.block_start[i / b] as usize..self.block_start[i / b + 1] as usize;
        blocks.flat_map(move |p| {
            let (first, j) = (p * b * b + (i % b) * b, self.block_col[p] as usize * b);
            (0..b).filter(move |c| self.is_stored(first + c)).map(move |c| (j + c, self.val[first + c]))
        })
    }

    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<S> {
        Csr::collect_rows(self.cols, self.nnz, (0..self.rows).map(|i| self.row(i)))
    }

    /// The slot of every entry of the CSR pattern this matrix was built from.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        slots::require_same_pattern(&self.to_csr(), pattern)?;
        let mut map = vec![0; pattern.nnz()];
        let blocks = (&self.block_start[..], &self.block_col[..]);
        for_each_slot(pattern, self.block, blocks, |k, slot| map[k] = slot as u64);
        Ok(map)
    }
    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        slots::scatter(&mut self.val, slot_of, values)
    }
}
