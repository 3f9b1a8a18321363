//! A system solved twice, by the immediate and by the recorded engine on one backend, with every bit compared. All
//! tests of methods go through here, so each of them also proves that no solver looks at a number on the host.

use galerkit_linalg::backend::{Backend, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded};
use galerkit_linalg::krylov::{Stop, Verified, cg, verified};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{LinearMap, Scalar};

/// What CG is to solve: A x = b with the map M for the inverse, starting from x.
#[derive(Clone, Debug)]
pub struct System<S: Scalar> {
    /// The matrix.
    pub A: Matrix<S>,
    /// The preconditioner; none is the identity.
    pub M: Option<Box<dyn LinearMap<S>>>,
    /// The right-hand side.
    pub b: Vec<S>,
    /// The start.
    pub x: Vec<S>,
}

/// What came of it, the same on both engines.
#[derive(Clone, Debug)]
pub struct Solved<S> {
    /// The solution.
    pub x: Vec<S>,
    /// Outcome, history, true residual.
    pub verified: Verified,
    /// The iteration as it was recorded.
    pub program: String,
}

impl<S: Scalar> System<S> {
    /// A system that starts from zero.
    #[track_caller]
    pub fn new(A: &Csr<S>, preconditioner: Preconditioner, b: Vec<S>) -> Self {
        let M = preconditioner.build(A).unwrap_or_else(|error| panic!("{preconditioner}: {error}"));
        Self { A: Matrix::Csr(A.clone()), M, x: vec![S::zero(); b.len()], b }
    }

    /// Solves on the reference backend.
    #[track_caller]
    pub fn solve(&self, stop: &Stop) -> Solved<S> {
        self.solve_on(Reference, stop)
    }

    /// Solves by verified CG on both engines over a backend; fails unless every bit agrees.
    #[track_caller]
    pub fn solve_on<B: Backend<S> + Clone>(&self, backend: B, stop: &Stop) -> Solved<S> {
        let mut immediate = Immediate::new(backend.clone());
        let (x, result) = self.run(&mut immediate, stop);
        let mut recorded = Recorded::new(backend);
        let (x_recorded, result_recorded) = self.run(&mut recorded, stop);
        assert_eq!(bits(&x), bits(&x_recorded), "the engines' solutions differ");
        assert_eq!(summary(&result), summary(&result_recorded), "the engines' accounts differ");
        Solved { x, verified: result, program: recorded.program().to_string() }
    }

    /// Solves by verified CG on any engine: x, and how it went.
    pub fn run<E: Engine<Scalar = S>>(&self, e: &mut E, stop: &Stop) -> (Vec<S>, Verified) {
        let A = e.load(Box::new(self.A.clone()));
        let M: Box<dyn Operator<E>> = match &self.M {
            Some(map) => Box::new(e.load(map.clone())),
            None => Box::new(Identity),
        };
        let (b, mut x) = (e.upload(&self.b), e.upload(&self.x));
        let result = verified(e, &cg, &A, &*M, &b, &mut x, stop);
        (e.download(&x), result)
    }
}

/// Widened bits: equal only for equal bits. All NaNs are one: which sign and payload an operation gives is left open
/// by the language, and two compilations of one expression do differ.
pub fn bits<S: Scalar>(x: &[S]) -> Vec<(u64, u64)> {
    x.iter().map(|value| (pattern(value.parts().0), pattern(value.parts().1))).collect()
}

fn pattern(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

/// All of a result that must not depend on the engine.
pub fn summary(v: &Verified) -> (String, usize, usize, Vec<u64>) {
    let norms = v.run.history.iter().chain([&v.true_residual, &v.start]).map(|&norm| pattern(norm)).collect();
    (v.run.outcome.name().into(), v.run.iterations, v.restarts, norms)
}
