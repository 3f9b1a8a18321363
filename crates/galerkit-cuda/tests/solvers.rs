//! Solves on the GPU against the reference: same outcomes, iteration counts within one (sums have another order), same
//! solutions; and against themselves: the same bits from run to run and however far iterations are launched ahead.

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::engine::Recorded;
use galerkit_linalg::krylov::{Outcome, Stop, Verified, Watch};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::formats;
use galerkit_testkit::{System, bits, distance, problems, summary};
use std::sync::Arc;

const EVERY: [Preconditioner; 5] = [
    Preconditioner::None,
    Preconditioner::Jacobi,
    Preconditioner::BlockJacobi { block: 5 },
    Preconditioner::Ssor { omega: 1.0 },
    Preconditioner::Ssor { omega: 1.5 },
];

/// Graphs as usual, graphs one iteration at a time and nothing ahead, and the persistent kernel.
fn ways() -> [(&'static str, Settings); 3] {
    let graphs = Settings { strategy: Some(Strategy::Graphs), ..Settings::default() };
    [
        ("graphs", graphs),
        ("one at a time", Settings { chunk: 1, ahead: 1, ..graphs }),
        ("persistent", Settings { strategy: Some(Strategy::Persistent), ..graphs }),
    ]
}

#[track_caller]
fn solve<S: Scalar>(gpu: &Arc<Gpu>, settings: Settings, system: &System<S>, stop: &Stop) -> (Vec<S>, Verified) {
    let mut engine = Recorded::over(Cuda::new(gpu, settings).expect("room for a few kilobytes"));
    let result = system.run(&mut engine, stop);
    if let Some(error) = engine.executor().failure() {
        panic!("the GPU failed: {error}");
    }
    result
}

#[track_caller]
fn agrees<S: Scalar>(gpu: &Arc<Gpu>, system: &System<S>, stop: &Stop, closeness: f64, what: &str) {
    let expected = system.solve(stop);
    let mut graphs = None;
    for (name, settings) in ways() {
        let what = format!("{what}, {}, {name}", S::KIND.name());
        let (x, found) = solve(gpu, settings, system, stop);
        assert_eq!(found.run.outcome, expected.verified.run.outcome, "{what}");
        let (here, there) = (found.run.iterations, expected.verified.run.iterations);
        assert!(here.abs_diff(there) <= 1 + there / 50, "{what}: {here} iterations, the reference takes {there}");
        assert_eq!(found.run.history.len(), here + 1, "{what}");
        assert!(distance(&x, &expected.x) <= closeness, "{what}: distance {:e}", distance(&x, &expected.x));
        let (again, found_again) = solve(gpu, settings, system, stop);
        assert_eq!(
            (bits(&x), summary(&found)),
            (bits(&again), summary(&found_again)),
            "{what}: not the same bits again"
        );
        match (name, &graphs) {
            ("graphs", _) => graphs = Some((bits(&x), summary(&found))),
            ("one at a time", Some(graphs)) => {
                assert_eq!(graphs, &(bits(&x), summary(&found)), "{what}: launching ahead changes the solve");
            }
            _ => (),
        }
    }
}

fn every_preconditioner<S: Scalar>(rtol: f64) {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::hermitian::<S>(14);
    let b = problems::product(&A, &problems::scattered::<S>(A.rows(), 5));
    for preconditioner in EVERY {
        for watch in [Watch::Residual, Watch::Preconditioned] {
            let stop = Stop { rtol, watch, ..Stop::default() };
            let system = System::new(&A, preconditioner, b.clone());
            agrees(&gpu, &system, &stop, 200.0 * rtol, &format!("{preconditioner}, {watch:?}"));
        }
    }
}

#[test]
fn every_scalar_and_preconditioner() {
    every_preconditioner::<f32>(1e-5);
    every_preconditioner::<f64>(1e-11);
    every_preconditioner::<c32>(1e-5);
    every_preconditioner::<c64>(1e-11);
}

/// Whatever the format, the solve is the same; formats with an order of their own are given b in it.
#[test]
fn every_format() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(40, 2);
    let b = problems::scattered::<f64>(A.rows(), 6);
    for format in formats() {
        let matrix = Matrix::from_csr(&A, format).expect("the matrix is square");
        let (ordered, b) = match matrix.order() {
            Some(order) => (A.permute_symmetric(order).expect("square"), order.gather(&b).expect("as long")),
            None => (A.clone(), b.clone()),
        };
        let system = System { A: matrix, ..System::new(&ordered, Preconditioner::Jacobi, b) };
        agrees(&gpu, &system, &Stop::default(), 1e-5, &format.to_string());
    }
}

