//! What CG says when it cannot succeed (spec 02, section 6), and that it never claims success without having it.
//! Every solve runs on both engines, bit by bit the same.

use galerkit_linalg::krylov::{Observer, Outcome, Reference, Stop, Watch, backward_error, frobenius_norm};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::{Diagonal, Error, Scalar, c32, c64};
use galerkit_testkit::{Solved, System, problems};
use std::sync::{Arc, Mutex};

const NONE: Preconditioner = Preconditioner::None;

#[track_caller]
fn expect<S: Scalar>(solved: &Solved<S>, outcome: Outcome, iterations: usize) {
    let run = &solved.verified.run;
    assert_eq!((run.outcome, run.iterations), (outcome, iterations), "{:?}", run.history);
    assert_eq!(run.history.len(), iterations + 1);
}

fn indefinite<S: Scalar>() {
    let A = problems::diagonal::<S>(&[1.0, -1.0, 2.0]);
    let solved = System::new(&A, NONE, vec![S::one(); 3]).solve(&Stop::default());
    expect(&solved, Outcome::NotPositiveDefinite, 1);
    let step = S::from_f64(3.0 / 2.0); // alpha = (r, r) / (r, A r) = 3 / 2, kept as the current x
    assert_eq!(solved.x, vec![step; 3]);
    let minus = problems::laplacian::<S>(5, 2).map_values(|a| -a);
    let solved = System::new(&minus, NONE, vec![S::one(); 25]).solve(&Stop::default());
    expect(&solved, Outcome::NotPositiveDefinite, 0);
    assert_eq!(solved.x, vec![S::zero(); 25]);
}

#[test]
fn not_positive_definite() {
    indefinite::<f32>();
    indefinite::<f64>();
    indefinite::<c32>();
    indefinite::<c64>();
}

/// A preconditioner with a negative direction is found out with either norm watched: at once if (r, M r) < 0.
fn indefinite_preconditioner<S: Scalar>() {
    let A = problems::laplacian::<S>(4, 1);
    let mut system = System::new(&A, NONE, vec![S::one(); 4]);
    for watch in [Watch::Residual, Watch::Preconditioned] {
        for d in [[-1.0, -1.0, -1.0, -1.0], [1.0, 1.0, 1.0, -9.0]] {
            system.M = Some(Box::new(Diagonal::new(d.map(S::from_f64).to_vec())));
            let solved = system.solve(&Stop { watch, ..Stop::default() });
            expect(&solved, Outcome::PreconditionerNotPositiveDefinite, 0);
            assert_eq!(solved.x, vec![S::zero(); 4]);
        }
        // Positive at the first residual (1, 1, 1, 1), negative later.
        system.M = Some(Box::new(Diagonal::new([1.0, 1.0, 1.0, -0.5].map(S::from_f64).to_vec())));
        let solved = system.solve(&Stop { watch, ..Stop::default() });
        assert_eq!(solved.verified.run.outcome, Outcome::PreconditionerNotPositiveDefinite);
        assert!(solved.verified.run.iterations > 0);
    }
}

#[test]
fn preconditioner_not_positive_definite() {
    indefinite_preconditioner::<f32>();
    indefinite_preconditioner::<f64>();
    indefinite_preconditioner::<c32>();
    indefinite_preconditioner::<c64>();
}

#[test]
fn non_finite_input_and_overflow() {
    let A = problems::laplacian::<f64>(4, 1);
    for bad in [f64::NAN, f64::INFINITY] {
        let solved = System::new(&A, NONE, vec![1.0, bad, 1.0, 1.0]).solve(&Stop::default());
        expect(&solved, Outcome::NonFinite, 0);
        let mut system = System::new(&A, NONE, vec![1.0; 4]);
        system.M = Some(Box::new(Diagonal::new(vec![1.0, bad, 1.0, 1.0])));
        expect(&system.solve(&Stop::default()), Outcome::NonFinite, 0);
    }
    // (p, A p) overflows although b and A are finite.
    let huge = A.map_values(|a| a * 1e300);
    expect(&System::new(&huge, NONE, vec![1e10; 4]).solve(&Stop::default()), Outcome::NonFinite, 0);
}

/// Squares of these numbers underflow: a norm of zero must not pass for a solution.
#[test]
fn underflow_is_no_convergence() {
    let A = problems::laplacian::<f32>(4, 1);
    let solved = System::new(&A, NONE, vec![1e-30f32; 4]).solve(&Stop::default());
    expect(&solved, Outcome::Breakdown, 0);
    assert_eq!(solved.x, vec![0.0; 4]);
}

/// Pure Neumann, b orthogonal to constants: converges and keeps the mean at zero.
#[test]
fn singular_but_consistent() {
    let A = problems::neumann::<f64>(40);
    let mut b = problems::scattered::<f64>(40, 1);
    let mean = b.iter().sum::<f64>() / 40.0;
    b.iter_mut().for_each(|b| *b -= mean);
    let solved = System::new(&A, NONE, b).solve(&Stop::default());
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
    assert!(solved.x.iter().sum::<f64>().abs() / 40.0 <= 1e-12);
}

