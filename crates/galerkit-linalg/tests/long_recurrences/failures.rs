//! What the methods say when they cannot succeed: never a false claim, never NaN out of finite input.

use super::{Problem, all, all_and_compressed, exhaustive, general};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{problems, strategies};
use proptest::prelude::*;

/// diag(1, 2, 0): with b = (1, 1, 0) solved in 2 steps, with b = (1, 1, 1) broken down, x as good as it gets.
fn singular<S: Scalar>() {
    let A = problems::diagonal::<S>(&[1.0, 2.0, 0.0]);
    for method in all(10) {
        let consistent = Problem::new(A.clone(), vec![S::one(), S::one(), S::zero()]);
        let solved = consistent.solve(method, &Stop { rtol: 50.0 * S::eps(), ..Stop::default() });
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 2), "{method}");
        let inconsistent = Problem::new(A.clone(), vec![S::one(); 3]);
        let solved = inconsistent.solve(method, &Stop { rtol: 1e-4, ..Stop::default() });
        assert_eq!(solved.run.outcome, Outcome::Breakdown, "{method}: {:?}", solved.run.history);
        let left = problems::norm(&inconsistent.residual(&solved.x));
        assert!((1.0 - 1e-6..1.5).contains(&left), "{method}: {left}"); // 1 is the least possible
        let zero = Problem::new(problems::diagonal::<S>(&[0.0; 3]), vec![S::one(); 3]);
        let solved = zero.solve(method, &Stop::default());
        assert_eq!((solved.run.outcome, solved.run.iterations, solved.x), (Outcome::Breakdown, 0, vec![S::zero(); 3]));
    }
}

#[test]
fn singular_systems() {
    singular::<f32>();
    singular::<f64>();
    singular::<c32>();
    singular::<c64>();
}

/// Pure Neumann. A right-hand side without a mean is met; one with a mean is not, and nobody says it were.
#[test]
fn neumann_problems() {
    let A = problems::neumann::<f64>(30);
    let mut b = problems::scattered::<f64>(30, 1);
    let mean = b.iter().sum::<f64>() / 30.0;
    b.iter_mut().for_each(|b| *b -= mean);
    for method in all_and_compressed(10).chain(all_and_compressed(40)) {
        let (_, solved) = Problem::new(A.clone(), b.clone()).verify(method, &Stop::default());
        assert_eq!(solved.run.outcome, Outcome::Converged, "{method}");
        let shifted = b.iter().map(|b| b + 1.0).collect();
        let stop = Stop { limit: 2000, patience: 100, ..Stop::default() };
        let (x, failed) = Problem::new(A.clone(), shifted).verify(method, &stop);
        let outcome = failed.run.outcome;
        assert!(matches!(outcome, Outcome::Breakdown | Outcome::Stagnated), "{method}: {outcome:?}");
        assert!(x.iter().all(|x| x.is_finite()) && failed.true_residual >= 30f64.sqrt() * (1.0 - 1e-9), "{method}");
    }
}

/// NaN or infinity in b, in the start or in the preconditioner: said at once, with x as it came.
#[test]
fn not_finite() {
    let plain = Problem::<c64>::new(general(6), problems::scattered(6, 2));
    let bad = |value: f64| c64::new(1.0, value);
    for method in all_and_compressed(3) {
        for value in [f64::NAN, f64::INFINITY] {
            let mut problems = vec![plain.clone(), plain.clone(), plain.clone()];
            problems[0].b[2] = bad(value);
            problems[1].x[3] = bad(value);
            problems[2].M =
                Some(Box::new(Diagonal::new((0..6).map(|i| if i == 4 { bad(value) } else { bad(0.5) }).collect())));
            for problem in &problems {
                let solved = problem.solve(method, &Stop::default());
                assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::NonFinite, 0), "{method}");
            }
            assert_eq!(problems[2].solve(method, &Stop::default()).x, plain.x, "{method}");
        }
        // (A v, A v) overflows although everything that came is finite
        let huge = Problem::new(general::<f64>(6).map_values(|a| a * 1e200), vec![1.0; 6]);
        let solved = huge.solve(method, &Stop::default());
        assert_eq!((solved.run.outcome, solved.x), (Outcome::NonFinite, vec![0.0; 6]), "{method}");
    }
}

