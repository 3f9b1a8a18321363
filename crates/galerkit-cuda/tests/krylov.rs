//! Every method on the GPU against the reference: the same outcome, nearly the same history, the same solution, and the
//! same bits from run to run; and solves inside iterations, in double and single precision.

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Immediate, Operator, Recorded, Register};
use galerkit_linalg::gallery::toeplitz;
use galerkit_linalg::krylov::{
    Inner, Krylov, Outcome, Run, Stop, bicgstab, cg, compressed_gmres, gmres, idr, increments, inner_stop, richardson,
    vpgcr,
};
use galerkit_linalg::map::InSingle;
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, distance, problems};
use std::sync::Arc;

fn sliced<S: Scalar>(A: &Csr<S>) -> Matrix<S> {
    Matrix::from_csr(A, Format::Sell { height: 32, sigma: 1 }).expect("any matrix can be sliced")
}

fn run<E: Engine>(
    e: &mut E,
    method: Krylov,
    A: &Csr<E::Scalar>,
    b: &[E::Scalar],
    stop: &Stop,
) -> (Vec<E::Scalar>, Run) {
    let M = e.load(Box::new(jacobi(A).expect("a diagonal without zeros")));
    let A = e.load(Box::new(sliced(A)));
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let run = method.run(e, &A, &M, &b, &mut x, stop);
    (e.download(&x), run)
}

#[track_caller]
fn on_gpu<S: Scalar, T>(gpu: &Arc<Gpu>, settings: Settings, work: impl FnOnce(&mut Recorded<S, Cuda<S>>) -> T) -> T {
    let mut engine = Recorded::over(Cuda::new(gpu, settings).expect("room for a few kilobytes"));
    let made = work(&mut engine);
    if let Some(error) = engine.executor().failure() {
        panic!("the GPU failed: {error}");
    }
    made
}

/// Histories agree while the norm is well above where rounding ends it.
fn close(here: &[f64], there: &[f64], within: f64, floor: f64) -> bool {
    let start = there[0];
    here.iter().zip(there).all(|(h, t)| *t < floor * start || (h - t).abs() <= within * (h.abs() + t.abs()))
}

fn every_method<S: Scalar>(rtol: f64, within: f64) {
    let Some(gpu) = testing::gpu() else { return };
    let A = &problems::hermitian::<S>(14); // which every method must solve
    let b = problems::product(A, &problems::scattered::<S>(A.rows(), 5));
    for method in Krylov::ALL {
        let method = method.with_restart(9);
        for period in [0, 7] {
            let stop = Stop { rtol, replacement: period, limit: 400, ..Stop::default() };
            let what = format!("{method}, {}, exact every {period}", S::KIND.name());
            let (expected, reference) = run(&mut Immediate::new(Reference), method, A, &b, &stop);
            assert_eq!(reference.outcome, Outcome::Converged, "{what}: the reference");
            // Each place of a cycle is a text to compile: once through is enough.
            let forms: &[Option<Strategy>] = if period == 0 { &[Some(Strategy::Graphs), None] } else { &[None] };
            for &strategy in forms {
                let settings = Settings { strategy, ..Settings::default() };
                let solve = || on_gpu::<S, _>(&gpu, settings, |e| run(e, method, A, &b, &stop));
                let (x, found) = solve();
                assert_eq!(found.outcome, Outcome::Converged, "{what}");
                let (here, there) = (found.iterations, reference.iterations);
                assert!(here.abs_diff(there) <= 2 + there / 20, "{what}: {here} iterations, the reference {there}");
                // Replaced residuals are not orthogonal to what came before: how they go on depends on rounding.
                let alike = period > 0 || close(&found.history, &reference.history, within, 1e3 * rtol);
                assert!(alike, "{what}: another history");
                assert!(distance(&x, &expected) <= 300.0 * rtol, "{what}: {:e}", distance(&x, &expected));
                let (again, found_again) = solve();
                assert_eq!((bits(&x), &found.history), (bits(&again), &found_again.history), "{what}: other bits");
            }
        }
    }
}

#[test]
fn every_method_f64() {
    every_method::<f64>(1e-10, 1e-5);
}

#[test]
fn every_method_f32() {
    every_method::<f32>(1e-4, 0.1);
}

