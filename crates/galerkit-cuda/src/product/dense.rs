//! Rows that are too long for a hash table: a bit and a sum for every column, in global memory. Kernels:
//! product_dense.cu.

use super::Multiplier;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// Threads of a block, which has a row at a time.
const THREADS: usize = 256;

/// Room for some blocks.
struct Accumulators<'a> {
    blocks: usize,
    words: usize,
    bits: Piece<'a>,
    sums: Piece<'a>,
}

impl Multiplier<'_> {
    /// For as many rows at a time as a quarter of the free memory has room for.
    fn accumulators<S: Scalar>(&self, rows: usize, cols: usize, has_sums: bool) -> Result<Accumulators<'_>> {
        let words = cols.div_ceil(32);
        let size = if has_sums { size_of::<S>() } else { 0 };
        let room = self.gpu().free_memory()?.0 / 4 / (words * (4 + 32 * size)).max(1);
        let blocks = rows.min(2 * self.gpu().properties().sm_count).min(room).max(1);
        let bits = self.pool().cleared(4 * words * blocks)?;
        Ok(Accumulators { blocks, words, bits, sums: self.pool().piece(32 * words * size * blocks)? })
    }

    fn queue_dense(&self, kernel: &'static str, own: &Accumulators<'_>, words: &[u64]) -> Result<()> {
        let last = [own.words as u64, own.bits.address(), own.sums.address()];
        self.dense()?.launch_all(kernel, own.blocks * THREADS, (THREADS, 0), &[words, &last].concat());
        Ok(())
    }

    /// Writes how many entries the listed rows of A B have.
    pub(super) fn count_long<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        B: &DeviceCsr<S>,
        (rows, list): (usize, &Buffer),
        start: &Buffer,
    ) -> Result<()> {
        let own = self.accumulators::<S>(rows, B.cols, false)?;
        let words = [&[rows as u64, list.address()][..], &A.addresses(), &B.addresses(), &[start.address(), 0, 0]];
        self.queue_dense("dense_count", &own, &words.concat())
    }

    /// Fills the listed rows of C = A B.
    pub(super) fn fill_long<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        B: &DeviceCsr<S>,
        (rows, list): (usize, &Buffer),
        C: &DeviceCsr<S>,
    ) -> Result<()> {
        let own = self.accumulators::<S>(rows, B.cols, true)?;
        let words = [&[rows as u64, list.address()][..], &A.addresses(), &B.addresses(), &C.addresses()];
        self.queue_dense("dense_fill", &own, &words.concat())
    }

    /// Writes the listed rows of C with their columns in ascending order; they are at the same places, in any order,
    /// in other arrays.
    pub(super) fn sort_long<S: Scalar>(
        &self,
        from: [&Buffer; 2],
        (rows, list): (usize, &Buffer),
        C: &DeviceCsr<S>,
    ) -> Result<()> {
        let own = self.accumulators::<S>(rows, C.cols, true)?;
        let [col, val] = from.map(Buffer::address);
        let words = [&[rows as u64, list.address(), 0, 0, 0, C.start.address(), col, val][..], &C.addresses()];
        self.queue_dense("dense_sort", &own, &words.concat())
    }
}