/// A preconditioner that fails only in a later step leaves the x of the steps before it.
#[test]
fn broken_in_the_middle_of_a_cycle() {
    // b and A b do not see the last row, A^2 b does.
    let A = problems::dense::<f64>(&[&[2.0, 0.0, 0.0], &[1.0, 3.0, 0.0], &[0.0, 1.0, 4.0]]);
    let mut problem = Problem::new(A, vec![1.0, 0.0, 0.0]);
    problem.M = Some(Box::new(Diagonal::new(vec![1.0, 1.0, 1e200])));
    for method in all(5) {
        let solved = problem.solve(method, &Stop::default());
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::NonFinite, 2), "{method}");
        let (truth, last) = (problems::norm(&problem.residual(&solved.x)), solved.run.history[2]);
        assert!((truth - last).abs() <= 1e-14 && truth < 0.5, "{method}: {last} and {truth}");
    }
}

/// Numbers whose squares underflow are no solution.
#[test]
fn underflow_is_no_convergence() {
    let problem = Problem::<f32>::new(general(4), vec![1e-30; 4]);
    for method in all_and_compressed(3) {
        let (x, solved) = problem.verify(method, &Stop::default());
        assert_eq!((solved.run.outcome, x), (Outcome::Breakdown, vec![0.0; 4]), "{method}");
    }
}

/// A skew-symmetric matrix gives GCR nothing to go by: (r, A r) = 0 up to rounding, and then directions of noise.
#[test]
fn gcr_breaks_down_cleanly() {
    let mut triples = Vec::new();
    (0..9usize).for_each(|i| triples.extend([(i, i + 1, 0.3 + i as f64 / 7.0), (i + 1, i, -0.3 - i as f64 / 7.0)]));
    let problem = Problem::<f64>::new(problems::from_triples(10, 10, &triples), problems::scattered(10, 3));
    let gcr = problem.solve(Krylov::Gcr { restart: 10 }, &Stop::default());
    assert_eq!(gcr.run.outcome, Outcome::Breakdown, "{:?}", gcr.run.history);
    assert!(problems::norm(&problem.residual(&gcr.x)) <= (1.0 + 1e-12) * problems::norm(&problem.b));
    for method in super::unbreakable(10) {
        assert_eq!(problem.solve(method, &Stop::default()).run.outcome, Outcome::Converged, "{method}");
    }
}

/// Tolerances below what rounding allows: long cycles past the floor spoil nothing, and nobody claims to have met them.
fn past_the_floor<S: Scalar>() {
    let problem = Problem::<S>::new(general(100), problems::scattered(100, 5));
    let allowed = 1e3 * S::eps() * problems::norm(&problem.b);
    for method in all_and_compressed(60).chain(all_and_compressed(25)) {
        let x = problem.solve(method, &exhaustive(130)).x;
        let truth = problems::norm(&problem.residual(&x));
        assert!(truth <= allowed, "{method}, {}: {truth:e}", S::KIND.name());
        let stop = Stop { rtol: S::eps() / 100.0, patience: 200, limit: 1000, ..Stop::default() };
        let (_, solved) = problem.verify(method, &stop);
        let outcome = solved.run.outcome;
        assert!(matches!(outcome, Outcome::Stagnated | Outcome::IterationLimit), "{method}: {outcome:?}");
        assert!(solved.true_residual <= allowed, "{method}, {}: {:e}", S::KIND.name(), solved.true_residual);
    }
}

#[test]
fn impossible_tolerances() {
    past_the_floor::<f32>();
    past_the_floor::<f64>();
    past_the_floor::<c32>();
    past_the_floor::<c64>();
}

#[test]
fn limits() {
    let problem = Problem::<f64>::new(general(20), problems::scattered(20, 4));
    for method in all_and_compressed(6) {
        for limit in [0, 1, 5, 6, 7, 13] {
            let solved = problem.solve(method, &exhaustive(limit));
            assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::IterationLimit, limit), "{method}");
        }
        let content = problem.solve(method, &Stop { limit: 0, atol: 1e9, ..Stop::default() });
        assert_eq!((content.run.outcome, content.x), (Outcome::Converged, vec![0.0; 20]), "{method}");
    }
}

proptest! {
    #![proptest_config(strategies::config(48))]
    /// Any matrix of integers, singular ones too: both engines agree, x stays finite, success is real.
    #[test]
    fn any_matrix(A in strategies::square::<c64>(9), seed in 0u64..1000, restart in 1usize..12) {
        let problem = Problem::new(A.clone(), problems::scattered(A.rows(), seed));
        for method in all_and_compressed(restart) {
            let stop = Stop { limit: 60, ..Stop::default() };
            let (x, solved) = problem.verify(method, &stop);
            prop_assert!(x.iter().all(|x| x.is_finite()), "{}: {:?}", method, solved.run.outcome);
            prop_assert!(solved.run.outcome != Outcome::NonFinite && solved.run.outcome != Outcome::Diverged);
            if solved.run.outcome == Outcome::Converged {
                prop_assert!(problems::norm(&problem.residual(&x)) <= 1.0001e-8 * problems::norm(&problem.b));
            }
        }
    }
}
