//! A matrix that has gone to the GPU as it is, in compressed rows, or was born there, before anything was decided:
//! there it is looked at and converted.

use crate::choice::{Choice, Device};
use crate::matrix::MatrixRef;
use crate::stages::{Stage, Stages};
use galerkit_cuda::convert::{DeviceCsr, Facts, Refills, born, compile_ahead, compile_ahead_of_birth};
use galerkit_cuda::convert::{diagonal, refills, stored};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::{Map, Tuning};
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::map::Diagonal;
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::precond::inverted;
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// Below so many entries the host is as fast as the kernels' launches.
pub(crate) const LEAST: usize = 500_000;

/// Compressed rows on a GPU.
pub(crate) struct Uploaded<S> {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) jit: Jit,
    pub(crate) rows: DeviceCsr<S>,
}

per_scalar! {
    fn bear<S>(gpu: Arc<Gpu>, A: &GridMatrix<S>) -> galerkit_cuda::Result<Uploaded<S>> = Uploaded::born_on;
    fn upload<S>(gpu: Arc<Gpu>, A: &Csr<S>) -> galerkit_cuda::Result<Uploaded<S>> = Uploaded::to;
    fn look<S>(A: &Uploaded<S>) -> galerkit_cuda::Result<Facts> = Uploaded::look;
    fn multigrid<S>(A: &Uploaded<S>, amg: &Amg) -> galerkit_cuda::Result<Built<S>> = Uploaded::build_multigrid;
    fn jacobi<S>(A: &Uploaded<S>) -> galerkit_cuda::Result<Diagonal<S>> = Uploaded::invert_diagonal;
}

impl<S: Scalar> Uploaded<S> {
    /// Brings a matrix to a device that is a GPU, or has it make the rows of a problem; none where it is no GPU, or has
    /// no room: then the host prepares.
    pub(crate) fn new(device: Device, A: MatrixRef<'_, S>, stages: &mut Stages) -> Option<Self> {
        let Device::Cuda(number) = device else { return None };
        let gpu = stages.time(Stage::Device, || Gpu::open(number)).ok()?;
        match A {
            MatrixRef::Rows(A) => stages.time(Stage::Transfer, || upload(gpu, A)).ok(),
            MatrixRef::Problem(problem) => stages.time(Stage::Generation, || bear(gpu, &problem.grid)).ok(),
        }
    }

    fn born_on(gpu: Arc<Gpu>, A: &GridMatrix<S>) -> galerkit_cuda::Result<Self> {
        let jit = Jit::new(&gpu);
        compile_ahead_of_birth(&jit, S::KIND)?;
        let rows = born(&gpu, &jit, A)?;
        Ok(Self { jit, gpu, rows })
    }

    /// The same for another matrix, to the same GPU.
    pub(crate) fn with(&self, A: &Csr<S>, stages: &mut Stages) -> Option<Self> {
        stages.time(Stage::Transfer, || upload(self.gpu.clone(), A)).ok()
    }

    /// The same to a GPU that is open; none where it has no room.
    pub(crate) fn to_gpu(gpu: &Arc<Gpu>, A: &Csr<S>) -> Option<Self> {
        upload(gpu.clone(), A).ok()
    }

    fn to(gpu: Arc<Gpu>, A: &Csr<S>) -> galerkit_cuda::Result<Self> {
        let jit = Jit::new(&gpu);
        // What goes wrong with the kernels is found again, and told, when they are asked for.
        let rows = std::thread::scope(|scope| {
            scope.spawn(|| compile_ahead(&jit, S::KIND).is_ok());
            DeviceCsr::upload(&gpu, A)
        })?;
        Ok(Self { jit, gpu, rows })
    }

    /// What there is to know of its values.
    pub(crate) fn facts(&self) -> Option<Facts> {
        look(self).ok()
    }
    fn look(&self) -> galerkit_cuda::Result<Facts> {
        Facts::of(&self.gpu, &self.jit, &self.rows)
    }

    /// The inverse of its diagonal, which must have one.
    pub(crate) fn jacobi(&self) -> galerkit_cuda::Result<Diagonal<S>> {
        jacobi(self)
    }
    fn invert_diagonal(&self) -> galerkit_cuda::Result<Diagonal<S>> {
        Ok(inverted(diagonal(&self.gpu, &self.jit, &self.rows)?))
    }

    /// A hierarchy of algebraic multigrid, set up where the matrix is.
    pub(crate) fn multigrid(&self, amg: &Amg) -> galerkit_cuda::Result<Built<S>> {
        multigrid(self, amg)
    }
    fn build_multigrid(&self, amg: &Amg) -> galerkit_cuda::Result<Built<S>> {
        galerkit_cuda::amg::build(&self.gpu, &self.jit, &self.rows, amg)
    }

    /// The gathers of new values into a format; A is the same on the host.
    pub(crate) fn refills(&self, A: &Csr<S>, format: Format, tuning: &Tuning) -> Option<Refills> {
        refills(&self.gpu, &self.jit, &self.rows, A.start(), format, tuning).ok().flatten()
    }

    /// In a format, ready for products; none for formats that only the host makes, or without the room.
    pub(crate) fn stored(&self, format: Format, tuning: &Tuning) -> galerkit_cuda::Result<Option<Map>> {
        match stored(&self.gpu, &self.jit, &self.rows, format, tuning) {
            Err(galerkit_cuda::Error::OutOfMemory { .. }) => Ok(None),
            made => made,
        }
    }
}

/// The device to bring a matrix to before anything else is decided.
pub(crate) fn destination(device: Choice<Device>, nnz: usize, least: usize) -> Option<Device> {
    if nnz < least {
        return None;
    }
    let (device, _) = device.resolve(nnz, crate::choice::Method::CG);
    matches!(device, Device::Cuda(_)).then_some(device)
}
