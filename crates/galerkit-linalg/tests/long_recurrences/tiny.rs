//! Systems small enough to be solved by hand; every number below is exact.

use super::{Problem, all, exhaustive, unbreakable};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Immediate, Number, Recorded};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{assert_close, problems};

fn vector<S: Scalar>(values: &[f64]) -> Vec<S> {
    values.iter().map(|&value| S::from_f64(value)).collect()
}

/// A turn by 90 degrees: r and A r are orthogonal, so the first step cannot gain anything.
fn quarter_turn<S: Scalar>() {
    let problem = Problem::<S>::new(problems::dense(&[&[0.0, 1.0], &[-1.0, 0.0]]), vector(&[1.0, 0.0]));
    for method in unbreakable(5) {
        let solved = problem.solve(method, &Stop::default());
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 2), "{method}");
        assert_eq!((solved.run.history, solved.x), (vec![1.0, 1.0, 0.0], vector(&[0.0, 1.0])), "{method}");
    }
    let solved = problem.solve(Krylov::Gcr { restart: 5 }, &Stop::default());
    assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Breakdown, 1));
    assert_eq!((solved.run.history, solved.x), (vec![1.0, 1.0], vector(&[0.0, 0.0])));
    // With cycles of one direction each method meets the same wall in every cycle, and says so.
    for method in all(1) {
        let solved = problem.solve(method, &Stop { patience: 7, ..Stop::default() });
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Stagnated, 7), "{method}");
        assert_eq!((solved.run.history, solved.x), (vec![1.0; 8], vector(&[0.0, 0.0])), "{method}");
    }
}

/// A = [1 1; 0 1], b = (0, 1): q = A r = (1, 1), alpha = 1/2, r = (-1/2, 1/2), then the solution (-1, 1).
fn two_steps<S: Scalar>() {
    let problem = Problem::<S>::new(problems::dense(&[&[1.0, 1.0], &[0.0, 1.0]]), vector(&[0.0, 1.0]));
    for method in all(5) {
        let first = problem.solve(method, &exhaustive(1));
        assert_close(&first.x, &vector::<S>(&[0.0, 0.5]), 1.0, &method.to_string());
        let solved = problem.solve(method, &Stop { rtol: 100.0 * S::eps(), ..Stop::default() });
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 2), "{method}");
        assert!((solved.run.history[1] - 0.5f64.sqrt()).abs() <= 4.0 * S::eps(), "{method}");
        assert_close(&solved.x, &vector::<S>(&[-1.0, 1.0]), 1.0, &method.to_string());
    }
}

/// A multiple of the identity takes one step, from any start; a start that is the solution takes none.
fn one_step_and_none<S: Scalar>() {
    for method in all(3).into_iter().chain(all(1)).chain(all(0)) {
        let mut problem = Problem::<S>::new(problems::diagonal(&[4.0; 4]), vector(&[4.0, 8.0, 8.0, 0.0]));
        problem.x = vector(&[0.0, 0.0, 0.0, 3.0]);
        let solved = problem.solve(method, &Stop { rtol: 10.0 * S::eps(), ..Stop::default() });
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 1), "{method}");
        assert_close(&solved.x, &vector::<S>(&[1.0, 2.0, 2.0, 0.0]), 1.0, &method.to_string());
        problem.x = vector(&[1.0, 2.0, 2.0, 0.0]);
        let solved = problem.solve(method, &Stop::default());
        assert_eq!(
            (solved.run.outcome, solved.run.iterations, solved.x),
            (Outcome::Converged, 0, problem.x),
            "{method}"
        );
    }
}

/// b = 0; no rows at all; one row.
fn nothing_to_do<S: Scalar>() {
    for method in all(4) {
        let zero = Problem::<S>::new(super::general(5), vec![S::zero(); 5]).solve(method, &Stop::default());
        assert_eq!((zero.run.outcome, zero.run.iterations, zero.x), (Outcome::Converged, 0, vec![S::zero(); 5]));
        let empty = Problem::<S>::new(problems::diagonal(&[]), vec![]).solve(method, &Stop::default());
        assert_eq!((empty.run.outcome, empty.run.iterations), (Outcome::Converged, 0));
        let one = Problem::<S>::new(problems::diagonal(&[-4.0]), vector(&[2.0])).solve(method, &exhaustive(9));
        assert_eq!((one.run.outcome, one.run.iterations, one.x), (Outcome::Converged, 1, vector(&[-0.5])), "{method}");
    }
}

fn tiny<S: Scalar>() {
    quarter_turn::<S>();
    two_steps::<S>();
    one_step_and_none::<S>();
    nothing_to_do::<S>();
}

#[test]
fn exact_small_systems() {
    tiny::<f32>();
    tiny::<f64>();
    tiny::<c32>();
    tiny::<c64>();
}

/// i x = 1.
#[test]
fn imaginary_matrix() {
    let A = problems::from_triples(1, 1, &[(0, 0, c64::new(0.0, 1.0))]);
    for method in all(4) {
        let solved = Problem::new(A.clone(), vec![c64::new(1.0, 0.0)]).solve(method, &exhaustive(3));
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 1), "{method}");
        assert_eq!(solved.x, [c64::new(0.0, -1.0)], "{method}");
    }
}

/// The quotient that is zero where the divisor is, on both engines.
fn safe_quotient(e: &mut impl Engine<Scalar = f64>) {
    let (zero, two, six) = (e.number(0.0), e.number(2.0), e.number(6.0));
    for (quotient, expected) in [(six.over(two), 3.0), (six.over(zero), 0.0), (zero.over(zero), 0.0)] {
        assert_eq!(e.value(quotient), expected);
    }
    let undefined = e.number(f64::NAN);
    assert!(e.value(six.over(undefined)).is_nan());
}

#[test]
fn quotient_over_zero_is_zero() {
    safe_quotient(&mut Immediate::new(Reference));
    safe_quotient(&mut Recorded::new(Reference));
}
