//! ELLPACK-R: ELL whose kernel reads the row lengths and stops at the end of each row, so that padding costs memory
//! but no time. Vázquez, Fernández, Garzón, "A new approach for sparse matrix vector product on NVIDIA GPUs", 2011.
//!
//! ```text
//! [ 1 -2  0  0 ]    val  1 3 2 2 | -2 1 -5 4 | . . 1 .      . is padding, never read
//! [ 0  3  1  0 ]    col  0 1 0 1 |  1 2  2 3 | . . 3 .
//! [ 2  0 -5  1 ]    len  2 2 3 2
//! [ 0  2  0  4 ]
//! ```

use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Ell};

/// A matrix with the arrays of [`Ell`], read row length by row length.
#[derive(Clone, Debug, PartialEq)]
pub struct EllR<S> {
    ell: Ell<S>,
}

impl<S: Scalar> EllR<S> {
    /// Pads every row to the length of the longest.
    pub fn from_csr(A: &Csr<S>) -> Result<Self> {
        Ok(Self { ell: Ell::from_csr(A)? })
    }
    /// The arrays, which are those of ELL.
    pub fn ell(&self) -> &Ell<S> {
        &self.ell
    }
    /// Number of rows, and the distance in memory between two entries of a row.
    pub fn rows(&self) -> usize {
        self.ell.rows()
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.ell.cols()
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        self.ell.nnz()
    }
    /// Entries each row is padded to.
    pub fn width(&self) -> usize {
        self.ell.width()
    }
    /// Entries of each row; the kernel stops there.
    pub fn len(&self) -> &[u32] {
        self.ell.len()
    }
    /// Column of each slot.
    pub fn col(&self) -> &[u32] {
        self.ell.col()
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        self.ell.take_val()
    }
    /// Value of each slot.
    pub fn val(&self) -> &[S] {
        self.ell.val()
    }
    /// Value/column pairs, padding included: width times rows.
    pub fn slots(&self) -> usize {
        self.ell.slots()
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        self.ell.bytes()
    }
    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<S> {
        self.ell.to_csr()
    }
    /// The slot of every entry of the CSR pattern this matrix was built from.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        self.ell.slot_of(pattern)
    }
    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        self.ell.refill(slot_of, values)
    }
}
