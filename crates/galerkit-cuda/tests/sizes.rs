//! What was compiled for one system serves others of every size, and for one position of a cycle all others. The text
//! of every method in every form is compared without a GPU, in `sources/programs.rs`.

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Executor, Recorded};
use galerkit_linalg::krylov::{Krylov, Stop};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::{Class, Preconditioner};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_testkit::{distance, problems};
use std::sync::Arc;

/// Positions of a cycle: enough that some are merged. No cycle is longer than the limit of its iterations.
const RESTART: usize = 9;

/// Some iterations on a system: the sources of its loop, and how many modules this process had not loaded before.
fn iterate(
    gpu: &Arc<Gpu>,
    strategy: Option<Strategy>,
    (method, precond): (Krylov, &str),
    A: &Csr<f64>,
) -> (Vec<String>, usize) {
    let M: Preconditioner = precond.parse().unwrap();
    let M = M.prepare(A, Class::PositiveDefinite).unwrap();
    let settings = Settings { strategy, ..Settings::default() };
    let mut e = Recorded::over(Cuda::new(gpu, settings).unwrap());
    let b = e.upload(&problems::product(A, &problems::scattered(A.rows(), 5)));
    let mut x = e.zeros_like(&b);
    let A = e.load(Box::new(Matrix::from_csr(A, Format::Sell { height: 32, sigma: 1 }).unwrap()));
    let M = M.load(&mut e, &A, Precision::Full);
    let stop = Stop { rtol: 1e-10, limit: RESTART, replacement: 0, ..Stop::default() };
    let _ = method.run(&mut e, &A, &*M, &b, &mut x, &stop); // what it runs counts, not where it ends
    let cuda = e.executor();
    assert!(cuda.failure().is_none(), "{method} {precond}: {}", cuda.failure().unwrap());
    let facts = cuda.jit().facts();
    (cuda.compiled().expect("a loop ran").generated.sources.clone(), facts.hits + facts.compiled)
}

/// Sides of square grids for which blocks of a persistent kernel have the same class of sizes; and others, for graphs.
const SAME: [usize; 3] = [14, 31, 45];
const OTHERS: [usize; 2] = [53, 70];

#[track_caller]
fn serves_all(gpu: &Arc<Gpu>, strategy: Option<Strategy>, what: (Krylov, &str), sides: &[usize]) -> Vec<String> {
    let solve = |side: usize| iterate(gpu, strategy, what, &problems::hermitian::<f64>(side));
    let (first, _) = solve(sides[0]);
    for &side in &sides[1..] {
        let (sources, fresh) = solve(side);
        assert!(sources == first, "{} {}: another source for {side} x {side}", what.0, what.1);
        assert_eq!(fresh, 0, "{} {}: {side} x {side} loads modules", what.0, what.1);
    }
    first
}

#[test]
fn a_new_size_compiles_nothing_whatever_the_method() {
    let Some(gpu) = testing::gpu() else { return };
    for method in Krylov::ALL {
        serves_all(&gpu, None, (method.with_restart(RESTART), "jacobi"), &SAME);
    }
}

#[test]
fn a_new_size_compiles_nothing_whatever_the_preconditioner() {
    let Some(gpu) = testing::gpu() else { return };
    for precond in ["none", "block-jacobi:3", "ssor:1", "ilu0", "ic0", "ilu0-sweeps:2", "chebyshev:2"] {
        serves_all(&gpu, None, (Krylov::Cg, precond), &SAME);
    }
}

#[test]
fn a_new_size_compiles_nothing_in_any_form() {
    let Some(gpu) = testing::gpu() else { return };
    let cg = (Krylov::Cg, "jacobi");
    let graphs = serves_all(&gpu, Some(Strategy::Graphs), cg, &[&SAME[..], &OTHERS].concat());
    assert!(graphs != serves_all(&gpu, None, cg, &SAME), "one kernel is another form");
}

/// A preconditioner without kernel source: 1 / 4 on the diagonal.
#[derive(Clone, Debug)]
struct Quarter(usize);

impl LinearMap<f64> for Quarter {
    fn shape(&self) -> (usize, usize) {
        (self.0, self.0)
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[f64], x: &[f64], y: &mut [f64]) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = 0.25 * x);
    }
}

/// x after two cycles and a bit with that preconditioner.
fn by_host<X: Executor<f64>>(e: &mut Recorded<f64, X>, method: Krylov, restart: usize) -> Vec<f64> {
    let A = problems::hermitian::<f64>(14);
    let (b, M) = (e.upload(&problems::scattered(A.rows(), 5)), e.load(Box::new(Quarter(A.rows()))));
    let mut x = e.zeros_like(&b);
    let A = e.load(Box::new(Matrix::Csr(A)));
    let stop = Stop { rtol: 1e-14, limit: 2 * restart + 3, replacement: 0, ..Stop::default() };
    let run = method.with_restart(restart).run(e, &A, &M, &b, &mut x, &stop);
    assert_eq!(run.iterations, stop.limit, "{method}");
    e.download(&x)
}

/// Parts of every position had kernels of their own: GMRES(80) with a preconditioner on the host compiled for 100
/// seconds.
#[test]
fn a_cycle_driven_by_the_host_compiled_kernels_for_each_of_its_positions() {
    let Some(gpu) = testing::gpu() else { return };
    let modules = |restart: usize| {
        let method = Krylov::Gmres { restart };
        let mut e = Recorded::over(Cuda::new(&gpu, Settings::default()).unwrap());
        let x = by_host(&mut e, method, restart);
        assert!(e.executor().failure().is_none() && e.executor().host_products() > 2 * restart, "{method}");
        let expected = by_host(&mut Recorded::new(Reference), method, restart);
        assert!(distance(&x, &expected) <= 1e-10, "{method}: {:e}", distance(&x, &expected));
        e.executor().counters().compiled
    };
    // At least one module for each further position, it was.
    let [short, long] = [10, 20].map(modules);
    assert!(long < short + 5, "{short} modules for 10 positions, {long} for 20");
}
