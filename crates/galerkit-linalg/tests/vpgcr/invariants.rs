//! Spec 01, section 5. The directions are not to be seen, but their multiples are: r_k - r_{k+1} = alpha q_k, and
//! x_{k+1} - x_k = alpha p_k.

use super::{Found, Method, System, Way, error, problem};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Register};
use galerkit_linalg::krylov::{Outcome, Run, Stop, gcr, vpgcr};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::problems::{self, inner, norm};
use std::cell::RefCell;

const JACOBI: [Method; 2] = [Method::Increments, Method::Residual];

type Plain<S> = Immediate<S, Reference>;

/// Hands r to the operator inside, and keeps it.
struct Spy<'a, S: Scalar> {
    M: &'a dyn Operator<Plain<S>>,
    seen: RefCell<Vec<Vec<S>>>,
}

impl<S: Scalar> Operator<Plain<S>> for Spy<'_, S> {
    fn apply(&self, e: &mut Plain<S>, x: &<Plain<S> as Engine>::Vector, y: &mut <Plain<S> as Engine>::Vector) {
        let entries = e.download(x);
        self.seen.borrow_mut().push(entries);
        e.apply(self.M, x, y);
    }
}

/// Another preconditioner every time, without any sense.
struct Noise(RefCell<u64>);

impl<S: Scalar> Operator<Plain<S>> for Noise {
    fn apply(&self, e: &mut Plain<S>, x: &<Plain<S> as Engine>::Vector, y: &mut <Plain<S> as Engine>::Vector) {
        *self.0.borrow_mut() += 1;
        let rows = e.download(x).len();
        let noise = e.upload(&problems::scattered::<S>(rows, *self.0.borrow()));
        e.copy(&noise, y);
    }
}

/// VPGCR with any preconditioner: the run, x, and how often z was discarded.
fn solve<S: Scalar>(system: &System<S>, M: &dyn Operator<Plain<S>>, restart: usize, stop: &Stop) -> (Run, Vec<S>, f64) {
    let e = &mut Plain::<S>::new(Reference);
    let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
    let b = e.upload(&system.b);
    let mut x = e.zeros_like(&b);
    let none = e.number(0.0);
    let failures = e.carry(none);
    let run = vpgcr(e, (restart, &failures), &A, M, &b, &mut x, stop);
    (run, e.download(&x), failures.get().parts().0)
}

fn outer(rtol: f64, limit: usize) -> Stop {
    Stop { rtol, limit, replacement: 0, ..Stop::default() }
}

fn difference<S: Scalar>(x: &[S], y: &[S]) -> Vec<S> {
    x.iter().zip(y).map(|(&x, &y)| x - y).collect()
}

/// A system without symmetry, complex where the scalar is.
fn skewed<S: Scalar>(n: usize) -> System<S> {
    let mut triples = Vec::new();
    for i in 0..n {
        triples.push((i, i, S::from_parts(3.0 + (i % 3) as f64, 0.5)));
        triples.extend((i + 1 < n).then(|| (i, i + 1, S::from_parts(1.0, -0.25))));
        triples.extend((i >= 2).then(|| (i, i - 2, S::from_parts(-0.5, 0.75))));
    }
    let A = problems::from_triples(n, n, &triples);
    System { b: problems::product(&A, &problems::scattered(n, 5)), A }
}

fn directions<S: Scalar>() {
    let system = skewed::<S>(60);
    let spy = Spy { M: &Identity, seen: RefCell::default() };
    let (run, ..) = solve(&system, &spy, 30, &outer(1e-10, 30));
    let residuals = spy.seen.into_inner();
    assert!(run.outcome == Outcome::Converged && residuals.len() > 8, "{run:?}");
    let q: Vec<Vec<S>> = residuals.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
    for i in 0..q.len() {
        for j in 0..i {
            let turned: Vec<S> = q[j].iter().map(|&value| value * S::from_parts(0.0, 1.0)).collect();
            for q_j in [&q[j], &turned] {
                let cosine = inner(&q[i], q_j) / (norm(&q[i]) * norm(&q[j]));
                assert!(cosine.abs() <= 1e-10, "q_{i} and q_{j}: {cosine:e}");
            }
        }
    }
    let x: Vec<Vec<S>> = (0..5).map(|k| solve(&system, &Identity, 30, &outer(0.0, k)).1).collect();
    for k in 0..4 {
        let image = problems::product(&system.A, &difference(&x[k + 1], &x[k]));
        let off = norm(&difference(&image, &q[k])) / norm(&q[k]);
        assert!(off <= 1e-12, "q_{k} = A p_{k} up to {off:e}");
    }
}

