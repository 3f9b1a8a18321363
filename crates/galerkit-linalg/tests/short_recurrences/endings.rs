//! How a solve ends that cannot succeed: with the right word, and finite numbers in x.

use super::{DEFINITE, GENERAL, System, definite, every};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{problems, strategies};
use proptest::prelude::*;

#[track_caller]
fn ends<S: Scalar>(system: &System<S>, method: Krylov, stop: &Stop) -> (Outcome, usize) {
    let (x, run) = system.solve(method, stop);
    assert!(x.iter().all(|x| x.finite()), "{method}: {x:?}");
    let last = run.history[run.iterations];
    assert!(run.outcome == Outcome::NonFinite || last.is_finite(), "{method}: {last}");
    (run.outcome, run.iterations)
}

fn breakdowns<S: Scalar>() {
    let stop = Stop { rtol: 1e-5, ..Stop::default() };
    let numbers = |values: &[f64]| values.iter().map(|&v| S::from_f64(v)).collect::<Vec<S>>();
    // (r~, v) = 0: A r is orthogonal to r.
    let rotation = problems::dense::<S>(&[&[0.0, 1.0], &[-1.0, 0.0]]);
    let system = System::new(rotation, numbers(&[1.0, 0.0]));
    assert_eq!(ends(&system, Krylov::Bicgstab, &stop), (Outcome::Breakdown, 0));
    // omega = 0: b = (1, 0, 1) makes v = (1, -1, 1), sigma = 2, alpha = 1, s = (0, 1, 0), t = (1, 0, -1), (t, s) = 0.
    let A = problems::dense::<S>(&[&[0.0, 1.0, 1.0], &[0.0, 0.0, -1.0], &[1.0, -1.0, 0.0]]);
    let system = System::new(A, numbers(&[1.0, 0.0, 1.0]));
    let (x, run) = system.solve(Krylov::Bicgstab, &stop);
    assert_eq!((run.outcome, run.iterations, run.history[1]), (Outcome::Breakdown, 1, 1.0));
    assert_eq!(x, numbers(&[1.0, 0.0, 1.0]), "the half step is kept");
    // (r~, r) = 0: v = (1, -1, 0), alpha = 1, s = (0, 1, 0), t = (0, 1, 1), omega = 1/2, r = (0, 1, -1)/2.
    let A = problems::dense::<S>(&[&[1.0, 0.0, 0.0], &[-1.0, 1.0, 0.0], &[0.0, 1.0, 1.0]]);
    let system = System::new(A, numbers(&[1.0, 0.0, 0.0]));
    let (x, run) = system.solve(Krylov::Bicgstab, &stop);
    assert_eq!((run.outcome, run.iterations), (Outcome::Breakdown, 1));
    assert_eq!(x, numbers(&[1.0, 0.5, 0.0]));
    // The zero matrix.
    for method in GENERAL {
        let nothing = System::new(problems::from_triples(2, 2, &[]), numbers(&[1.0, 2.0]));
        assert_eq!(ends(&nothing, method, &stop), (Outcome::Breakdown, 0), "{method}");
    }
    let nothing = System::new(problems::from_triples(2, 2, &[]), numbers(&[1.0, 2.0]));
    assert_eq!(ends(&nothing, Krylov::Minres, &stop), (Outcome::Breakdown, 0));
    for method in DEFINITE {
        assert_eq!(ends(&nothing, method, &stop), (Outcome::NotPositiveDefinite, 0), "{method}");
    }
}

#[test]
fn division_by_zero() {
    breakdowns::<f32>();
    breakdowns::<f64>();
    breakdowns::<c32>();
    breakdowns::<c64>();
}

/// (t, s) = 0 for every skew-symmetric A: IDR's omega.
#[test]
fn skew_symmetry_breaks_the_stabilising_step() {
    let A = problems::dense::<f64>(&[&[0.0, 1.0, 0.0], &[-1.0, 0.0, 2.0], &[0.0, -2.0, 0.0]]);
    let system = System::new(A, vec![1.0, 1.0, 1.0]);
    for method in [Krylov::Bicgstab, Krylov::Idr { s: 1 }] {
        let (outcome, iterations) = ends(&system, method, &Stop { limit: 50, ..Stop::default() });
        assert!(!outcome.converged(), "{method}: {outcome:?} after {iterations}");
    }
}

