//! What holds in every iteration: the recursive residual is the true one, MINRES never grows, every scalar converges.

use super::{DEFINITE, GENERAL, System, convective, definite, every, indefinite};
use galerkit_linalg::gallery::shifted_laplace2d;
use galerkit_linalg::krylov::{Krylov, Outcome, Reference, Stop, Watch};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{distance, problems};

/// After each iteration, cut off there, the norm that was watched is that of b - A x.
fn recursive_is_true<S: Scalar>(tolerance: f64) {
    let symmetric = DEFINITE.into_iter().chain([Krylov::Minres]).map(|method| (method, definite::<S>(7)));
    let general = GENERAL.into_iter().map(|method| (method, convective::<S>(7)));
    for (method, plain) in symmetric.chain(general).chain([(Krylov::Minres, indefinite::<S>(7))]) {
        for system in [plain.clone(), plain.jacobi()] {
            for limit in (1..24).step_by(3) {
                let (x, run) = system.solve(method, &Stop { rtol: 1e-9, replacement: 0, limit, ..Stop::default() });
                let (watched, truth) = (run.history[run.iterations], system.true_residual(&x));
                let drift = (watched - truth).abs() / run.history[0];
                assert!(drift <= tolerance, "{method}, {} iterations: drift {drift:e}", run.iterations);
            }
        }
    }
}

#[test]
fn recursive_residuals_are_true() {
    recursive_is_true::<f64>(1e-12);
    recursive_is_true::<c64>(1e-12);
    recursive_is_true::<f32>(1e-4);
    recursive_is_true::<c32>(1e-4);
}

/// Every method with and without M, exact residuals or not, either norm watched, meets its tolerance in truth.
fn converges<S: Scalar>(rtol: f64) {
    let check = |system: &System<S>, method, stop: &Stop| {
        let (x, run) = system.solve(method, stop);
        assert_eq!(run.outcome, Outcome::Converged, "{method}: {:?}", run.history);
        let relative = system.true_residual(&x) / problems::norm(&system.b);
        assert!(relative <= 10.0 * rtol, "{method}: {relative:e}");
    };
    for exact in [0, 1, 5] {
        let stop = Stop { rtol, replacement: exact, limit: 400, ..Stop::default() };
        for watch in [Watch::Residual, Watch::Preconditioned] {
            for method in DEFINITE.into_iter().chain([Krylov::Minres]) {
                check(&definite::<S>(8), method, &Stop { watch, ..stop.clone() });
                check(&definite::<S>(8).jacobi(), method, &Stop { watch, ..stop.clone() });
            }
        }
        check(&indefinite::<S>(8), Krylov::Minres, &stop);
        check(&indefinite::<S>(8).jacobi(), Krylov::Minres, &stop);
        for method in GENERAL {
            check(&convective::<S>(8), method, &stop);
            check(&convective::<S>(8).jacobi(), method, &stop);
        }
    }
}

#[test]
fn every_scalar_converges() {
    converges::<f32>(1e-4);
    converges::<c32>(1e-4);
    converges::<f64>(1e-10);
    converges::<c64>(1e-10);
}

/// A start that is not zero is used.
#[test]
fn starts_from_the_given_x() {
    let start = problems::scattered::<f64>(64, 9);
    for method in every() {
        let plain = if GENERAL.contains(&method) { convective(8) } else { definite(8) };
        let (expected, _) = plain.solve(method, &Stop { rtol: 1e-11, ..Stop::default() });
        let system = System { x: start.clone(), ..plain };
        let (x, run) = system.solve(method, &Stop { rtol: 1e-11, ..Stop::default() });
        assert!((run.history[0] - system.true_residual(&start)).abs() <= 1e-12 * run.history[0], "{method}");
        assert!(distance(&x, &expected) <= 1e-8, "{method}");
    }
}

/// Helmholtz without damping is Hermitian and indefinite: CG says so, MINRES solves it, in norms that never grow: the
/// Euclidean one without M, that of M with it.
#[test]
fn minres_where_cg_fails() {
    let A = shifted_laplace2d(12, 12.0, 0.0).unwrap();
    let plain = System::new(A.clone(), problems::product(&A, &problems::scattered(144, 5)));
    let mut scaled = plain.clone();
    scaled.M = Some(Box::new(Diagonal::new((0..144).map(|i| c64::new(1.0 + (i % 5) as f64, 0.0)).collect())));
    for (system, watch) in [(plain, Watch::Residual), (scaled, Watch::Preconditioned)] {
        let stop = Stop { rtol: 1e-9, watch, ..Stop::default() };
        assert_eq!(system.solve(Krylov::Cg, &stop).1.outcome, Outcome::NotPositiveDefinite);
        let (x, run) = system.solve(Krylov::Minres, &stop);
        assert_eq!(run.outcome, Outcome::Converged, "{} iterations", run.iterations);
        assert!(run.history.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{:?}", run.history);
        assert!(system.true_residual(&x) <= 1e-8 * problems::norm(&system.b));
    }
}

/// |eta| is sqrt((r, M r)) of the true residual.
#[test]
fn minres_watches_the_norm_of_the_preconditioner() {
    let system = definite::<c64>(6).jacobi();
    for limit in [1, 4, 9] {
        let stop = Stop { rtol: 1e-12, limit, watch: Watch::Preconditioned, ..Stop::default() };
        let (x, run) = system.solve(Krylov::Minres, &stop);
        let product = problems::product(&system.A, &x);
        let r: Vec<c64> = system.b.iter().zip(product).map(|(b, y)| b - y).collect();
        let z: Vec<c64> = r.iter().zip(system.A.diagonal()).map(|(r, d)| r / d).collect();
        let expected = problems::inner(&r, &z).sqrt();
        assert!((run.history[limit] - expected).abs() <= 1e-12 * run.history[0], "{limit}");
    }
}

/// What pipelining loses in accuracy, the exact residuals bring back: a recurrence from a far start.
#[test]
fn exact_residuals_help_pipelined_cg() {
    let mut system = definite::<f64>(24);
    system.x = vec![1e6; 576];
    let reference = Reference::Given(problems::norm(&system.b));
    let truth = |method, exact| {
        let stop = Stop { rtol: 1e-11, reference, replacement: exact, limit: 400, divergence: 1e20, ..Stop::default() };
        system.true_residual(&system.solve(method, &stop).0) / problems::norm(&system.b)
    };
    let [drifted, held] = [0, 10].map(|exact| truth(Krylov::PipelinedCg, exact));
    assert!(held <= 1e-10 && drifted >= 10.0 * held, "{held:e} with, {drifted:e} without");
}

/// All products with P at once cost IDR(s) no accuracy, whatever s.
#[test]
fn idr_is_accurate_with_many_shadow_vectors() {
    let system = convective::<f64>(24);
    for s in [1, 2, 4, 8, 16] {
        let (x, run) = system.solve(Krylov::Idr { s }, &Stop { rtol: 1e-12, limit: 500, ..Stop::default() });
        let relative = system.true_residual(&x) / problems::norm(&system.b);
        assert_eq!(run.outcome, Outcome::Converged, "{s}");
        assert!(relative <= 1e-11, "{s}: {relative:e}");
    }
}
