//! Products and transposes of sparse matrices on every device, the same to the last bit: every sum begins at zero and
//! follows the stored order of the left factor's row, patterns are those of the factors alone. A CPU uses the threads of
//! the current pool, a GPU hash tables in shared memory ([`cuda::product`](crate::cuda::product), which has the same for
//! matrices that stay there).

mod reference;

use crate::choice::Device;
use crate::error::{Error, Result};
use galerkit_cuda::convert::DeviceCsr;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::product as on_gpu;
use galerkit_linalg::error::check_length;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// The product A B. What cancels stays stored.
    ///
    /// ```
    /// use galerkit::Device;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
    /// let square = galerkit::sparse::product(&A, &A, Device::Cpu)?;
    /// assert_eq!(square.get(0, 2), Some(1.0));
    /// assert_eq!(square.val(), galerkit::sparse::product(&A, &A, Device::Reference)?.val());
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn product<S>(A: &Csr<S>, B: &Csr<S>, device: Device) -> Result<Csr<S>> = product_on;
    /// The transpose of A.
    ///
    /// ```
    /// use galerkit::Device;
    ///
    /// let A = galerkit::load("gallery:convection_diffusion2d?n=10")?.into_real()?;
    /// let T = galerkit::sparse::transpose(&A, Device::Cpu)?;
    /// assert_eq!(T.get(0, 1), A.get(1, 0));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn transpose<S>(A: &Csr<S>, device: Device) -> Result<Csr<S>> = transpose_on;
    /// The conjugate transpose of A.
    ///
    /// ```
    /// use galerkit::Device;
    /// use galerkit::linalg::c64;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?.map_values(|a| c64::new(a, 1.0));
    /// let adjoint = galerkit::sparse::conjugate_transpose(&A, Device::Cpu)?;
    /// assert_eq!(adjoint.get(0, 0), Some(c64::new(4.0, -1.0)));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn conjugate_transpose<S>(A: &Csr<S>, device: Device) -> Result<Csr<S>> = adjoint_on;
}

fn product_on<S: Scalar>(A: &Csr<S>, B: &Csr<S>, device: Device) -> Result<Csr<S>> {
    check_length("the right factor (its rows)", A.cols(), B.rows())?;
    match device {
        Device::Cpu => Ok(A.multiply(B)?),
        Device::Reference => reference::product(A, B),
        Device::Cuda(number) => there(number, |gpu, jit| {
            let [A, B] = [DeviceCsr::upload(gpu, A)?, DeviceCsr::upload(gpu, B)?];
            on_gpu::product(gpu, jit, &A, &B)?.download()
        }),
    }
}

fn transpose_on<S: Scalar>(A: &Csr<S>, device: Device) -> Result<Csr<S>> {
    match device {
        Device::Cpu => Ok(A.transpose()),
        Device::Reference => reference::transpose(A, |a| a),
        Device::Cuda(number) => {
            there(number, |gpu, jit| on_gpu::transpose(gpu, jit, &DeviceCsr::upload(gpu, A)?)?.download())
        }
    }
}

fn adjoint_on<S: Scalar>(A: &Csr<S>, device: Device) -> Result<Csr<S>> {
    match device {
        Device::Cpu => Ok(A.conjugate_transpose()),
        Device::Reference => reference::transpose(A, S::conj),
        Device::Cuda(number) => {
            there(number, |gpu, jit| on_gpu::conjugate_transpose(gpu, jit, &DeviceCsr::upload(gpu, A)?)?.download())
        }
    }
}

/// Something that is done on a GPU; what it says of a matrix is said as the host would.
fn there<R>(number: usize, work: impl FnOnce(&Arc<Gpu>, &Jit) -> galerkit_cuda::Result<R>) -> Result<R> {
    let gpu = Gpu::open(number)?;
    let done = work(&gpu, &Jit::new(&gpu));
    done.map_err(|error| error.into_linalg().map_or_else(Error::Cuda, Error::Linalg))
}
