//! CG with preconditioners that are factors, or spoken in an engine's verbs: as the reference, bitwise from run to run.

use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::krylov::{Stop, Verified, cg, verified};
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, distance, problems, summary};

/// Verified CG on any engine: x, and how it went.
fn solve<E: Engine>(e: &mut E, A: &Csr<E::Scalar>, M: Prepared<E::Scalar>, rtol: f64) -> (Vec<E::Scalar>, Verified) {
    let b = e.upload(&problems::product(A, &problems::scattered(A.rows(), 5)));
    let mut x = e.zeros_like(&b);
    let A = e.load(Box::new(Matrix::Csr(A.clone())));
    let M = M.load(e, &A, Precision::Full);
    let result = verified(e, &cg, &A, &*M, &b, &mut x, &Stop { rtol, ..Stop::default() });
    (e.download(&x), result)
}

fn solves_as_reference<S: Scalar>(rtol: f64) {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::hermitian::<S>(14);
    for name in [
        "ilu0",
        "ilu:1",
        "ic0",
        "ilu0-blocks:3",
        "ilu0-sweeps:0",
        "ilu0-sweeps:4",
        "parilu0:3",
        "parilu0:3:2",
        "chebyshev:1",
        "chebyshev:4",
    ] {
        let preconditioner: Preconditioner = name.parse().unwrap();
        let M = preconditioner.prepare(&A, Class::PositiveDefinite).unwrap();
        let (expected_x, expected) = solve(&mut Immediate::new(Reference), &A, M.clone(), rtol);
        for strategy in [Strategy::Graphs, Strategy::Persistent] {
            let run = || {
                let settings = Settings { strategy: Some(strategy), ..Settings::default() };
                let mut engine = Recorded::over(Cuda::new(&gpu, settings).unwrap());
                let found = solve(&mut engine, &A, M.clone(), rtol);
                assert!(engine.executor().failure().is_none(), "{name}: {}", engine.executor().failure().unwrap());
                found
            };
            let (x, found) = run();
            let (here, there) = (found.run.iterations, expected.run.iterations);
            assert_eq!(found.run.outcome, expected.run.outcome, "{name}");
            assert!(here.abs_diff(there) <= 1 + there / 50, "{name}: {here} iterations, the reference takes {there}");
            assert!(distance(&x, &expected_x) <= 200.0 * rtol, "{name}: distance {:e}", distance(&x, &expected_x));
            let (again, found_again) = run();
            assert_eq!((bits(&x), summary(&found)), (bits(&again), summary(&found_again)), "{name}: other bits");
        }
    }
}

#[test]
fn solves_f32() {
    solves_as_reference::<f32>(1e-5);
}
#[test]
fn solves_f64() {
    solves_as_reference::<f64>(1e-10);
}
#[test]
fn solves_c32() {
    solves_as_reference::<c32>(1e-5);
}
#[test]
fn solves_c64() {
    solves_as_reference::<c64>(1e-10);
}