fn not_definite<S: Scalar>() {
    let A = problems::diagonal::<S>(&[1.0, -1.0, 2.0]);
    let system = System::new(A, vec![S::one(); 3]);
    for method in DEFINITE {
        // Pipelined CG knows (p, A p) only by a recurrence and does not blame A for it.
        let word = if method == Krylov::PipelinedCg { Outcome::Breakdown } else { Outcome::NotPositiveDefinite };
        assert_eq!(ends(&system, method, &Stop::default()), (word, 1), "{method}");
        let negative = System { A: system.A.map_values(|a| -a * a), ..system.clone() };
        assert_eq!(ends(&negative, method, &Stop::default()), (Outcome::NotPositiveDefinite, 0), "{method}");
    }
    let mut system = System::new(problems::laplacian::<S>(4, 1), vec![S::one(); 4]);
    for (last, outcome) in [(-9.0, Some(0)), (-0.5, None)] {
        system.M = Some(Box::new(Diagonal::new([1.0, 1.0, 1.0, last].map(S::from_f64).to_vec())));
        for method in DEFINITE.into_iter().chain([Krylov::Minres]) {
            let (found, iterations) = ends(&system, method, &Stop::default());
            assert_eq!(found, Outcome::PreconditionerNotPositiveDefinite, "{method}");
            assert!(outcome.is_none_or(|expected| expected == iterations), "{method}: {iterations}");
        }
    }
}

#[test]
fn not_positive_definite() {
    not_definite::<f32>();
    not_definite::<f64>();
    not_definite::<c32>();
    not_definite::<c64>();
}

#[test]
fn not_a_number() {
    for bad in [f64::NAN, f64::INFINITY] {
        for method in every() {
            let mut system = definite::<f64>(3);
            system.A.val_mut()[7] = bad;
            assert_eq!(ends(&system, method, &Stop::default()), (Outcome::NonFinite, 0), "{method}");
            let mut system = definite::<f64>(3);
            system.b[4] = bad;
            assert_eq!(ends(&system, method, &Stop::default()), (Outcome::NonFinite, 0), "{method}");
            let mut system = definite::<f64>(3);
            system.M = Some(Box::new(Diagonal::new((0..9).map(|i| if i == 5 { bad } else { 1.0 }).collect())));
            assert_eq!(ends(&system, method, &Stop::default()), (Outcome::NonFinite, 0), "{method}");
        }
    }
}

/// Pure Neumann. With b orthogonal to constants there are solutions and every method finds one; with the constant part
/// of b there are none and no method claims one.
#[test]
fn singular_systems() {
    let A = problems::neumann::<f64>(40);
    let mut b = problems::scattered::<f64>(40, 1);
    let mean = b.iter().sum::<f64>() / 40.0;
    b.iter_mut().for_each(|b| *b -= mean);
    let consistent = System::new(A, b);
    let mut inconsistent = consistent.clone();
    inconsistent.b[0] += 10.0;
    for method in every() {
        for (good, bad) in [(consistent.clone(), inconsistent.clone()), (consistent.jacobi(), inconsistent.jacobi())] {
            let (outcome, iterations) = ends(&good, method, &Stop::default());
            assert_eq!(outcome, Outcome::Converged, "{method}: {iterations}");
            let (outcome, iterations) = ends(&bad, method, &Stop { patience: 500, ..Stop::default() });
            assert!(!outcome.converged() && iterations < 3000, "{method}: {outcome:?} after {iterations}");
        }
    }
}

/// The limit is kept to the iteration, also in the middle of a cycle; x is the iterate of that moment.
#[test]
fn limits() {
    for method in every() {
        let system = definite::<f64>(6);
        for limit in 0..7 {
            let (x, run) = system.solve(method, &Stop { limit, ..Stop::default() });
            assert_eq!((run.outcome, run.iterations), (Outcome::IterationLimit, limit), "{method}");
            assert!((system.true_residual(&x) - run.history[limit]).abs() <= 1e-12 * run.history[0], "{method}");
        }
    }
}

/// Single precision cannot reach this tolerance; the driver finds out, and no method calls A or M indefinite. Pipelined
/// CG breaks down on its way where its vectors are not computed anew often enough, and gets as far by starting again.
#[test]
fn single_precision_is_honest() {
    let A = problems::laplacian::<f32>(24, 2);
    let system = System::new(A.clone(), problems::rhs_of_ones(&A));
    for (method, exact) in every().into_iter().flat_map(|method| [0, 10, 50].map(|exact| (method, exact))) {
        let (x, answer) =
            system.verify(method, &Stop { rtol: 1e-8, patience: 300, replacement: exact, ..Stop::default() });
        let relative = system.true_residual(&x) / answer.start;
        assert_eq!(answer.run.outcome, Outcome::Stagnated, "{method}, exact {exact}: {relative:e}");
        assert!(relative <= 1e-5, "{method}, exact {exact}: {relative:e}");
    }
}

proptest! {
    #![proptest_config(strategies::config(48))]
    /// Any matrix, singular ones included: the engines agree, and what is called converged is.
    #[test]
    fn any_matrix(A in strategies::square::<c64>(10), seed in 0u64..1000) {
        let system = System::new(A.clone(), problems::scattered(A.rows(), seed));
        let stop = Stop { limit: 40, replacement: 5, ..Stop::default() };
        for method in every() {
            let (_, answer) = system.verify(method, &stop);
            let allowed = 1.0001e-8 * answer.start;
            prop_assert!(!answer.run.outcome.converged() || answer.true_residual <= allowed, "{}", method);
        }
    }
}
