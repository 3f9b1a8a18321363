//! The transpose of compressed rows: entries of each column are counted, dealt out by cursors, and sorted. Kernels:
//! transpose.cu.

use super::Multiplier;
use super::kernels::SORTS;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::Scalar;

/// Threads of a block.
const THREADS: usize = 256;

impl Multiplier<'_> {
    /// The transpose, or the conjugate transpose, of A.
    pub(crate) fn transpose<S: Scalar>(&self, A: &DeviceCsr<S>, is_conjugate: bool) -> Result<DeviceCsr<S>> {
        let start = Buffer::new(self.gpu(), "the row starts of a transpose", 8 * (A.cols + 1))?;
        start.clear_first(start.bytes());
        let words = [&self.transpose_words(A, is_conjugate)[..], &[start.address(), 0, 0]].concat();
        self.sort(0)?.launch_all("transpose_count", A.nnz, (THREADS, 0), &words);
        self.rows().scan(&start, A.cols);
        let made = DeviceCsr::with_starts(start, (A.cols, A.rows), A.nnz)?;
        self.transpose_into(A, is_conjugate, &made)?;
        Ok(made)
    }

    /// Columns and values of a transpose whose row starts are known.
    pub(crate) fn transpose_into<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        is_conjugate: bool,
        to: &DeviceCsr<S>,
    ) -> Result<()> {
        let (col, val) = (self.pool().piece(4 * A.nnz)?, self.pool().piece(size_of::<S>() * A.nnz)?);
        let mut cursor = self.pool().piece(to.start.bytes())?;
        cursor.copy_from(&to.start, to.start.bytes());
        let places = [cursor.address(), col.address(), val.address()];
        let words = [&self.transpose_words(A, is_conjugate)[..], &places].concat();
        self.sort(0)?.launch_all("transpose_scatter", A.rows, (THREADS, 0), &words);
        let longest = self.longest(to.rows, &to.start)?;
        let (mut least, [start, to_col, to_val]) = (0, to.addresses());
        for (which, &(lanes, most, _)) in SORTS.iter().enumerate() {
            if least < longest {
                let bounds = [to.rows as u64, start, least as u64, most as u64];
                let words = [&bounds[..], &[col.address(), val.address(), to_col, to_val]].concat();
                self.sort(which)?.launch_all("transpose_sort", to.rows * lanes, (THREADS, 0), &words);
            }
            least = most;
        }
        if least < longest {
            let (rows, list) = self.rows_between(to, least, usize::MAX)?;
            self.sort_long([&col, &val], (rows, &list), to)?;
        }
        Ok(())
    }

    fn transpose_words<S: Scalar>(&self, A: &DeviceCsr<S>, is_conjugate: bool) -> [u64; 6] {
        let [start, col, val] = A.addresses();
        [A.rows as u64, A.nnz as u64, is_conjugate as u64, start, col, val]
    }
}