/// The constant part of b cannot be reached: the outcome is a failure, well before the limit, whatever the N_exact.
#[test]
fn singular_and_inconsistent() {
    let A = problems::neumann::<f64>(40);
    let mut b = problems::scattered::<f64>(40, 1);
    b[0] += 10.0;
    for exact in [0, 1, 50] {
        for preconditioner in [NONE, Preconditioner::Jacobi, Preconditioner::Ssor { omega: 1.2 }] {
            let solved =
                System::new(&A, preconditioner, b.clone()).solve(&Stop { replacement: exact, ..Stop::default() });
            let run = &solved.verified.run;
            let failures = [Outcome::Diverged, Outcome::Stagnated, Outcome::NotPositiveDefinite, Outcome::NonFinite];
            assert!(failures.contains(&run.outcome), "{preconditioner}: {:?}", run.outcome);
            assert!(run.iterations < 2000, "{preconditioner}, exact {exact}: {} iterations", run.iterations);
            assert!(solved.verified.true_residual > 1.0);
        }
    }
}

fn trivial<S: Scalar>() {
    // b = 0 and x = 0; then A x = b already.
    let A = problems::laplacian::<S>(6, 1);
    expect(&System::new(&A, Preconditioner::Jacobi, vec![S::zero(); 6]).solve(&Stop::default()), Outcome::Converged, 0);
    let mut system = System::new(&A, Preconditioner::Jacobi, problems::rhs_of_ones(&A));
    system.x = vec![S::one(); 6];
    let solved = system.solve(&Stop::default());
    expect(&solved, Outcome::Converged, 0);
    assert_eq!((solved.x, solved.verified.true_residual), (vec![S::one(); 6], 0.0));
    // no rows, one row
    let empty = problems::diagonal::<S>(&[]);
    expect(
        &System::new(&empty, Preconditioner::Ssor { omega: 1.0 }, vec![]).solve(&Stop::default()),
        Outcome::Converged,
        0,
    );
    let one = problems::diagonal::<S>(&[4.0]);
    let solved = System::new(&one, Preconditioner::Jacobi, vec![S::from_f64(2.0)]).solve(&Stop::default());
    expect(&solved, Outcome::Converged, 1);
    assert_eq!(solved.x, [S::from_f64(0.5)]);
}

#[test]
fn nothing_to_do() {
    trivial::<f32>();
    trivial::<f64>();
    trivial::<c32>();
    trivial::<c64>();
}

#[test]
fn limits_and_zero_tolerance() {
    let A = problems::laplacian::<f64>(16, 2);
    let system = System::new(&A, NONE, problems::rhs_of_ones(&A));
    let solved = system.solve(&Stop { limit: 0, ..Stop::default() });
    expect(&solved, Outcome::IterationLimit, 0);
    assert_eq!(solved.x, vec![0.0; 256]);
    expect(&system.solve(&Stop { limit: 0, atol: 1e9, ..Stop::default() }), Outcome::Converged, 0);
    expect(&system.solve(&Stop { limit: 7, ..Stop::default() }), Outcome::IterationLimit, 7);
    // a tolerance of zero runs to the limit, long after nothing improves any more
    expect(&system.solve(&Stop { rtol: 0.0, limit: 1500, ..Stop::default() }), Outcome::IterationLimit, 1500);
    // ... or to an exact zero: the identity is solved in one step
    let identity = System::new(&problems::diagonal::<f64>(&[1.0; 5]), NONE, vec![3.0; 5]);
    expect(&identity.solve(&Stop { rtol: 0.0, ..Stop::default() }), Outcome::Converged, 1);
}

/// A tolerance of zero without exact residuals drives the recurrence into underflow: never a success, never a verdict
/// on the definiteness of a matrix that is positive definite.
#[test]
fn underflow_of_the_recurrence_is_stagnation() {
    for preconditioner in [NONE, Preconditioner::Jacobi, Preconditioner::Ssor { omega: 1.0 }] {
        let A = problems::dense::<f64>(&[&[3e3, 1.0, 0.5], &[1.0, 7e3, 2.0], &[0.5, 2.0, 9e3]]);
        let system = System::new(&A, preconditioner, vec![0.1, 0.2, 0.3]);
        let solved = system.solve(&Stop { rtol: 0.0, replacement: 0, ..Stop::default() });
        let result = &solved.verified;
        let honest = match result.run.outcome {
            Outcome::Converged => result.true_residual == 0.0,
            Outcome::Stagnated | Outcome::IterationLimit => result.true_residual > 0.0,
            _ => false,
        };
        assert!(honest, "{preconditioner}: {:?} with {:e}", result.run.outcome, result.true_residual);
        assert!(result.true_residual <= 1e-15);
    }
}

