//! Spec 01, section 4: what is discarded, what breaks down, and that nothing is ever NaN.

use super::{Method, System, Way, error, problem};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded, Register};
use galerkit_linalg::krylov::{Inner, Outcome, Stop, increments, inner_stop, vpgcr};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Error, Scalar};
use galerkit_testkit::problems;

const JACOBI: [Method; 2] = [Method::Increments, Method::Residual];

/// For gamma = 1.5 the spectral radius of the sweep is 1.08. The symmetric part of A is definite, so GCR converges.
#[test]
fn a_diverging_inner_solve_is_discarded_and_plain_gcr_goes_on() {
    for method in JACOBI {
        for hybrid in [false, true] {
            // So many sweeps overflow in single precision and only grow in double.
            let way = Way { hybrid, sweeps: Some(1500), restart: 60, rtol: 1e-10, ..Way::new(method, 1e-3) };
            let found = problem(60, 1.5).solve(way);
            assert_eq!(found.outcome, Outcome::Converged, "{way:?}");
            assert_eq!(found.failures, found.outer, "{way:?}: every inner solve diverges");
            assert!(error(&found.x) <= 1e-8, "{way:?}: {:e}", error(&found.x));
            assert!(found.inner > 100 * found.outer, "{way:?}: {} sweeps", found.inner);
        }
    }
}

/// Out of sweeps, but ||r - A z|| < ||r||: z is as good as any, and the residual falls.
#[test]
fn an_inner_solve_cut_short_is_used_if_it_has_gained_anything() {
    for method in JACOBI {
        for hybrid in [false, true] {
            let way = Way { hybrid, sweeps: Some(2), ..Way::new(method, 1e-12) };
            let found = problem(200, 0.4).solve(way);
            assert_eq!((found.outcome, found.failures), (Outcome::Converged, 0), "{way:?}");
            assert_eq!(found.inner, 2 * found.outer, "{way:?}");
            assert!(error(&found.x) <= 1e-10);
        }
    }
}

/// Returns what is of no use.
struct Spoiler(f64);

impl<E: Engine> Operator<E> for Spoiler {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let factor = e.number(self.0);
        e.copy(x, y);
        e.scale(factor, y);
    }
}

#[test]
fn nothing_that_is_not_finite_is_passed_on() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let system = problem(60, 0.5);
        let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
        for factor in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e200] {
            let b = e.upload(&system.b);
            let mut x = e.zeros_like(&b);
            let none = e.number(0.0);
            let failures = e.carry(none);
            let stop = Stop { rtol: 1e-10, limit: 100, replacement: 0, ..Stop::default() };
            let run = vpgcr(e, (60, &failures), &A, &Spoiler(factor), &b, &mut x, &stop);
            let failures = failures.get();
            assert_eq!(run.outcome, Outcome::Converged, "{factor}");
            assert_eq!(e.value(failures) as usize, run.iterations, "{factor}");
            assert!(error(&e.download(&x)) <= 1e-8, "{factor}");
        }
    }
    test(&mut Immediate::new(Reference));
    test(&mut Recorded::new(Cpu));
}

/// Entries above 3.4e38: refused where the inner matrix is set up, in hybrid form only.
#[test]
fn a_matrix_beyond_single_precision_is_refused() {
    let A = problem(5, 0.4).A.map_values(|value| value * 1e39);
    assert!(matches!(jacobi(&A.map_values(f64::to_single)), Err(Error::NonFinite { .. })));
    assert!(jacobi(&A).is_ok());
}

/// Plain GCR on a singular system whose right-hand side it cannot reach.
fn unreachable<E: Engine<Scalar = f64>>(e: &mut E, A: Csr<f64>, b: &[f64]) -> (Outcome, Vec<f64>) {
    let A = e.load(Box::new(Matrix::Csr(A)));
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let none = e.number(0.0);
    let failures = e.carry(none);
    let stop = Stop { rtol: 1e-10, limit: 100, replacement: 0, ..Stop::default() };
    let run = vpgcr(e, (50, &failures), &A, &Identity, &b, &mut x, &stop);
    assert!(run.history.iter().all(|norm| norm.is_finite()), "{:?}", run.history);
    (run.outcome, e.download(&x))
}

