//! VPGCR of source 001: table 2, and the invariants of spec 01, section 5.
#![allow(non_snake_case)]

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded, Register, Resident};
use galerkit_linalg::gallery::toeplitz;
use galerkit_linalg::krylov::{Inner, Outcome, Run, Stop, gcr, increments, inner_stop, richardson, vpgcr};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;

/// Which inner solve.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    hybrid: bool,
    by_increment: bool,
    eps: f64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    outcome: Outcome,
    outer: usize,
    inner: usize,
    solves: usize,
    failures: usize,
    x: Vec<f64>,
    history: Vec<f64>,
}

fn solve<E: Engine<Scalar = f64>>(e: &mut E, A: &Csr<f64>, b: &[f64], way: Way, restart: usize) -> Found {
    let outer = Resident::<E>(e.load(Arc::new(Linear::Matrix(Matrix::Csr(A.clone())))));
    let (A_in, D) = if way.hybrid {
        let low = A.map_values(f64::lower);
        let D = jacobi(&low).unwrap();
        (e.load_lower(Arc::new(Linear::Matrix(Matrix::Csr(low)))), e.load_lower(Arc::new(D)))
    } else {
        (e.load(Arc::new(Linear::Matrix(Matrix::Csr(A.clone())))), e.load(Arc::new(jacobi(A).unwrap())))
    };
    let (A_in, D) = (Resident::<E>(A_in), Resident::<E>(D));
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let stop = inner_stop(way.eps, 10 * A.rows() + 1000);
    let inner = |e: &mut E, r: &E::Vector, z: &mut E::Vector| -> Run {
        if way.by_increment { increments(e, &A_in, &D, r, z, &stop) } else { richardson(e, &A_in, &D, r, z, &stop) }
    };
    let M = Inner::new(e, &b, way.hybrid, Box::new(inner));
    let none = e.number(0.0);
    let failures = e.carry(none);
    let stop = Stop { rtol: 1e-12, limit: 200, exact: 0, ..Stop::default() };
    let run = vpgcr(e, (restart, &failures), &outer, &M, &b, &mut x, &stop);
    let failures = failures.get();
    Found {
        outcome: run.outcome,
        outer: run.iterations,
        inner: M.iterations(e),
        solves: M.solves(e),
        failures: e.value(failures) as usize,
        x: e.download(&x),
        history: run.history,
    }
}

fn problem(n: usize, gamma: f64) -> (Csr<f64>, Vec<f64>) {
    let A = toeplitz(n, gamma).unwrap();
    let mut b = vec![0.0; n];
    let M = Reference.load(Arc::new(Linear::Matrix(Matrix::Csr(A.clone()))));
    Reference.apply(&M, &vec![1.0; n], &mut b);
    (A, b)
}

/// gamma, and (inner, outer - 1) for S 1e-3, H 1e-3, S 1e-1, H 1e-1.
const TABLE: [(f64, [(usize, usize); 4]); 4] = [
    (0.2, [(57, 3), (57, 3), (36, 6), (36, 6)]),
    (0.4, [(79, 3), (79, 3), (48, 6), (48, 6)]),
    (0.6, [(127, 3), (127, 3), (78, 6), (78, 6)]),
    (0.8, [(279, 3), (279, 3), (204, 7), (204, 7)]),
];

#[test]
fn the_published_counts() {
    for (gamma, columns) in TABLE {
        let (A, b) = problem(2048, gamma);
        for (column, published) in columns.into_iter().enumerate() {
            let eps = if column < 2 { 1e-3 } else { 1e-1 };
            let way = Way { hybrid: column % 2 == 1, by_increment: true, eps };
            let found = solve(&mut Recorded::new(Cpu), &A, &b, way, 50);
            assert_eq!((found.outcome, found.failures), (Outcome::Converged, 0));
            assert_eq!((found.inner, found.outer - 1), published, "gamma {gamma}, {way:?}");
            let error = found.x.iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max);
            assert!(error <= 1e-10, "gamma {gamma}, {way:?}: error {error:e}");
        }
    }
}