#[test]
fn every_method_c64() {
    every_method::<c64>(1e-10, 1e-5);
}

#[test]
fn every_method_c32() {
    every_method::<c32>(1e-4, 0.1);
}

/// Convection and diffusion, for the methods that take any matrix.
#[test]
fn a_matrix_that_is_not_symmetric() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(30, 2);
    let (rows, b) = (A.rows(), problems::scattered::<f64>(A.rows(), 3));
    let tilted = |i: usize| A.row(i).map(move |(j, a)| (i, j, if j > i { 0.4 * a } else { a }));
    let triples: Vec<(usize, usize, f64)> = (0..rows).flat_map(tilted).collect();
    let A = Coo::from_triples(rows, rows, &triples).expect("indices below the shape").to_csr().0;
    for method in Krylov::ALL.into_iter().filter(|method| !method.needs_hermitian()) {
        let stop = Stop { rtol: 1e-9, limit: 1000, ..Stop::default() };
        let (expected, reference) = run(&mut Immediate::new(Reference), method, &A, &b, &stop);
        let (x, found) = on_gpu::<f64, _>(&gpu, Settings::default(), |e| run(e, method, &A, &b, &stop));
        assert_eq!((found.outcome, reference.outcome), (Outcome::Converged, Outcome::Converged), "{method}");
        assert!(found.iterations.abs_diff(reference.iterations) <= 2 + reference.iterations / 5, "{method}");
        assert!(distance(&x, &expected) <= 1e-6, "{method}: {:e}", distance(&x, &expected));
    }
}

/// Which inner solve of VPGCR.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Inside {
    Increments,
    Residuals,
    Cg,
    Bicgstab,
    Gmres,
    CompressedGmres,
    Idr,
}

/// Outcome, outer and inner iterations, failures, x.
type Nested<S> = (Outcome, usize, usize, usize, Vec<S>);

fn nested<E: Engine>(
    e: &mut E,
    A: &Csr<E::Scalar>,
    b: &[E::Scalar],
    inside: Inside,
    eps: f64,
    lowered: bool,
) -> Nested<E::Scalar> {
    // The published counts need up to 8 directions; fewer are compiled sooner.
    let restart = if matches!(inside, Inside::Increments | Inside::Residuals) { 8 } else { 2 };
    let outer = e.load(Box::new(sliced(A)));
    let (inner_A, D) = if lowered {
        let low = A.map_values(Scalar::to_single);
        (
            e.load(Box::new(InSingle(Box::new(sliced(&low))))),
            e.load(Box::new(InSingle(Box::new(jacobi(&low).expect("no zeros"))))),
        )
    } else {
        (e.load(Box::new(sliced(A))), e.load(Box::new(jacobi(A).expect("no zeros"))))
    };
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let stop = inner_stop(eps, 10 * A.rows() + 1000);
    let solve = |e: &mut E, r: &E::Vector, z: &mut E::Vector| -> Run {
        let (A, M): (&dyn Operator<E>, &dyn Operator<E>) = (&inner_A, &D);
        match inside {
            Inside::Increments => increments(e, A, M, r, z, &stop),
            Inside::Residuals => richardson(e, A, M, r, z, &stop),
            Inside::Cg => cg(e, A, M, r, z, &stop),
            Inside::Bicgstab => bicgstab(e, A, M, r, z, &stop),
            Inside::Gmres => gmres(e, 6, A, M, r, z, &stop),
            Inside::CompressedGmres => compressed_gmres(e, 6, A, M, r, z, &stop),
            Inside::Idr => idr(e, 2, A, M, r, z, &stop),
        }
    };
    let precision = if lowered { Precision::Single } else { Precision::Full };
    let M = Inner::new(e, &b, precision, Box::new(solve));
    let none = e.number(0.0);
    let failures = e.carry(none);
    let stop = Stop { rtol: 1e-12, limit: 100, replacement: 0, ..Stop::default() };
    let run = vpgcr(e, (restart, &failures), &outer, &M, &b, &mut x, &stop);
    let failures = failures.get();
    (run.outcome, run.iterations, M.iterations(e), e.value(failures) as usize, e.download(&x))
}