#[test]
fn breakdowns_are_told_and_leave_the_last_good_x() {
    let zero: Csr<f64> = problems::from_triples(3, 3, &[]);
    let found = unreachable(&mut Recorded::new(Cpu), zero, &[1.0, 2.0, 3.0]);
    assert_eq!(found, (Outcome::Breakdown, vec![0.0; 3]), "A = 0");
    let turn: Csr<f64> = problems::dense(&[&[0.0, 1.0], &[-1.0, 0.0]]);
    let found = unreachable(&mut Immediate::new(Reference), turn, &[1.0, 1.0]);
    assert_eq!(found, (Outcome::Breakdown, vec![0.0; 2]), "(r, A r) = 0: no direction gains");
}

/// What is left of q after the whole range of A is used up are rounding errors; x took a step of 1e16 along them.
#[test]
fn a_direction_made_of_rounding_errors_is_a_breakdown() {
    let mut b = problems::scattered::<f64>(12, 3);
    b[0] += 5.0;
    let found = unreachable(&mut Immediate::new(Reference), problems::neumann(12), &b);
    let recorded = unreachable(&mut Recorded::new(Reference), problems::neumann(12), &b);
    assert_eq!(found, recorded);
    assert_eq!(found.0, Outcome::Breakdown);
    assert!(problems::norm(&found.1) < 1e4, "x was thrown to {:e}", problems::norm(&found.1));
}

#[test]
fn nothing_to_do_takes_no_iterations() {
    let mut system = problem(40, 0.6);
    system.b = vec![0.0; 40];
    let empty: System<f64> = System { A: problems::from_triples(0, 0, &[]), b: Vec::new() };
    for way in [Way::new(Method::Increments, 1e-1), Way::hybrid(Method::Residual, 1e-1)] {
        let found = system.solve(way);
        assert_eq!((found.counts(), found.x), ((Outcome::Converged, 0, 0, 0), vec![0.0; 40]));
        assert_eq!(empty.solve(way).counts(), (Outcome::Converged, 0, 0, 0));
    }
}

#[test]
fn the_limit_is_told_and_x_is_the_best_so_far() {
    let system = problem(200, 0.8);
    for limit in [0, 1, 3] {
        let found = system.solve(Way { limit, ..Way::hybrid(Method::Residual, 1e-1) });
        assert_eq!((found.outcome, found.outer), (Outcome::IterationLimit, limit));
        let relative = found.history[limit] / found.history[0];
        assert!((system.residual(&found.x) - relative).abs() <= 1e-12, "x does not belong to its residual");
    }
}

#[test]
fn what_is_not_finite_from_the_start_is_told() {
    let mut system = problem(20, 0.2);
    system.b[3] = f64::NAN;
    let found = system.solve(Way::new(Method::Residual, 1e-1));
    assert_eq!((found.outcome, found.outer), (Outcome::NonFinite, 0));
    assert!(found.x.iter().all(|value| value.finite()));
}

#[test]
fn a_zero_on_the_diagonal_is_refused_before_any_iteration() {
    let A: Csr<f64> = problems::dense(&[&[2.0, 1.0], &[1.0, 0.0]]);
    assert!(matches!(jacobi(&A), Err(Error::ZeroDiagonal { row: 1, .. })));
}

/// Asked after each sweep, so one is made even if any would do: eps_in = 1 is the right end of figure 2.
#[test]
fn one_sweep_is_made_whatever_the_tolerance() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) -> (usize, usize) {
        let system = problem(100, 0.4);
        let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
        let D = e.load(Box::new(jacobi(&system.A).unwrap()));
        let b = e.upload(&system.b);
        let mut x = e.zeros_like(&b);
        let stop = inner_stop(10.0, 100);
        let inner = |e: &mut E, r: &E::Vector, z: &mut E::Vector| increments(e, &A, &D, r, z, &stop);
        let M = Inner::new(e, &b, Precision::Full, Box::new(inner));
        let none = e.number(0.0);
        let failures = e.carry(none);
        let stop = Stop { rtol: 1e-10, limit: 100, replacement: 0, ..Stop::default() };
        let run = vpgcr(e, (50, &failures), &A, &M, &b, &mut x, &stop);
        assert_eq!(run.outcome, Outcome::Converged);
        (run.iterations, M.iterations(e))
    }
    let (outer, sweeps) = test(&mut Recorded::new(Cpu));
    assert_eq!((sweeps, test(&mut Immediate::new(Cpu))), (outer, (outer, sweeps)));
}
