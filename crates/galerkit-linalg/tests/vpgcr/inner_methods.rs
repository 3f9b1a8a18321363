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
    for method in [Method::Cg, Method::Minres, Method::Bicgstab, Method::Gcr, Method::Increments, Method::Residual] {
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
