//! Cases with numbers checkable by hand, and termination after as many steps as there are unknowns.

use super::{DEFINITE, GENERAL, System, convective, definite, every, indefinite};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{assert_close, problems};

fn after<S: Scalar>(system: &System<S>, method: Krylov, limit: usize) -> (Vec<S>, f64) {
    let (x, run) = system.solve(method, &Stop { rtol: 0.0, limit, ..Stop::default() });
    assert_eq!((run.outcome, run.iterations), (Outcome::IterationLimit, limit), "{method}");
    (x, run.history[limit])
}

fn numbers<S: Scalar>(values: &[f64]) -> Vec<S> {
    values.iter().map(|&value| S::from_f64(value)).collect()
}

/// BiCGSTAB, A = diag(1, 2), b = (1, 1): alpha = 2/3, s = (1, -1)/3, t = (1, -2)/3, omega = (1/3)/(5/9) = 3/5.
fn first_step_of_bicgstab<S: Scalar>() {
    let system = System::new(problems::diagonal::<S>(&[1.0, 2.0]), numbers(&[1.0, 1.0]));
    let (x, norm) = after(&system, Krylov::Bicgstab, 1);
    assert_close(&x, &numbers(&[13.0 / 15.0, 7.0 / 15.0]), 1.0, "x");
    assert_close(&numbers::<S>(&[norm]), &numbers(&[5f64.sqrt() / 15.0]), 1.0, "||(2, 1) / 15||");
}

/// MINRES, A = diag(2, 1), b = (1, 1): the step along b is (A b, b) / (A b, A b) = 3/5. On diag(1, -1) it is zero,
/// where CG fails, and the second step is exact.
fn first_steps_of_minres<S: Scalar>() {
    let system = System::new(problems::diagonal::<S>(&[2.0, 1.0]), numbers(&[1.0, 1.0]));
    let (x, norm) = after(&system, Krylov::Minres, 1);
    assert_close(&x, &numbers(&[0.6, 0.6]), 1.0, "x");
    assert_close(&numbers::<S>(&[norm]), &numbers(&[0.2f64.sqrt()]), 1.0, "||(-1, 2) / 5||");

    let system = System::new(problems::diagonal::<S>(&[1.0, -1.0]), numbers(&[1.0, 1.0]));
    let (x, norm) = after(&system, Krylov::Minres, 1);
    assert_eq!(x, numbers(&[0.0, 0.0]));
    assert_close(&numbers::<S>(&[norm]), &numbers(&[2f64.sqrt()]), 1.0, "the residual stays");
    let (x, run) = system.solve(Krylov::Minres, &Stop { rtol: 1e-5, ..Stop::default() });
    assert_eq!((run.outcome, run.iterations), (Outcome::Converged, 2));
    assert_close(&x, &numbers(&[1.0, -1.0]), 1.0, "x");
    let (_, run) = system.solve(Krylov::Cg, &Stop::default());
    assert_eq!(run.outcome, Outcome::NotPositiveDefinite);
}

/// MINRES with M = diag(1/4, 1), A = diag(8, 1), b = (2, 1): in the variables of M^(1/2) it is diag(2, 1) and (1, 1)
/// again.
fn first_step_of_preconditioned_minres<S: Scalar>() {
    let mut system = System::new(problems::diagonal::<S>(&[8.0, 1.0]), numbers(&[2.0, 1.0]));
    system.M = Some(Box::new(Diagonal::new(numbers(&[0.25, 1.0]))));
    let (x, norm) = after(&system, Krylov::Minres, 1);
    assert_close(&x, &numbers(&[0.3, 0.6]), 1.0, "x");
    assert_close(&numbers::<S>(&[norm]), &numbers(&[0.32f64.sqrt()]), 1.0, "||(-2, 2) / 5||");
}

/// CG and its kin, A = [[2, 1], [1, 2]], b = (1, 0): alpha = 1/2, then x = (2, -1)/3.
fn steps_of_cg<S: Scalar>() {
    let system = System::new(problems::dense::<S>(&[&[2.0, 1.0], &[1.0, 2.0]]), numbers(&[1.0, 0.0]));
    for method in DEFINITE {
        let (x, norm) = after(&system, method, 1);
        assert_eq!((x, norm), (numbers(&[0.5, 0.0]), 0.5), "{method}");
        let (x, run) = system.solve(method, &Stop { rtol: 1e-5, ..Stop::default() });
        assert_eq!((run.outcome, run.iterations), (Outcome::Converged, 2), "{method}");
        assert_close(&x, &numbers(&[2.0 / 3.0, -1.0 / 3.0]), 1.0, "x");
    }
}

