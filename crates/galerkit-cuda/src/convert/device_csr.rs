//! What is converted: a matrix in compressed rows that is on the GPU already.

use crate::error::{Error, Result};
use crate::launch::{Buffer, Gpu};

use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use std::marker::PhantomData;
use std::sync::Arc;

/// A matrix in compressed rows in device memory: 64-bit row starts, 32-bit columns, values.
pub struct DeviceCsr<S> {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) nnz: usize,
    pub(crate) start: Arc<Buffer>,
    pub(crate) col: Arc<Buffer>,
    pub(crate) val: Arc<Buffer>,
    scalar: PhantomData<S>,
}

per_scalar! {
    fn uploaded<S>(gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<DeviceCsr<S>> = DeviceCsr::copied;
}

impl<S: Scalar> DeviceCsr<S> {
    /// Copies a matrix onto the GPU.
    pub fn upload(gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<Self> {
        uploaded(gpu, A)
    }

    fn copied(gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<Self> {
        Ok(Self {
            rows: A.rows(),
            cols: A.cols(),
            nnz: A.nnz(),
            start: Arc::new(Buffer::from_slice(gpu, "the row starts of CSR", A.start())?),
            col: Arc::new(Buffer::from_slice(gpu, "the columns of CSR", A.col())?),
            val: Arc::new(Buffer::from_slice(gpu, "the values of CSR", A.val())?),
            scalar: PhantomData,
        })
    }

    /// Room for a matrix of so many rows, columns and entries.
    pub(crate) fn room(gpu: &Arc<Gpu>, (rows, cols): (usize, usize), nnz: usize) -> Result<Self> {
        let start = Buffer::new(gpu, "the row starts of CSR", (rows + 1) * size_of::<u64>())?;
        Self::with_starts(start, (rows, cols), nnz)
    }

    /// A matrix whose row starts are known; room for its entries.
    pub(crate) fn with_starts(start: Buffer, (rows, cols): (usize, usize), nnz: usize) -> Result<Self> {
        let gpu = start.gpu().clone();
        gpu.require_memory("a matrix in compressed rows", nnz * (size_of::<u32>() + size_of::<S>()))?;
        let col = Buffer::new(&gpu, "the columns of CSR", nnz * size_of::<u32>())?;
        let val = Buffer::new(&gpu, "the values of CSR", nnz * size_of::<S>())?;
        Ok(Self {
            rows,
            cols,
            nnz,
            start: Arc::new(start),
            col: Arc::new(col),
            val: Arc::new(val),
            scalar: PhantomData,
        })
    }

    /// Other values, of any scalar, in the same pattern, which is shared.
    pub(crate) fn with_values<T: Scalar>(&self, val: Buffer) -> DeviceCsr<T> {
        let Self { rows, cols, nnz, .. } = *self;
        let val = Arc::new(val);
        DeviceCsr { rows, cols, nnz, start: self.start.clone(), col: self.col.clone(), val, scalar: PhantomData }
    }

    /// The same arrays once more: who writes into them writes for both.
    pub(crate) fn share(&self) -> Self {
        let Self { rows, cols, nnz, .. } = *self;
        let [start, col, val] = [&self.start, &self.col, &self.val].map(Arc::clone);
        Self { rows, cols, nnz, start, col, val, scalar: PhantomData }
    }

    /// Brings it to the host.
    pub fn download(&self) -> Result<Csr<S>> {
        let (start, col) = (self.start.download(self.rows + 1)?, self.col.download(self.nnz)?);
        let made = Csr::new(self.rows, self.cols, start, col, self.val.download(self.nnz)?);
        made.map_err(|error| Error::Unsupported { what: "a download of CSR".into(), reason: error.to_string() })
    }

    /// Bytes of its arrays.
    pub fn bytes(&self) -> usize {
        [&*self.start, &*self.col, &*self.val].map(Buffer::bytes).iter().sum()
    }
    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Row starts, columns and values, as words for kernel arguments.
    pub(crate) fn addresses(&self) -> [u64; 3] {
        [&*self.start, &*self.col, &*self.val].map(Buffer::address)
    }
    /// Their values, in the order of the rows.
    pub fn val(&self) -> &Buffer {
        &self.val
    }
}
