//! The short recurrences: flexible and pipelined CG, MINRES, BiCGSTAB and IDR(s). Every solve runs on the immediate and
//! the recorded engine over both backends; on one backend the engines must agree to the last bit.

mod endings;
mod equivalences;
mod exact;
mod invariants;
mod work;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::krylov::{Krylov, Outcome, Run, Stop, Verified, verified};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{LinearMap, Scalar, precond};
use galerkit_testkit::{bits, distance, problems, summary};

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
struct System<S: Scalar> {
    A: Csr<S>,
    M: Option<Box<dyn LinearMap<S>>>,
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
        Self { M: Some(Box::new(precond::jacobi(&self.A).unwrap())), ..self.clone() }
    }

    /// Solves on all engines; the answer of the reference backend.
    #[track_caller]
    fn solve(&self, method: Krylov, stop: &Stop) -> (Vec<S>, Run) {
        let fast = self.solve_on(Cpu, method, stop);
        let answer = self.solve_on(Reference, method, stop);
        // Sums are formed in another order there, which shows in counts but not in what a converged solve gives.
        if answer.1.outcome == Outcome::Converged && answer.1.iterations == fast.1.iterations {
            assert!(distance(&fast.0, &answer.0) <= 1e4 * stop.rtol.max(S::eps()), "{method}: the backends differ");
        }
        answer
    }

    #[track_caller]
    fn solve_on<B: Backend<S> + Clone>(&self, backend: B, method: Krylov, stop: &Stop) -> (Vec<S>, Run) {
        let mut immediate = Immediate::new(backend.clone());
        let (x, run) = self.with(&mut immediate, |e, A, M, b, x| method.run(e, A, M, b, x, stop));
        let mut recording = Recorded::new(backend);
        let (y, recorded) = self.with(&mut recording, |e, A, M, b, x| method.run(e, A, M, b, x, stop));
        assert_eq!((run.outcome, run.iterations), (recorded.outcome, recorded.iterations), "{method}");
        assert_eq!(bits(&x), bits(&y), "{method}: the engines' solutions differ");
        assert_eq!(bits(&run.history), bits(&recorded.history), "{method}: the engines' norms differ");
        assert_eq!(run.history.len(), run.iterations + 1, "{method}");
        (x, run)
    }

    /// Solves by the driver that trusts only true residuals, on both engines over the reference backend.
    #[track_caller]
    fn verify(&self, method: Krylov, stop: &Stop) -> (Vec<S>, Verified) {
        let (x, answer) = self.verify_on(&mut Immediate::new(Reference), method, stop);
        let (y, recorded) = self.verify_on(&mut Recorded::new(Reference), method, stop);
        assert_eq!(bits(&x), bits(&y), "{method}: the engines' solutions differ");
        assert_eq!(summary(&answer), summary(&recorded), "{method}: the engines' accounts differ");
        (x, answer)
    }

    fn verify_on<E: Engine<Scalar = S>>(&self, e: &mut E, method: Krylov, stop: &Stop) -> (Vec<S>, Verified) {
        self.with(e, |e, A, M, b, x| {
            verified(e, &|e, A, M, b, x, stop| method.run(e, A, M, b, x, stop), A, M, b, x, stop)
        })
    }

    /// Loads the system, has it solved and fetches x.
    fn with<E: Engine<Scalar = S>, T>(
        &self,
        e: &mut E,
        solve: impl Fn(&mut E, &dyn Operator<E>, &dyn Operator<E>, &E::Vector, &mut E::Vector) -> T,
    ) -> (Vec<S>, T) {
        let A = e.load(Box::new(Matrix::Csr(self.A.clone())));
        let M: Box<dyn Operator<E>> = match &self.M {
            Some(map) => Box::new(e.load(map.clone())),
            None => Box::new(Identity),
        };
        let (b, mut x) = (e.upload(&self.b), e.upload(&self.x));
        let answer = solve(e, &A, &*M, &b, &mut x);
        (e.download(&x), answer)
    }

    /// ||b - A x|| in the scalar's own arithmetic.
    fn true_residual(&self, x: &[S]) -> f64 {
        let product = problems::product(&self.A, x);
        problems::norm(&self.b.iter().zip(product).map(|(&b, y)| b - y).collect::<Vec<S>>())
    }
}

/// Convection and diffusion on n x n points with a reaction that varies; complex scalars have a complex one. The answer
/// is 1 everywhere.
fn convective<S: Scalar>(n: usize) -> System<S> {
    let A = convection_diffusion2d(n, 1.0, [20.0, -10.0]).unwrap().map_values(S::from_f64);
    let A = plus_diagonal(&A, |i| S::from_parts(0.1 + (i % 5) as f64, 0.5));
    let b = problems::rhs_of_ones(&A);
    System::new(A, b)
}

/// A Hermitian positive definite system with a diagonal that varies.
fn definite<S: Scalar>(n: usize) -> System<S> {
    let A = plus_diagonal(&problems::hermitian::<S>(n), |i| S::from_f64((i % 7) as f64));
    let b = problems::product(&A, &problems::scattered(n * n, 3));
    System::new(A, b)
}

/// A Hermitian system with positive diagonal and some negative eigenvalues.
fn indefinite<S: Scalar>(n: usize) -> System<S> {
    let A = plus_diagonal(&problems::hermitian::<S>(n), |i| S::from_f64((i % 3) as f64 - 2.0));
    let b = problems::product(&A, &problems::scattered(n * n, 3));
    System::new(A, b)
}

fn plus_diagonal<S: Scalar>(A: &Csr<S>, diagonal: impl Fn(usize) -> S) -> Csr<S> {
    let mut triples: Vec<_> = (0..A.rows()).map(|i| (i, i, diagonal(i))).collect();
    (0..A.rows()).for_each(|i| triples.extend(A.row(i).map(|(j, a)| (i, j, a))));
    problems::from_triples(A.rows(), A.cols(), &triples)
}