/// 4 I, and a diagonal with its inverse as M: one step, whose half already has a zero residual in BiCGSTAB. A zero
/// right-hand side takes no step.
fn one_step<S: Scalar>() {
    for method in every() {
        let plain = System::new(problems::diagonal::<S>(&[4.0; 3]), numbers(&[1.0, -2.0, 8.0]));
        let mut scaled = System::new(problems::diagonal::<S>(&[2.0, 1.0, 0.5]), numbers(&[1.0, -2.0, 8.0]));
        scaled.M = Some(Box::new(Diagonal::new(numbers(&[0.5, 1.0, 2.0]))));
        for (system, expected) in [(plain, [0.25, -0.5, 2.0]), (scaled, [0.5, -2.0, 16.0])] {
            let (x, run) = system.solve(method, &Stop { rtol: 4.0 * S::eps(), ..Stop::default() });
            assert_eq!((run.outcome, run.iterations), (Outcome::Converged, 1), "{method}: {:?}", run.history);
            assert_close(&x, &numbers(&expected), 1.0, "x");
            let zero = System { b: numbers(&[0.0; 3]), ..system };
            let (x, run) = zero.solve(method, &Stop::default());
            assert_eq!((run.outcome, run.iterations, x), (Outcome::Converged, 0, numbers(&[0.0; 3])), "{method}");
        }
        let one = System::new(problems::diagonal::<S>(&[4.0]), numbers(&[2.0]));
        assert_close(&one.solve(method, &Stop::default()).0, &numbers(&[0.5]), 1.0, "one row");
        let none = System::new(problems::diagonal::<S>(&[]), Vec::new());
        assert_eq!(none.solve(method, &Stop::default()).1.outcome, Outcome::Converged, "{method}: no rows");
    }
}

/// An exact zero after the half step: alpha = 1, s = 0, t = 0. Never 0 / 0, never a breakdown, with a tolerance of
/// zero.
fn half_step<S: Scalar>() {
    let system = System::new(problems::diagonal::<S>(&[1.0; 4]), numbers(&[1.0, 2.0, 3.0, 4.0]));
    let (x, run) = system.solve(Krylov::Bicgstab, &Stop { rtol: 0.0, ..Stop::default() });
    assert_eq!((run.outcome, run.iterations, run.history[1]), (Outcome::Converged, 1, 0.0));
    assert_eq!(x, system.b);
}

/// n unknowns take n steps; IDR(s) takes n + n/s products.
fn finite_termination<S: Scalar>() {
    let stop = Stop { rtol: 1e3 * S::eps(), ..Stop::default() };
    let n = 9;
    let check = |system: &System<S>, method, most| {
        let (_, run) = system.solve(method, &stop);
        assert_eq!(run.outcome, Outcome::Converged, "{method}: {:?}", run.history);
        assert!(run.iterations <= most, "{method}: {} steps, {:?}", run.iterations, run.history);
    };
    for system in [definite::<S>(3), definite::<S>(3).jacobi()] {
        DEFINITE.into_iter().chain([Krylov::Minres]).for_each(|method| check(&system, method, n));
    }
    check(&indefinite::<S>(3), Krylov::Minres, n);
    for system in [convective::<S>(3), convective::<S>(3).jacobi()] {
        for method in GENERAL {
            let most = if let Krylov::Idr { s } = method { n + n.div_ceil(s) } else { n };
            check(&system, method, most);
        }
        check(&system, Krylov::Idr { s: 9 }, 9); // orthogonal to nine vectors of nine entries is zero
        check(&system, Krylov::Idr { s: 50 }, 9); // no more shadow vectors than rows
    }
}

macro_rules! for_all_scalars {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            super::$name::<f32>();
            super::$name::<f64>();
            super::$name::<c32>();
            super::$name::<c64>();
        }
    )*};
}

mod all {
    use super::{c32, c64};
    for_all_scalars!(first_step_of_bicgstab first_steps_of_minres first_step_of_preconditioned_minres
        steps_of_cg one_step half_step finite_termination);
}
