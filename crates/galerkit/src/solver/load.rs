//! A matrix read for a solver: while the file is parsed, the GPU that will solve is opened and the kernels of its
//! set-up are loaded. Both stay for the solve: contexts until the process ends (`cuda/src/launch/context.rs`), code
//! with them (`cuda/src/jit.rs`).

use super::Solver;
use crate::choice::{Choice, Device, Method};
use crate::error::Result;
use crate::precision::Precision;
use crate::source::{self, Loaded};
use galerkit_cuda::convert::compile_ahead;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::ScalarKind;
use std::path::Path;

/// Bytes of a file for each of its entries, about: two indices and a number in 17 digits, or the same packed.
const BYTES_AN_ENTRY: u64 = 30;
const PACKED_BYTES_AN_ENTRY: u64 = 8;

impl Solver {
    /// Reads or builds a matrix, as [`load`](crate::load()) does, and starts the GPU beside it where the solve of a
    /// file of this size will need one. The solve itself is the same.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let solver = Solver::new().device(Choice::Auto);
    /// let A = solver.load("gallery:poisson2d?n=20")?.into_real()?;
    /// assert!(solver.solve(&A, &vec![1.0; A.rows()])?.report.converged);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn load(&self, name: &str) -> Result<Loaded> {
        match entries(Path::new(name)) {
            Some(entries) if self.choice != Choice::Given(Device::Cpu) => std::thread::scope(|scope| {
                scope.spawn(|| self.start_device(entries));
                source::load(name)
            }),
            _ => source::load(name),
        }
    }

    /// Opens the GPU that would solve a system of so many entries, and loads what its set-up begins with. What goes
    /// wrong is found again, and told, by the solve.
    fn start_device(&self, entries: usize) {
        let method = self.method.given().unwrap_or(Method::CG);
        let Device::Cuda(number) = self.choice.resolve(entries, method).0 else { return };
        let Ok(gpu) = Gpu::open(number) else { return };
        let is_single = self.precision == Choice::Given(Precision::Single);
        if entries >= self.device_setup {
            let _ = compile_ahead(&Jit::new(&gpu), if is_single { ScalarKind::F32 } else { ScalarKind::F64 });
        }
    }
}

/// About how many entries a file has; none where there is no such file.
fn entries(path: &Path) -> Option<usize> {
    let bytes = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    usize::try_from(bytes / if is_packed { PACKED_BYTES_AN_ENTRY } else { BYTES_AN_ENTRY }).ok()
}
