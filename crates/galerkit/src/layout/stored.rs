//! The matrix in its format: on the host, to be loaded, or on the GPU that has converted it.

use galerkit_cuda::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Matrix;

/// Where the converted matrix is.
pub enum Stored<S: Scalar> {
    /// In memory of the host.
    Host(Box<Matrix<S>>),
    /// On a GPU already.
    Gpu(Box<Map>),
}

impl<S: Scalar> Stored<S> {
    /// Rows.
    pub fn rows(&self) -> usize {
        match self {
            Stored::Host(A) => A.rows(),
            Stored::Gpu(A) => A.shape.0,
        }
    }
    /// Bytes of its arrays.
    pub fn bytes(&self) -> usize {
        match self {
            Stored::Host(A) => A.bytes(),
            Stored::Gpu(A) => A.bytes,
        }
    }
    /// Bytes of a GPU that it has taken already.
    pub(crate) fn on_gpu(&self) -> usize {
        match self {
            Stored::Host(_) => 0,
            Stored::Gpu(A) => A.bytes,
        }
    }
}
