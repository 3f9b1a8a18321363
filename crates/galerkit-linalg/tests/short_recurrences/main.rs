//! The short recurrences: flexible and pipelined CG, MINRES, BiCGSTAB and IDR(s). Every solve runs on the immediate and
//! the recorded engine over both backends; on one backend the engines must agree to the last bit.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod endings;
mod equivalences;
mod exact;
mod invariants;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded, Resident};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::krylov::{Krylov, Outcome, Run, Stop};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Linear, Scalar, precond};
use galerkit_testkit::{bits, distance, problems};
use std::sync::Arc;

/// For Hermitian positive definite A and M.
const DEFINITE: [Krylov; 3] = [Krylov::Cg, Krylov::FlexibleCg, Krylov::PipelinedCg];
/// For any A.
const GENERAL: [Krylov; 4] = [Krylov::Bicgstab, Krylov::Idr { s: 1 }, Krylov::Idr { s: 2 }, Krylov::Idr { s: 4 }];

/// The methods under test, and CG.
fn every() -> Vec<Krylov> {
    DEFINITE.into_iter().chain([Krylov::Minres]).chain(GENERAL).collect()
}

/// A x = b with the map M for the inverse, starting from x.
#[derive(Clone)]
struct System<S> {
    A: Csr<S>,
    M: Option<Linear<S>>,
    b: Vec<S>,
    x: Vec<S>,
}

impl<S: Scalar> System<S> {
    /// Without preconditioner, from zero.
    fn new(A: Csr<S>, b: Vec<S>) -> Self {
        Self { M: None, x: vec![S::zero(); b.len()], A, b }
    }

    /// The same, preconditioned by the diagonal.
    fn jacobi(&self) -> Self {
        Self { M: Some(precond::jacobi(&self.A).unwrap()), ..self.clone() }
    }

    /// Solves on all engines; the answer of the reference backend.
    #[track_caller]
    fn solve(&self, method: Krylov, stop: &Stop) -> (Vec<S>, Run) {
        let fast = self.solve_on(Cpu::default(), method, stop);
        let answer = self.solve_on(Reference, method, stop);
        // Sums are formed in another order there, which shows in counts but not in what a converged solve gives.
        if answer.1.outcome == Outcome::Converged && answer.1.iterations == fast.1.iterations {
            assert!(distance(&fast.0, &answer.0) <= 1e4 * stop.rtol.max(S::eps()), "{method}: the backends differ");
        }
        answer
    }

    #[track_caller]
    fn solve_on<B: Backend<S> + Clone>(&self, backend: B, method: Krylov, stop: &Stop) -> (Vec<S>, Run) {
        let (x, run) = self.run(&mut Immediate::new(backend.clone()), method, stop);
        let (y, recorded) = self.run(&mut Recorded::new(backend), method, stop);
        assert_eq!((run.outcome, run.iterations), (recorded.outcome, recorded.iterations), "{method}");
        assert_eq!(bits(&x), bits(&y), "{method}: the engines' solutions differ");
        assert_eq!(bits(&run.history), bits(&recorded.history), "{method}: the engines' norms differ");
        assert_eq!(run.history.len(), run.iterations + 1, "{method}");
        (x, run)
    }

    fn run<E: Engine<Scalar = S>>(&self, e: &mut E, method: Krylov, stop: &Stop) -> (Vec<S>, Run) {
        let A = Resident::<E>(e.load(Arc::new(Linear::Matrix(Matrix::Csr(self.A.clone())))));
        let M: Box<dyn Operator<E>> = match &self.M {
            Some(map) => Box::new(Resident::<E>(e.load(Arc::new(map.clone())))),
            None => Box::new(Identity),
        };
        let (b, mut x) = (e.upload(&self.b), e.upload(&self.x));
        let run = method.run(e, &A, &*M, &b, &mut x, stop);
        (e.download(&x), run)
    }

    /// ||b - A x|| in the scalar's own arithmetic.
    fn true_residual(&self, x: &[S]) -> f64 {
        let product = problems::product(&self.A, x);
        problems::norm(&self.b.iter().zip(product).map(|(&b, y)| b - y).collect::<Vec<S>>())
    }
}

/// Convection and diffusion on n x n points; complex scalars get a complex shift as well. The answer is 1 everywhere.
fn convective<S: Scalar>(n: usize) -> System<S> {
    let A = convection_diffusion2d(n, 1.0, [20.0, -10.0]).unwrap().map_values(S::from_f64);
    let shift = problems::from_triples(n * n, n * n, &diagonal_shift::<S>(n * n, 0.1, 0.5));
    let A = sum(&A, &shift);
    let b = problems::rhs_of_ones(&A);
    System::new(A, b)
}

/// A Hermitian positive definite system with known scattered answer.
fn definite<S: Scalar>(n: usize) -> System<S> {
    let A = problems::hermitian::<S>(n);
    let b = problems::product(&A, &problems::scattered(n * n, 3));
    System::new(A, b)
}

/// The same matrix, shifted so that some eigenvalues are negative.
fn indefinite<S: Scalar>(n: usize) -> System<S> {
    let A = sum(&problems::hermitian::<S>(n), &problems::from_triples(n * n, n * n, &diagonal_shift(n * n, -1.0, 0.0)));
    let b = problems::product(&A, &problems::scattered(n * n, 3));
    System::new(A, b)
}

fn diagonal_shift<S: Scalar>(rows: usize, re: f64, im: f64) -> Vec<(usize, usize, S)> {
    (0..rows).map(|i| (i, i, S::from_parts(re, im))).collect()
}

fn sum<S: Scalar>(A: &Csr<S>, B: &Csr<S>) -> Csr<S> {
    let of =
        |A: &Csr<S>| (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)).collect::<Vec<_>>()).collect();
    let triples: [Vec<_>; 2] = [of(A), of(B)];
    problems::from_triples(A.rows(), A.cols(), &triples.concat())
}