#[test]
fn images_are_orthogonal_and_are_images() {
    directions::<f64>();
    directions::<c64>();
}

#[test]
fn residuals_never_grow_whatever_the_inner_solve_returns() {
    for restart in [1, 7, 40] {
        let (run, x, failures) = solve(&skewed::<c64>(40), &Noise(RefCell::new(0)), restart, &outer(1e-8, 400));
        assert_eq!(run.outcome, Outcome::Converged, "restart {restart}");
        assert!(run.history.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-14)), "{:?}", run.history);
        assert!(failures > 0.0 && x.iter().all(|value| value.finite()));
    }
}

#[test]
fn with_the_identity_inside_it_is_gcr_step_for_step() {
    let system = skewed::<c64>(50);
    for restart in [1, 4, 30] {
        let stop = outer(1e-10, 60);
        let (run, x, failures) = solve(&system, &Identity, restart, &stop);
        let e = &mut Plain::<c64>::new(Reference);
        let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
        let b = e.upload(&system.b);
        let mut y = e.zeros_like(&b);
        let plain = gcr(e, restart, &A, &Identity, &b, &mut y, &stop);
        assert_eq!((run.outcome, run.iterations), (plain.outcome, plain.iterations));
        assert!(failures <= run.iterations as f64);
        for (ours, theirs) in run.history.iter().zip(&plain.history) {
            assert!((ours - theirs).abs() <= 1e-12 * run.history[0], "{ours:e} and {theirs:e}");
        }
        assert!(norm(&difference(&x, &e.download(&y))) <= 1e-12 * norm(&x));
    }
}

#[test]
fn an_exact_inner_solve_leaves_one_outer_iteration() {
    let system = problem(100, 0.4);
    for method in [Method::Increments, Method::Residual, Method::Bicgstab] {
        let found = system.solve(Way::new(method, 1e-14));
        assert_eq!((found.outcome, found.outer, found.failures), (Outcome::Converged, 1, 0), "{method:?}");
        assert!(error(&found.x) <= 1e-12);
    }
}

#[test]
fn diagonal_matrices_take_one_step_and_one_sweep() {
    let identity: Csr<f64> = problems::diagonal(&[1.0; 9]);
    let diagonal: Csr<f64> = problems::diagonal(&[1.0, 2.0, -4.0, 0.5, 3.0, 7.0]);
    for A in [identity, diagonal] {
        let system = System { b: problems::rhs_of_ones(&A), A };
        for method in JACOBI {
            for way in [Way::new(method, 1e-1), Way::hybrid(method, 1e-1)] {
                let found = system.solve(Way { rtol: 1e-6, ..way });
                assert_eq!(found.counts(), (Outcome::Converged, 1, 1, 0), "{way:?}");
                assert!(error(&found.x) <= 1e-6);
            }
        }
    }
}

#[test]
fn both_conventions_converge_monotonically_and_the_residual_is_true() {
    for gamma in [0.2, 0.8] {
        let system = problem(300, gamma);
        for method in JACOBI {
            for way in [Way::new(method, 1e-1), Way::hybrid(method, 1e-1), Way::hybrid(method, 1e-3)] {
                let found = system.solve(way);
                assert_eq!((found.outcome, found.failures), (Outcome::Converged, 0), "{way:?}");
                assert!(found.history.windows(2).all(|pair| pair[1] < pair[0]), "{way:?}: {:?}", found.history);
                assert!(error(&found.x) <= 1e-10, "{way:?}");
                let recursive = found.history[found.outer] / found.history[0];
                assert!((system.residual(&found.x) - recursive).abs() <= 1e-13, "{way:?}");
            }
        }
    }
}

/// Convention R promises a contraction by eps in each step, up to the rounding of single precision.
#[test]
fn each_step_gains_what_the_inner_solve_was_asked_for() {
    for hybrid in [false, true] {
        let way = Way { hybrid, ..Way::new(Method::Residual, 1e-2) };
        let found: Found<f64> = problem(300, 0.6).solve(way);
        assert!(found.history.windows(2).all(|pair| pair[1] <= 1.001e-2 * pair[0]), "{:?}", found.history);
    }
}

#[test]
fn a_restart_of_1_still_converges() {
    for gamma in [0.2, 0.4, 0.6, 0.8] {
        for way in [Way::new(Method::Increments, 1e-1), Way::hybrid(Method::Increments, 1e-1)] {
            let found = problem(2048, gamma).run(&mut Plain::<f64>::new(Reference), Way { restart: 1, ..way });
            assert_eq!(found.outcome, Outcome::Converged);
            assert!(found.outer <= 8, "gamma {gamma}, {way:?}: {} updates", found.outer);
        }
    }
}
