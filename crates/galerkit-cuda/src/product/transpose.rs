//! The transpose of compressed rows: entries of each column are counted, dealt out in the order in which they were
//! counted, and sorted. Kernels: transpose.cu.

use super::Multiplier;
use super::kernels::SORTS;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// Threads of a block.
const THREADS: usize = 256;

impl Multiplier<'_> {
    /// The transpose, or the conjugate transpose, of A.
    pub(crate) fn transpose<S: Scalar>(&self, A: &DeviceCsr<S>, is_conjugate: bool) -> Result<DeviceCsr<S>> {
        let start = Buffer::new(self.gpu(), "the row starts of a transpose", 8 * (A.cols + 1))?;
        let ticket = self.tickets(A, &start)?;
        self.rows().scan(&start, A.cols);
        let made = DeviceCsr::with_starts(start, (A.cols, A.rows), A.nnz)?;
        self.scatter(A, is_conjugate, &ticket, &made)?;
        Ok(made)
    }

    /// Columns and values of a transpose whose row starts are known.
    pub(crate) fn transpose_into<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        is_conjugate: bool,
        to: &DeviceCsr<S>,
    ) -> Result<()> {
        let ticket = self.tickets(A, &*self.pool().piece(to.start.bytes())?)?;
        self.scatter(A, is_conjugate, &ticket, to)
    }

    /// Counts the entries of each column; for each entry how many of its column had come before.
    fn tickets<S: Scalar>(&self, A: &DeviceCsr<S>, count: &Buffer) -> Result<Piece<'_>> {
        count.clear_first(8 * (A.cols + 1));
        let ticket = self.pool().piece(4 * A.nnz)?;
        let places = [count.address(), ticket.address(), 0, 0, 0];
        let words = [&transpose_words(A, false)[..], &places].concat();
        self.sort(0)?.launch_all("transpose_count", A.nnz, (THREADS, 0), &words);
        Ok(ticket)
    }

    fn scatter<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        is_conjugate: bool,
        ticket: &Piece<'_>,
        to: &DeviceCsr<S>,
    ) -> Result<()> {
        let (col, val) = (self.pool().piece(4 * A.nnz)?, self.pool().piece(size_of::<S>() * A.nnz)?);
        let places = [0, ticket.address(), to.start.address(), col.address(), val.address()];
        let words = [&transpose_words(A, is_conjugate)[..], &places].concat();
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
}

fn transpose_words<S: Scalar>(A: &DeviceCsr<S>, is_conjugate: bool) -> [u64; 6] {
    let [start, col, val] = A.addresses();
    [A.rows as u64, A.nnz as u64, is_conjugate as u64, start, col, val]
}
