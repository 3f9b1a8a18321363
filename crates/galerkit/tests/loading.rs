//! Reading a matrix for a solver: the same matrix, and by then the GPU has been started. A process of its own: what was
//! loaded stays.

use galerkit::cuda::convert::compile_ahead;
use galerkit::cuda::jit::Jit;
use galerkit::cuda::launch::Gpu;
use galerkit::linalg::ScalarKind;
use galerkit::linalg::gallery::{Stencil, poisson2d};
use galerkit::linalg::io::matrix_market::{Symmetry, write_matrix};
use galerkit::linalg::sparse::Csr;
use galerkit::prelude::*;

#[test]
fn a_matrix_comes_as_it_is_and_a_gpu_is_ready_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.mtx");
    let A: Csr<f64> = poisson2d(12, Stencil::Points5).unwrap();
    write_matrix(&path, &A, Symmetry::General, &[]).unwrap();
    let path = path.to_string_lossy();
    for device in [Choice::Auto, Device::Cpu.into(), Device::Cuda(0).into()] {
        let solver = Solver::new().device(device).device_setup_from(0);
        assert_eq!(solver.load(&path).unwrap().into_real().unwrap(), A, "{device}");
        let said = solver.load("no-such-file.mtx").unwrap_err().to_string();
        assert_eq!(said, galerkit::load("no-such-file.mtx").unwrap_err().to_string());
    }
    if let Err(error) = Device::Cuda(0).require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let jit = Jit::new(&Gpu::open(0).unwrap());
    compile_ahead(&jit, ScalarKind::F64).unwrap();
    let facts = jit.facts();
    assert_eq!((facts.repeated, facts.hits + facts.compiled + facts.shipped), (2, 0), "{facts}");
}
