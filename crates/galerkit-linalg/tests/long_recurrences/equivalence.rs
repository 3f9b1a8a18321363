//! In exact arithmetic the four methods are one: equal residual norms, restarted or not, preconditioned or not.

use super::{Problem, all, general};
use galerkit_linalg::gallery::shifted_laplace2d;
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{distance, problems};

/// Equal norms within `tolerance` of the first one, none above its predecessor, equal solutions.
fn one_method<S: Scalar>(problem: &Problem<S>, restart: usize, stop: &Stop, tolerance: f64) {
    let solved = all(restart).map(|method| problem.solve(method, stop));
    let start = solved[0].run.history[0];
    for (method, one) in all(restart).into_iter().zip(&solved) {
        assert_eq!(one.run.outcome, Outcome::Converged, "{method}");
        assert_eq!(one.run.iterations, solved[0].run.iterations, "{method} and {}", all(restart)[0]);
        for (k, (own, other)) in one.run.history.iter().zip(&solved[0].run.history).enumerate() {
            assert!((own - other).abs() <= tolerance * start, "{method}, step {k}: {own:e} and {other:e}");
        }
        for (k, pair) in one.run.history.windows(2).enumerate() {
            assert!(pair[1] <= pair[0] + tolerance * start, "{method}, step {k}: {} after {}", pair[1], pair[0]);
        }
        let last = one.run.history[one.run.iterations];
        let truth = problems::norm(&problem.residual(&one.x));
        assert!((truth - last).abs() <= tolerance * start, "{method} claims {last:e} and has {truth:e}");
        assert!(distance(&one.x, &solved[0].x) <= 100.0 * tolerance, "{method}"); // 100: the condition number
    }
}

fn equivalent<S: Scalar>(rtol: f64, tolerance: f64) {
    let stop = Stop { rtol, ..Stop::default() };
    let mut problem = Problem::<S>::new(general(40), problems::scattered(40, 1));
    problem.x = problems::scattered(40, 2);
    for preconditioned in [false, true] {
        let diagonal = || Box::new(jacobi(&problem.A).expect("the diagonal is not zero")) as _;
        problem.M = preconditioned.then(diagonal);
        for restart in [1, 2, 3, 7, 60] {
            one_method(&problem, restart, &stop, tolerance);
        }
    }
    let mut problem = Problem::<S>::new(problems::hermitian(7), problems::scattered(49, 3));
    problem.M = Some(Box::new(jacobi(&problem.A).expect("the diagonal is not zero")));
    for restart in [10, 49] {
        one_method(&problem, restart, &stop, tolerance);
    }
}

#[test]
fn the_four_methods_are_one() {
    equivalent::<f32>(1e-4, 1e-5);
    equivalent::<f64>(1e-10, 1e-12);
    equivalent::<c32>(1e-4, 1e-5);
    equivalent::<c64>(1e-10, 1e-12);
}

/// Complex symmetric, not Hermitian, indefinite: a damped Helmholtz matrix.
#[test]
fn helmholtz_like_matrices() {
    let A = shifted_laplace2d(9, 8.0, -0.5).expect("the parameters are legal");
    let problem = Problem::<c64>::new(A, problems::scattered(81, 4));
    for restart in [5, 12, 81] {
        one_method(&problem, restart, &Stop { rtol: 1e-9, ..Stop::default() }, 1e-10);
    }
}

/// Real A and b in complex arithmetic stay real, and give the norms of real arithmetic.
#[test]
fn real_systems_stay_real() {
    let real = Problem::new(problems::laplacian::<f64>(6, 2), problems::scattered::<f64>(36, 5));
    let complex = Problem::new(real.A.map_values(|a| c64::new(a, 0.0)), real.b.iter().map(|&b| b.into()).collect());
    for method in all(8) {
        let (real, complex) = (real.solve(method, &Stop::default()), complex.solve(method, &Stop::default()));
        assert!(complex.x.iter().all(|x| x.im == 0.0), "{method}");
        assert_eq!(real.run.iterations, complex.run.iterations, "{method}");
        let parts: Vec<f64> = complex.x.iter().map(|x| x.re).collect();
        assert!(distance(&parts, &real.x) <= 1e-12, "{method}");
    }
}

/// Scaling A and b by one power of two changes no norm but by that power.
#[test]
fn powers_of_two_change_nothing() {
    let plain = Problem::new(general::<f64>(30), problems::scattered::<f64>(30, 6));
    let scale = f64::powi(2.0, 20);
    let scaled = Problem::new(plain.A.map_values(|a| a * scale), plain.b.iter().map(|b| b * scale).collect());
    for method in all(6) {
        let (plain, scaled) = (plain.solve(method, &Stop::default()), scaled.solve(method, &Stop::default()));
        assert_eq!(plain.x, scaled.x, "{method}");
        let history: Vec<f64> = plain.run.history.iter().map(|norm| norm * scale).collect();
        assert_eq!(history, scaled.run.history, "{method}");
    }
}
