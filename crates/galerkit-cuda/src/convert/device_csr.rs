//! What is converted: a matrix in compressed rows that is on the GPU already.

use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;
use std::marker::PhantomData;
use std::sync::Arc;

/// A matrix in compressed rows in device memory: 64-bit row starts, 32-bit columns, values.
pub struct DeviceCsr<S> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) nnz: usize,
    pub(super) start: Buffer,
    pub(super) col: Buffer,
    pub(super) val: Buffer,
    scalar: PhantomData<S>,
}

impl<S: Scalar> DeviceCsr<S> {
    /// Copies a matrix onto the GPU.
    pub fn upload(gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<Self> {
        Ok(Self {
            rows: A.rows(),
            cols: A.cols(),
            nnz: A.nnz(),
            start: Buffer::from_slice(gpu, "the row starts of CSR", A.start())?,
            col: Buffer::from_slice(gpu, "the columns of CSR", A.col())?,
            val: Buffer::from_slice(gpu, "the values of CSR", A.val())?,
            scalar: PhantomData,
        })
    }

    /// Bytes of its arrays.
    pub fn bytes(&self) -> usize {
        [&self.start, &self.col, &self.val].map(Buffer::bytes).iter().sum()
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Their values, in the order of the rows.
    pub fn val(&self) -> &Buffer {
        &self.val
    }
}