/// Every stopping criterion ends the loop where it ends on the host.
#[test]
fn criteria() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(24, 2);
    let system = System::new(&A, Preconditioner::Jacobi, problems::scattered(A.rows(), 7));
    for exact in [0, 1, 7, 50] {
        for limit in [0, 1, 2, 9, 10, 11, 49, 50, 51] {
            let stop = Stop { rtol: 1e-30, limit, replacement: exact, ..Stop::default() };
            agrees(&gpu, &system, &stop, 1e-6, &format!("limit {limit}, exact every {exact}"));
        }
    }
    let stop = Stop { atol: 1e30, ..Stop::default() };
    agrees(&gpu, &system, &stop, 1e-12, "a start that is good enough");
    for divergence in [1.0, 1.0001] {
        let stop = Stop { divergence, rtol: 1e-10, ..Stop::default() };
        agrees(&gpu, &system, &stop, 1e-6, "any growth is divergence");
    }
}

/// Tests that fail, in the loop and before it, end with the same outcome, count and history.
#[test]
fn failures() {
    let Some(gpu) = testing::gpu() else { return };
    let indefinite = problems::diagonal(&[1.0, 2.0, -3.0, 4.0]);
    let system = System::new(&indefinite, Preconditioner::None, vec![1.0; 4]);
    agrees(&gpu, &system, &Stop::default(), 1e-10, "an indefinite matrix");
    let singular = problems::diagonal(&[1.0, 0.0]);
    let system = System::new(&singular, Preconditioner::None, vec![0.0, 1.0]);
    agrees(&gpu, &system, &Stop::default(), 1e-10, "a direction without curvature");
    let system = System { x: vec![f64::NAN; 4], ..System::new(&indefinite, Preconditioner::None, vec![1.0; 4]) };
    let found = solve(&gpu, Settings::default(), &system, &Stop::default()).1;
    assert_eq!(found.run.outcome, Outcome::NonFinite);
    let huge = problems::diagonal(&[1e300, 1e300]);
    let system = System::new(&huge, Preconditioner::None, vec![1e300, -1e300]);
    let (there, here) = (system.solve(&Stop::default()), solve(&gpu, Settings::default(), &system, &Stop::default()));
    assert_eq!(here.1.run.outcome, there.verified.run.outcome);
}

#[test]
fn an_interrupted_solve_returns_the_x_of_its_last_norm() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(64, 2);
    let system = System::new(&A, Preconditioner::Jacobi, problems::scattered(A.rows(), 8));
    for (name, settings) in ways() {
        let observer = galerkit_linalg::krylov::Observer(Arc::new(|iteration, _| iteration < 20));
        let stop = Stop { rtol: 1e-13, replacement: 0, observer: Some(observer), ..Stop::default() };
        let (_, found) = solve(&gpu, settings, &system, &stop);
        if found.run.outcome != Outcome::Interrupted {
            // The persistent kernel hears of it only after its launch; it may have converged by then.
            assert_eq!((name, found.run.outcome), ("persistent", Outcome::Converged));
            continue;
        }
        assert!(found.run.iterations >= 20, "{name}: {} iterations", found.run.iterations);
        let (claimed, held) = (found.recursive_residual(), found.true_residual);
        assert!((claimed - held).abs() <= 1e-6 * found.start, "{name}: x has {held:e}, its norm is {claimed:e}");
    }
}

/// More rows than threads, several launches of the persistent kernel, sums over many blocks.
#[test]
fn a_larger_system_in_every_way() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(500, 2);
    let matrix = Matrix::from_csr(&A, Format::Sell { height: 32, sigma: 1 }).expect("any matrix can be sliced");
    let system = System { A: matrix, ..System::new(&A, Preconditioner::Jacobi, problems::rhs_of_ones(&A)) };
    agrees(&gpu, &system, &Stop { rtol: 1e-6, ..Stop::default() }, 1e-3, "500 x 500");
}
