//! Methods that are the same in exact arithmetic.

use crate::{DEFINITE, System, convective, definite};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::krylov::{Krylov, Outcome, Stop, Watch};
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::{distance, problems};

/// Flexible, pipelined and plain CG with a fixed M: the same counts, give or take one, norms and iterates.
fn cg_three_times<S: Scalar>() {
    for system in [definite::<S>(16), definite::<S>(16).jacobi()] {
        for watch in [Watch::Residual, Watch::Preconditioned] {
            let stop = Stop { watch, exact: 0, ..Stop::default() };
            let [plain, flexible, pipelined] = DEFINITE.map(|method| system.solve(method, &stop));
            for (x, run) in [flexible, pipelined] {
                assert_eq!(run.outcome, Outcome::Converged);
                assert!(run.iterations.abs_diff(plain.1.iterations) <= 1, "{} {}", run.iterations, plain.1.iterations);
                assert!(distance(&x, &plain.0) <= 1e-7);
                let apart = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6 * a + 1e-11 * run.history[0];
                assert!(!run.history.iter().zip(&plain.1.history).any(apart), "{:?}", run.history);
            }
            for limit in [1, 5, 20] {
                let [a, b, c] =
                    DEFINITE.map(|method| system.solve(method, &Stop { limit, rtol: 0.0, ..stop.clone() }).0);
                assert!(distance(&b, &a) <= 1e-11 && distance(&c, &a) <= 1e-11, "{limit}: {:e}", distance(&c, &a));
            }
        }
    }
}

#[test]
fn flexible_and_pipelined_cg_are_cg() {
    cg_three_times::<f64>();
    cg_three_times::<c64>();
}

/// IDR(1) and BiCGSTAB span the same spaces with two products a step: about as many products. More shadow vectors take
/// no more products than one, nearly.
#[test]
fn idr_is_like_bicgstab() {
    let A = convection_diffusion2d(32, 1.0, [30.0, 10.0]).unwrap();
    let b = problems::product(&A, &problems::scattered(1024, 7));
    for system in [System::new(A.clone(), b.clone()), System::new(A, b).jacobi()] {
        let products = |method| {
            let (_, run) = system.solve(method, &Stop::default());
            assert_eq!(run.outcome, Outcome::Converged, "{method}");
            if method == Krylov::Bicgstab { 2 * run.iterations } else { run.iterations }
        };
        let bicgstab = products(Krylov::Bicgstab);
        let one = products(Krylov::Idr { s: 1 });
        eprintln!("products: bicgstab {bicgstab}, idr(1) {one}, idr(4) {}", products(Krylov::Idr { s: 4 }));
        assert!((one as f64 / bicgstab as f64 - 1.0).abs() <= 0.2, "{one} and {bicgstab}");
        assert!(products(Krylov::Idr { s: 4 }) as f64 <= 1.05 * one as f64);
    }
}

/// Right preconditioning: A M y = b with x = M y is the unpreconditioned method on the product.
#[test]
fn preconditioning_from_the_right() {
    let system = convective::<f64>(6).jacobi();
    let inverse: Vec<f64> = system.A.diagonal().iter().map(|d| 1.0 / d).collect();
    let column = |i: usize, (j, a): (usize, f64)| (i, j, a * inverse[j]);
    let scaled: Vec<_> = (0..36).flat_map(|i| system.A.row(i).map(move |entry| (i, entry))).collect();
    let scaled: Vec<_> = scaled.into_iter().map(|(i, entry)| column(i, entry)).collect();
    let product = System::new(problems::from_triples(36, 36, &scaled), system.b.clone());
    for method in crate::GENERAL {
        let stop = Stop { rtol: 0.0, limit: 6, ..Stop::default() };
        let ((x, _), (y, _)) = (system.solve(method, &stop), product.solve(method, &stop));
        let My: Vec<f64> = y.iter().zip(&inverse).map(|(y, m)| m * y).collect();
        assert!(distance(&x, &My) <= 1e-10, "{method}: {:e}", distance(&x, &My));
    }
}
