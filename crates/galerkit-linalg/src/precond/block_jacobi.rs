//! Block Jacobi: the inverses of the dense diagonal blocks of A (Saad, Iterative methods, 2nd ed., section 4.1.1).
//! Blocks are stored one after another, each by rows; the last one is smaller when the size does not divide n.
//!
//! ```text
//! [ 2 1 . ]                 [ 2 1 ]^-1        ^-1
//! [ 1 2 1 ]   block = 2:    [ 1 2 ]   and [ 2 ]     val  2/3 -1/3 -1/3 2/3 | 1/2
//! [ . 1 2 ]
//! ```

use super::block_inverse::inverse;
use crate::error::{Error, Result};
use crate::map::LinearMap;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::ops::Range;

/// Dense square blocks along the diagonal, all of one size but the last.
#[derive(Clone, Debug)]
pub struct BlockDiagonal<S> {
    rows: usize,
    block: usize,
    val: Vec<S>,
}

/// About so many rows, in whole blocks, are one task.
const ROWS: usize = 1024;

/// Beyond this, dense inverses cost more than any solve they speed up.
const LARGEST_BLOCK: usize = 1024;

pub(super) fn invalid_block(value: &str) -> Error {
    Error::InvalidParameter {
        name: "block",
        value: value.into(),
        expected: "block Jacobi needs 1 to 1024 rows a block",
    }
}

pub(super) fn check_block(block: usize) -> Result<()> {
    if (1..=LARGEST_BLOCK).contains(&block) { Ok(()) } else { Err(invalid_block(&block.to_string())) }
}

impl<S: Scalar> BlockDiagonal<S> {
    /// Inverts the diagonal blocks of A; a singular one is refused with its rows.
    pub fn from_csr(A: &Csr<S>, block: usize) -> Result<Self> {
        check_block(block)?;
        A.require_square("block Jacobi")?;
        let rows = A.rows();
        let mut val = Vec::with_capacity(rows * block.min(rows));
        for first in (0..rows).step_by(block) {
            let size = block.min(rows - first);
            let inverse = inverse(dense_block(A, first, size), size);
            val.extend(inverse.ok_or(Error::SingularBlock { first, last: first + size - 1 })?);
        }
        Ok(Self { rows, block, val })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Rows of a block, the last perhaps excepted.
    pub fn block(&self) -> usize {
        self.block
    }
    /// The inverted blocks, one after another, each by rows.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.rows.div_ceil(self.block)
    }
    /// Rows of the k-th block and where its entries stand, by rows.
    pub fn block_at(&self, k: usize) -> (Range<usize>, Range<usize>) {
        let first = k * self.block;
        let size = self.block.min(self.rows - first);
        let start = first * self.block; // every block before this one is full
        (first..first + size, start..start + size * size)
    }
    /// The same blocks, rounded to single precision.
    pub fn rounded(&self) -> BlockDiagonal<S::Single> {
        let val = self.val.iter().map(|value| value.to_single()).collect();
        BlockDiagonal { rows: self.rows, block: self.block, val }
    }
    /// Bytes of the blocks.
    pub fn bytes(&self) -> usize {
        self.slots() * size_of::<S>()
    }
    /// How many entries the blocks have.
    pub fn slots(&self) -> usize {
        let last = self.rows % self.block;
        (self.rows - last) * self.block + last * last
    }

    /// The rows of B x from block `first` on, as many as y is long, with these entries; y ends with a whole block.
    pub fn apply_blocks(&self, values: &[S], first: usize, x: &[S], y: &mut [S]) {
        for (k, y) in y.chunks_mut(self.block).enumerate() {
            let (rows, slots) = self.block_at(first + k);
            let (val, size) = (&values[slots], rows.len());
            for i in 0..size {
                let mut sum = S::zero();
                for j in 0..size {
                    sum += val[i * size + j] * x[rows.start + j];
                }
                y[i] = sum;
            }
        }
    }
}

impl<S: Scalar> LinearMap<S> for BlockDiagonal<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn bytes(&self) -> usize {
        BlockDiagonal::bytes(self)
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.apply_blocks(values, 0, x, y);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        let blocks = (ROWS / self.block).max(1);
        let size = blocks * self.block;
        parallel::each_chunk(y, size, &|first, y| self.apply_blocks(values, first / self.block, x, y));
    }
    fn take_values(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.rounded()))
    }
    fn is_finite(&self) -> bool {
        self.val.iter().all(|value| value.finite())
    }
}

/// The entries of rows and columns first..first + size, by rows.
fn dense_block<S: Scalar>(A: &Csr<S>, first: usize, size: usize) -> Vec<S> {
    let mut dense = vec![S::zero(); size * size];
    for i in 0..size {
        for (j, a) in A.row(first + i).filter(|(j, _)| (first..first + size).contains(j)) {
            dense[i * size + j - first] = a;
        }
    }
    dense
}