/// Table 2 of source 001 for gamma <= 0.8, and sizes that are no multiple of anything.
#[test]
fn published_counts_of_vpgcr() {
    let Some(gpu) = testing::gpu() else { return };
    let table = [(0.2, 57, 36, 7), (0.4, 79, 48, 7), (0.6, 127, 78, 7), (0.8, 279, 204, 8)];
    for (gamma, fine, coarse, updates) in table {
        let A = toeplitz(2048, gamma).expect("a legal gamma");
        let b = problems::product(&A, &vec![1.0; 2048]);
        for lowered in [false, true] {
            for (eps, inner, outer) in [(1e-3, fine, 4), (1e-1, coarse, updates)] {
                let solve = || {
                    on_gpu::<f64, _>(&gpu, Settings::default(), |e| nested(e, &A, &b, Inside::Increments, eps, lowered))
                };
                let found = solve();
                assert_eq!(
                    (found.0, found.1, found.2, found.3),
                    (Outcome::Converged, outer, inner, 0),
                    "gamma {gamma}, {eps}"
                );
                assert!(found.4.iter().all(|x| (x - 1.0).abs() < 1e-10), "gamma {gamma}, {eps}");
                assert_eq!(found, solve(), "gamma {gamma}, {eps}: other bits");
            }
        }
    }
    for n in [1, 2, 31, 1000, 5003] {
        let A = toeplitz(n, 0.6).expect("a legal gamma");
        let b = problems::product(&A, &vec![1.0; n]);
        for lowered in [false, true] {
            let expected = nested(&mut Immediate::new(Reference), &A, &b, Inside::Increments, 1e-2, lowered);
            let found =
                on_gpu::<f64, _>(&gpu, Settings::default(), |e| nested(e, &A, &b, Inside::Increments, 1e-2, lowered));
            assert_eq!((found.0, found.1, found.2), (expected.0, expected.1, expected.2), "n = {n}, {lowered}");
        }
    }
}

/// Whether outer and inner iterations are those of other summation orders. IDR feels those most, in single precision
/// above all.
fn counts_agree<S>(inside: Inside, found: &Nested<S>, expected: &Nested<S>) -> bool {
    let part = if inside == Inside::Idr { 4 } else { 20 };
    found.1.abs_diff(expected.1) <= 1 && found.2.abs_diff(expected.2) <= 2 + expected.2 / part
}

/// Other inner solves, and a complex system with an inner solve in complex single precision.
#[test]
fn other_solves_inside() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::hermitian::<f64>(14);
    let b = problems::scattered::<f64>(A.rows(), 4);
    let C = problems::hermitian::<c64>(14);
    let c = problems::scattered::<c64>(C.rows(), 4);
    let long = [Inside::Gmres, Inside::CompressedGmres, Inside::Idr];
    for inside in [Inside::Residuals, Inside::Cg, Inside::Bicgstab].into_iter().chain(long) {
        for lowered in [false, true] {
            let what = format!("{inside:?}, lowered {lowered}");
            let expected = nested(&mut Immediate::new(Reference), &A, &b, inside, 1e-2, lowered);
            // In one kernel, and with every loop inside replayed by the host, as large systems have it.
            for strategy in [None, Some(Strategy::Graphs)] {
                let settings = Settings { strategy, ..Settings::default() };
                let found = on_gpu::<f64, _>(&gpu, settings, |e| nested(e, &A, &b, inside, 1e-2, lowered));
                assert_eq!((found.0, found.3), (expected.0, expected.3), "{what}, {strategy:?}");
                assert!(counts_agree(inside, &found, &expected), "{what}, {strategy:?}");
                assert!(distance(&found.4, &expected.4) <= 1e-9, "{what}, {strategy:?}");
            }
            let expected = nested(&mut Immediate::new(Reference), &C, &c, inside, 1e-2, lowered);
            let found = on_gpu::<c64, _>(&gpu, Settings::default(), |e| nested(e, &C, &c, inside, 1e-2, lowered));
            assert_eq!((found.0, found.3), (expected.0, expected.3), "complex, {what}");
            assert!(counts_agree(inside, &found, &expected), "complex, {what}");
            assert!(distance(&found.4, &expected.4) <= 1e-9, "complex, {what}");
        }
    }
}
