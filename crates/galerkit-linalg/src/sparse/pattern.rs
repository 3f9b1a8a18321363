//! Where a matrix has entries, whoever knows it: compressed rows, which have every column in memory, or a stencil,
//! which has a formula. Statistics and models ask this trait and nothing else, so they say the same of both.

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Rows that one thread looks at together.
const ROWS: usize = 1 << 14;

/// The places of the entries of a matrix, row by row.
///
/// ```
/// use galerkit_linalg::gallery::{Stencil, poisson2d};
/// use galerkit_linalg::sparse::Pattern;
///
/// let A = poisson2d(3, Stencil::Points5)?;
/// let (mut starts, mut room) = ([0; 3], Vec::new());
/// A.starts(0, &mut starts);
/// assert_eq!(starts, [0, 3, 7]);
/// assert_eq!(A.columns(1, &mut room), [0, 1, 2, 4]);
/// assert_eq!(A.column(6), 4);
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
pub trait Pattern: Sync {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn cols(&self) -> usize;
    /// Stored entries.
    fn nnz(&self) -> usize;
    /// Writes where rows begin, from row `first` on; behind the last row that is the number of entries.
    fn starts(&self, first: usize, out: &mut [u64]);
    /// The ascending columns of row i, in memory or written to `room`.
    fn columns<'a>(&'a self, i: usize, room: &'a mut Vec<u32>) -> &'a [u32];
    /// The column of entry k.
    fn column(&self, k: usize) -> u32;
}

impl<S: Scalar> Pattern for Csr<S> {
    fn rows(&self) -> usize {
        self.rows()
    }
    fn cols(&self) -> usize {
        self.cols()
    }
    fn nnz(&self) -> usize {
        self.nnz()
    }
    fn starts(&self, first: usize, out: &mut [u64]) {
        out.copy_from_slice(&self.start()[first..first + out.len()]);
    }
    fn columns<'a>(&'a self, i: usize, _: &'a mut Vec<u32>) -> &'a [u32] {
        &self.col()[self.range(i)]
    }
    fn column(&self, k: usize) -> u32 {
        self.col()[k]
    }
}

/// Bytes of compressed rows with values of so many bytes.
pub(super) fn bytes(A: &dyn Pattern, scalar: usize) -> usize {
    (A.rows() + 1) * size_of::<u64>() + A.nnz() * (size_of::<u32>() + scalar)
}

/// The lengths of all rows.
pub(super) fn lengths(A: &dyn Pattern) -> Vec<u32> {
    let mut lengths = vec![0; A.rows()];
    parallel::each_chunk(&mut lengths, ROWS, &|first, out| out.copy_from_slice(&lengths_from(A, first, out.len())));
    lengths
}

/// A value for each block of about 16,000 rows, a multiple of `rows`, from the lengths of its rows; in order.
pub(super) fn by_blocks<T: Send + Default + Clone>(
    A: &dyn Pattern,
    rows: usize,
    value: &(dyn Fn(&[u32]) -> T + Sync),
) -> Vec<T> {
    let block = rows.saturating_mul((ROWS / rows).max(1));
    let mut values = vec![T::default(); A.rows().div_ceil(block)];
    parallel::each_chunk(&mut values, 1, &|k, out| {
        let first = k * block;
        out[0] = value(&lengths_from(A, first, block.min(A.rows() - first)));
    });
    values
}

fn lengths_from(A: &dyn Pattern, first: usize, count: usize) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    A.starts(first, &mut starts);
    starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect()
}
