//! The tuner on a GPU: alternatives change the storage, not the solution; what was measured is found again.

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::cache::Cache;
use galerkit_cuda::tune::{Candidate, Choice, Origin, Plan};
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::krylov::{Stop, Verified, cg, verified};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, ScalarKind};
use galerkit_testkit::{bits, distance, problems, summary};
use std::sync::Arc;

struct Solved<S> {
    x: Vec<S>,
    verified: Verified,
    choice: Choice,
}

/// Solves as the facade does, with these alternatives.
fn solve<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>, b: &[S], plan: &Plan, others: &[Candidate]) -> Solved<S> {
    let settings = Settings { tuning: plan.first.tuning, ..Settings::default() };
    let mut e = Recorded::over(Cuda::new(gpu, settings).expect("room for a few kilobytes"));
    let matrix = e.load(Box::new(Matrix::from_csr(A, plan.first.format).expect("any matrix")));
    for other in others {
        let map = other.build(gpu, A).unwrap_or_else(|error| panic!("{other}: {error}"));
        e.executor_mut().offer(matrix.map.name(), other.to_string(), map);
    }
    let M = Preconditioner::Jacobi.build(A).expect("a positive diagonal").expect("a map");
    let M = e.load(M);
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let verified = verified(&mut e, &cg, &matrix, &M, &b, &mut x, &Stop { rtol: 1e-9, ..Stop::default() });
    let x = e.download(&x);
    let cuda = e.executor();
    assert!(cuda.failure().is_none(), "{:?}", cuda.failure());
    Solved { x, verified, choice: plan.conclude(cuda.measured(), cuda.taken()) }
}

#[test]
fn alternatives_give_the_same_solution_and_the_decision_is_kept() {
    let Some(gpu) = testing::gpu() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let A = problems::laplacian::<f64>(200, 2);
    let b = problems::scattered::<f64>(A.rows(), 3);
    let plan = || Plan::with_cache(&A, ScalarKind::F64, gpu.properties(), Cache::at(folder.path()));
    let first = plan();
    assert_eq!(first.from, Origin::Model);
    let plain = solve(&gpu, &A, &b, &first, &[]);
    assert_eq!((plain.choice.from, plain.choice.measured.len()), (Origin::Model, 0));
    assert_eq!(plan().from, Origin::Model, "nothing was measured, so nothing is kept");

    let names = ["csr lanes 4", "csr balanced", "k1:32", "k2:32:16", "sell:32:256", "hyb"];
    let others: Vec<Candidate> = names.iter().map(|name| name.parse().expect("a candidate")).collect();
    let tuned = solve(&gpu, &A, &b, &first, &others);
    eprintln!("{}", tuned.choice);
    assert_eq!(tuned.choice.from, Origin::Measured);
    assert_eq!(tuned.choice.measured.len(), 1 + others.len());
    assert!(tuned.choice.measured.iter().all(|(_, seconds)| *seconds > 0.0));
    assert!(tuned.choice.measured.iter().any(|(name, _)| *name == tuned.choice.taken));
    assert_eq!(tuned.verified.run.outcome, plain.verified.run.outcome);
    let (here, there) = (tuned.verified.run.iterations, plain.verified.run.iterations);
    assert!(here.abs_diff(there) <= 1 + there / 50, "{here} iterations, {there} without alternatives");
    assert!(distance(&tuned.x, &plain.x) <= 1e-6, "distance {:e}", distance(&tuned.x, &plain.x));

    let cached = plan();
    assert_eq!((cached.from, cached.first.to_string()), (Origin::Cached, tuned.choice.taken.clone()));
    let [again, once_more] = [(); 2].map(|()| solve(&gpu, &A, &b, &cached, &[]));
    assert_eq!(again.choice.from, Origin::Cached);
    assert_eq!(again.choice.measured, tuned.choice.measured, "the account of the measurement is kept");
    let whole = |solved: &Solved<f64>| (bits(&solved.x), summary(&solved.verified));
    assert_eq!(whole(&again), whole(&once_more), "equal decisions give equal bits");
}

/// Every candidate of the model can be built and timed, for every scalar.
fn every_candidate<S: Scalar>(A: &Csr<f64>) {
    let Some(gpu) = testing::gpu() else { return };
    let A = A.map_values(S::from_f64);
    let mut cuda = Cuda::<S>::new(&gpu, Settings::default()).expect("room for a few kilobytes");
    let statistics = galerkit_cuda::tune::Statistics::thorough(&A, ScalarKind::F64);
    let ranked = galerkit_cuda::tune::rank(&statistics, gpu.properties());
    assert!(ranked.len() > 10);
    for prediction in ranked {
        let candidate = prediction.candidate;
        let map = candidate.build(&gpu, &A).unwrap_or_else(|error| panic!("{candidate}: {error}"));
        let seconds = cuda.time_product(map).unwrap_or_else(|error| panic!("{candidate}: {error}"));
        assert!(seconds > 0.0 && seconds.is_finite(), "{candidate}: {seconds} s");
    }
}

#[test]
fn every_candidate_runs() {
    let A = problems::laplacian::<f64>(60, 2);
    every_candidate::<f32>(&A);
    every_candidate::<galerkit_linalg::c64>(&A);
}

#[test]
fn settings_can_forbid_it() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(30, 2);
    let mut cuda = Cuda::<f64>::new(&gpu, Settings { tune: false, ..Settings::default() }).expect("room");
    use galerkit_linalg::engine::Executor;
    let matrix = cuda.load(Box::new(Matrix::Csr(A.clone())));
    let other = Candidate::csr().balanced().build(&gpu, &A).expect("any matrix");
    cuda.offer(matrix, "csr balanced".into(), other);
    assert!(cuda.measured().is_empty() && cuda.taken().is_none());
}
