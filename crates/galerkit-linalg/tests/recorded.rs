//! The central test: one solver text, run at once and recorded, gives the same bits; for all four scalars, every
//! preconditioner, either norm, exact residuals or not, and however the solve ends. `System::solve` compares.

use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, Watch};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{System, problems, strategies};
use proptest::prelude::*;

const EVERY: [Preconditioner; 4] = [
    Preconditioner::None,
    Preconditioner::Jacobi,
    Preconditioner::BlockJacobi { block: 3 },
    Preconditioner::Ssor { omega: 1.3 },
];

fn criteria() -> Vec<Stop> {
    let mut list = Vec::new();
    for watch in [Watch::Residual, Watch::Preconditioned] {
        for exact in [0, 1, 7] {
            for (rtol, limit) in [(1e-4, 1000), (0.0, 25), (1e-4, 3), (1e-4, 0)] {
                list.push(Stop { watch, replacement: exact, rtol, limit, ..Stop::default() });
            }
        }
    }
    list
}

/// Solves with every preconditioner and criterion; returns the outcomes that occurred.
fn solve_all<S: Scalar>(A: &Csr<S>, b: &[S]) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for preconditioner in EVERY {
        let system = System::new(A, preconditioner, b.to_vec());
        for stop in criteria() {
            outcomes.push(system.solve(&stop).verified.run.outcome);
        }
    }
    outcomes
}

fn same_bits_for<S: Scalar>() {
    let A = problems::hermitian::<S>(9);
    let outcomes = solve_all(&A, &problems::scattered(81, 1));
    assert!(outcomes.contains(&Outcome::Converged) && outcomes.contains(&Outcome::IterationLimit));
    // Broken in the middle of an iteration: an indefinite matrix whose diagonal does not show it.
    let hidden = problems::dense::<S>(&[&[1.0, 2.0, 0.0], &[2.0, 1.0, 0.5], &[0.0, 0.5, 1.0]]);
    let system = System::new(&hidden, Preconditioner::Jacobi, vec![S::one(), -S::one(), S::from_f64(0.25)]);
    for stop in criteria().into_iter().filter(|stop| stop.limit > 0) {
        assert_eq!(system.solve(&stop).verified.run.outcome, Outcome::NotPositiveDefinite);
    }
    // A preconditioner that fails only later, and one that yields NaN.
    let A = problems::laplacian::<S>(4, 1);
    let mut system = System::new(&A, Preconditioner::None, vec![S::one(); 4]);
    let diagonal = |last: f64| Diagonal::new([1.0, 1.0, 1.0, last].map(S::from_f64).to_vec());
    for (last, outcome) in [(-0.5, Outcome::PreconditionerNotPositiveDefinite), (f64::NAN, Outcome::NonFinite)] {
        system.M = Some(Box::new(diagonal(last)));
        assert_eq!(system.solve(&Stop::default()).verified.run.outcome, outcome);
    }
}

#[test]
fn same_bits() {
    same_bits_for::<f32>();
    same_bits_for::<f64>();
    same_bits_for::<c32>();
    same_bits_for::<c64>();
}

/// Stagnation in single precision takes restarts, which record the method again.
#[test]
fn same_bits_through_restarts() {
    let A = problems::laplacian::<f32>(24, 2);
    let system = System::new(&A, Preconditioner::Ssor { omega: 1.5 }, problems::rhs_of_ones(&A));
    let solved = system.solve(&Stop { rtol: 1e-8, ..Stop::default() });
    assert_eq!(solved.verified.run.outcome, Outcome::Stagnated);
    assert!(solved.verified.restarts >= 1);
}

/// The method's header counts its work; the recorded program is the proof.
#[test]
fn program_of_cg() {
    let A = problems::laplacian::<f64>(4, 2);
    let system = System::new(&A, Preconditioner::Jacobi, problems::rhs_of_ones(&A));
    let program = system.solve(&Stop { replacement: 50, ..Stop::default() }).program;
    let lines = |what: &str| program.lines().filter(|line| line.contains(what) && !line.starts_with("every")).count();
    assert_eq!((lines("= A0 "), lines("= A1 ")), (1, 1), "products\n{program}");
    assert_eq!(lines("= (v"), 3, "two dots and a norm\n{program}");
    let updates = program.lines().filter(|l| l.starts_with('v') && l.contains(" + ")).count();
    assert_eq!(updates, 3, "updates\n{program}");
    assert_eq!(program.lines().filter(|line| line.starts_with("every 50 iterations: v")).count(), 1, "{program}");
}

/// Triples are a format too.
#[test]
fn same_bits_with_coordinates() {
    let A = problems::hermitian::<c64>(6);
    let mut system = System::new(&A, Preconditioner::Ssor { omega: 1.0 }, problems::scattered(36, 2));
    let rows = system.solve(&Stop::default());
    system.A = Matrix::Coo(A.to_coo());
    let triples = system.solve(&Stop::default());
    assert_eq!(rows.x, triples.x);
}

proptest! {
    #![proptest_config(strategies::config(32))]
    #[test]
    fn same_bits_for_any_system(A in strategies::positive_definite::<c32>(24), seed in 0u64..1000) {
        let b = problems::scattered(A.rows(), seed);
        for preconditioner in EVERY {
            System::new(&A, preconditioner, b.clone()).solve(&Stop { rtol: 1e-4, replacement: 3, ..Stop::default() });
        }
    }

    /// Matrices that need not be definite, or even symmetric: whatever happens, happens on both engines.
    #[test]
    fn same_bits_for_any_matrix(A in strategies::square::<f64>(12), seed in 0u64..1000) {
        let b = problems::scattered(A.rows(), seed);
        let stop = Stop { limit: 40, replacement: 5, ..Stop::default() };
        let solved = System::new(&A, Preconditioner::None, b.clone()).solve(&stop);
        if solved.verified.run.outcome == Outcome::Converged {
            let product = problems::product(&A, &solved.x);
            let residual: Vec<f64> = b.iter().zip(&product).map(|(b, a)| b - a).collect();
            prop_assert!(problems::norm(&residual) <= 1.0001e-8 * problems::norm(&b));
        }
    }
}

/// Numbers used to be counted on over the life of the thread, so that the tables of late solves were long and no
/// program was the same twice.
#[test]
fn numbers_of_an_engine_begin_anew() {
    let program = || {
        let mut e = Recorded::<f64, _>::new(Reference);
        let b = e.upload(&[1.0, 2.0]);
        let mut x = e.zeros_like(&b);
        let start = e.norm(&b);
        let _ = e.iterate(&Stop { limit: 1, ..Stop::default() }, start, |e| {
            let one = e.number(1.0);
            e.axpy(one, &b, &mut x);
            e.norm(&x)
        });
        (e.program().clone(), e)
    };
    let (first, alive) = program();
    let (beside, _) = program();
    assert_eq!(first, beside, "each engine counts by itself, whoever lives beside it");
    drop(alive);
    assert_eq!(first, program().0);
}