/// Single precision cannot reach 1e-7 on the 64 x 64 Laplacian; the recurrence believes it does after some 112 steps.
#[test]
fn single_precision_stagnates_honestly() {
    let A = problems::laplacian::<f32>(64, 2);
    let system = System::new(&A, NONE, problems::rhs_of_ones(&A));
    for exact in [0, 50] {
        let stop = Stop { rtol: 1e-7, replacement: exact, ..Stop::default() };
        let solved = system.solve(&stop);
        let result = &solved.verified;
        assert_eq!(result.run.outcome, Outcome::Stagnated, "exact {exact}: {} its", result.run.iterations);
        // Without exact residuals only the restart finds out; with them the norm jumps up until patience ends.
        assert!(exact > 0 || result.restarts >= 1);
        let relative = result.true_residual / result.start;
        assert!(relative > 1e-7 && relative < 1e-5, "exact {exact}: {relative:e}");
        assert_eq!(result.run.history.len(), result.run.iterations + 1);
    }
    // What single precision can give, it gives.
    let solved = system.solve(&Stop { rtol: 1e-5, ..Stop::default() });
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
}

/// A recurrence that drifts: from a far start the true residual is met only after restarts, and then it is.
#[test]
fn restarts_recover_what_the_recurrence_lost() {
    let A = problems::laplacian::<f64>(32, 2);
    let mut system = System::new(&A, NONE, problems::rhs_of_ones(&A));
    system.x = vec![1e12; 1024];
    let b_norm = problems::norm(&system.b);
    let reference = Reference::Given(b_norm);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tell = seen.clone();
    let observer = Observer(Arc::new(move |i, _| {
        tell.lock().expect("no panic while held").push(i);
        true
    }));
    let stop =
        Stop { rtol: 1e-10, replacement: 0, reference, divergence: 1e20, observer: Some(observer), ..Stop::default() };
    let solved = system.solve(&stop);
    let result = &solved.verified;
    assert_eq!(result.run.outcome, Outcome::Converged);
    assert!(result.restarts >= 1, "the test has lost its point: no restart was needed");
    assert!(result.true_residual <= 1e-10 * b_norm);
    let counted: Vec<usize> = (1..=result.run.iterations).collect();
    let seen = seen.lock().expect("no panic while held");
    assert_eq!(seen[..], [&counted[..], &counted[..]].concat(), "both engines count on through restarts");
}

#[test]
fn an_observer_can_stop() {
    let A = problems::laplacian::<f64>(16, 2);
    let observer = Some(Observer(Arc::new(|i, _| i < 5)));
    let solved = System::new(&A, NONE, problems::rhs_of_ones(&A)).solve(&Stop { observer, ..Stop::default() });
    expect(&solved, Outcome::Interrupted, 5);
}

#[test]
fn senseless_criteria_are_refused() {
    let ok = Stop::default();
    assert!(ok.check().is_ok());
    for bad in [
        Stop { rtol: -1e-8, ..ok.clone() },
        Stop { rtol: f64::NAN, ..ok.clone() },
        Stop { atol: f64::INFINITY, ..ok.clone() },
        Stop { divergence: 0.5, ..ok.clone() },
        Stop { reference: Reference::Given(f64::NAN), ..ok.clone() },
    ] {
        assert!(matches!(bad.check(), Err(Error::InvalidParameter { .. })), "{bad:?}");
    }
}

#[test]
fn outcomes_have_names_of_their_own() {
    let all = [
        Outcome::Converged,
        Outcome::IterationLimit,
        Outcome::NotPositiveDefinite,
        Outcome::PreconditionerNotPositiveDefinite,
        Outcome::Breakdown,
        Outcome::Stagnated,
        Outcome::Diverged,
        Outcome::NonFinite,
        Outcome::Interrupted,
    ];
    let mut names: Vec<&str> = all.iter().map(|outcome| outcome.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
    assert_eq!(all.iter().filter(|outcome| outcome.converged()).count(), 1);
}

/// [[3, 0], [4i, 0]] has Frobenius norm 5; numbers whose squares overflow or underflow do no harm.
#[test]
fn norms_for_the_backward_error() {
    let A = problems::from_triples(2, 2, &[(0, 0, c64::new(3.0, 0.0)), (1, 0, c64::new(0.0, 4.0))]);
    assert_eq!(frobenius_norm(&A), 5.0);
    for scale in [1e300, 1e-300] {
        let norm = frobenius_norm(&A.map_values(|a| a * scale));
        assert!((norm / (5.0 * scale) - 1.0).abs() <= 1e-15);
    }
    assert_eq!(frobenius_norm(&problems::diagonal::<f64>(&[])), 0.0);
    assert_eq!(backward_error(2.0, 5.0, 3.0, 1.0), 0.125);
    assert_eq!(backward_error(0.0, 0.0, 0.0, 0.0), 0.0);
}
