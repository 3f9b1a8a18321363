//! Other methods inside: each on a matrix that suits it, in its own and in single precision, real and complex.

use super::{Method, System, Way};
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::{distance, problems};

fn definite<S: Scalar>() -> (System<S>, Vec<S>) {
    let A = problems::hermitian::<S>(9);
    let x = problems::scattered(81, 3);
    (System { b: problems::product(&A, &x), A }, x)
}

fn every_method<S: Scalar>() {
    let (system, x) = definite::<S>();
    let short = [Method::Cg, Method::Minres, Method::Bicgstab, Method::Idr, Method::Increments, Method::Residual];
    let long = [Method::Gcr, Method::Gmres(20), Method::Gmres(3), Method::Fgmres(20), Method::Fgmres(4)];
    let compressed = [Method::CompressedGmres(20), Method::CompressedGmres(3)];
    for method in short.into_iter().chain(long).chain(compressed) {
        for hybrid in [false, true] {
            let way = Way { hybrid, rtol: 1e-10, ..Way::new(method, 1e-2) };
            let found = system.solve(way);
            assert_eq!((found.outcome, found.failures), (Outcome::Converged, 0), "{way:?}");
            assert!(distance(&found.x, &x) <= 1e-8, "{way:?}: {:e}", distance(&found.x, &x));
            assert!((2..=12).contains(&found.outer), "{way:?}: {} outer iterations", found.outer);
            assert!(found.inner >= 2 * found.outer, "{way:?}: {} inner iterations", found.inner);
        }
    }
}

#[test]
fn krylov_methods_inside_real() {
    every_method::<f64>();
}

#[test]
fn krylov_methods_inside_complex() {
    every_method::<c64>();
}

/// CG inside meets a matrix that is not definite: its test fails, its loop ends, and z = 0 is discarded.
#[test]
fn a_failed_test_of_the_inner_method_costs_a_direction_and_no_more() {
    let A = problems::from_triples(
        4,
        4,
        &[(0, 0, -1.0), (1, 1, -2.0), (2, 2, -3.0), (3, 3, -4.0), (0, 1, 0.5), (1, 0, 0.5)],
    );
    let system = System { b: problems::rhs_of_ones(&A), A };
    let found = system.solve(Way::new(Method::Cg, 1e-2));
    assert_eq!((found.outcome, found.failures, found.inner), (Outcome::Converged, found.outer, 0));
    assert!(found.outer <= 4 && system.residual(&found.x) <= 1e-12);
}

/// With the same cycles and the same preconditioner GMRES, flexible GMRES and GCR minimise over the same spaces, so
/// that inside the same method they take the same steps, wherever in a cycle their loops end.
#[test]
fn minimal_residuals_inside_agree() {
    let (system, _) = definite::<f64>();
    for (eps, sweeps) in [(0.5, None), (1e-1, None), (1e-3, None), (0.0, Some(5)), (0.0, Some(7)), (0.0, Some(10))] {
        let of = |method| system.solve(Way { sweeps, rtol: 1e-9, ..Way::new(method, eps) });
        let [gcr, gmres, fgmres] = [Method::Gcr, Method::Gmres(5), Method::Fgmres(5)].map(of);
        assert_eq!(gmres.counts(), gcr.counts(), "{eps} {sweeps:?}");
        assert_eq!(fgmres.counts(), gcr.counts(), "{eps} {sweeps:?}");
        let compressed = of(Method::CompressedGmres(5));
        assert_eq!(compressed.counts(), gcr.counts(), "{eps} {sweeps:?}, compressed");
        assert!(distance(&compressed.x, &gcr.x) <= 1e-8, "{:e}", distance(&compressed.x, &gcr.x));
        assert!(gcr.inner > 0 && distance(&gmres.x, &gcr.x) <= 1e-10 && distance(&fgmres.x, &gcr.x) <= 1e-10);
    }
}

/// The space is exhausted before the tolerance is met: the steps so far are kept, and those of an earlier solve
/// forgotten.
#[test]
fn gmres_inside_that_breaks_down_keeps_what_it_has() {
    let A = problems::from_triples(3, 3, &[(0, 0, 2.0), (1, 1, 3.0), (2, 2, 5.0)]);
    let system = System { b: vec![1.0, 0.0, 0.0], A };
    for method in [Method::Gmres(6), Method::CompressedGmres(6), Method::Fgmres(6)] {
        let found = system.solve(Way::new(method, 0.0));
        assert_eq!((found.outcome, found.outer, found.failures), (Outcome::Converged, 1, 0));
        assert_eq!(found.x, [0.5, 0.0, 0.0]);
    }
}
