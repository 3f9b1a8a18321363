//! GCR(m), ORTHODIR(m), GMRES(m), compressed GMRES(m) and FGMRES(m) against spec 01 (sections 1, 4, 5) and spec 04
//! (sections 5 to 7). Every solve runs on the immediate and the recorded engine over both backends; on one backend all
//! bits must agree.

mod compressed;
mod equivalence;
mod failures;
mod flexible;
mod helmholtz;
mod optimality;
mod tiny;
mod work;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded, Resident};
use galerkit_linalg::krylov::{Krylov, Observer, Run, Stop, Verified, verified};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{LinearMap, Scalar};
use galerkit_testkit::{bits, problems, summary};
use std::sync::Arc;

/// The four methods with cycles of this length.
fn all(restart: usize) -> [Krylov; 4] {
    [Krylov::Gcr { restart }, Krylov::Orthodir { restart }, Krylov::Gmres { restart }, Krylov::Fgmres { restart }]
}

/// These, and the one whose basis is rounded: for tests that allow for that.
fn all_and_compressed(restart: usize) -> impl Iterator<Item = Krylov> {
    all(restart).into_iter().chain([Krylov::CompressedGmres { restart }])
}

/// Those that no regular matrix breaks.
fn unbreakable(restart: usize) -> [Krylov; 3] {
    [Krylov::Orthodir { restart }, Krylov::Gmres { restart }, Krylov::Fgmres { restart }]
}

/// A x = b with M for the inverse (none: the identity), starting from x.
#[derive(Clone)]
struct Problem<S: Scalar> {
    A: Csr<S>,
    M: Option<Box<dyn LinearMap<S>>>,
    b: Vec<S>,
    x: Vec<S>,
}

/// x, and what the method says of it.
#[derive(Clone)]
struct Solved<S> {
    x: Vec<S>,
    run: Run,
}

impl<S: Scalar> Problem<S> {
    /// Without preconditioner, from zero.
    fn new(A: Csr<S>, b: Vec<S>) -> Self {
        Self { A, M: None, x: vec![S::zero(); b.len()], b }
    }

    /// Runs the bare method on every engine; the answer of the reference backend.
    #[track_caller]
    fn solve(&self, method: Krylov, stop: &Stop) -> Solved<S> {
        self.same_bits(Cpu, method, stop);
        self.same_bits(Reference, method, stop)
    }

    #[track_caller]
    fn same_bits<B: Backend<S> + Clone + 'static>(&self, backend: B, method: Krylov, stop: &Stop) -> Solved<S> {
        let immediate = self.run(&mut Immediate::new(backend.clone()), method, stop);
        let recorded = self.run(&mut Recorded::new(backend), method, stop);
        let account = |s: &Solved<S>| (s.run.outcome, s.run.iterations, bits(&s.run.history), bits(&s.x));
        assert_eq!(account(&immediate), account(&recorded), "{method}: the engines differ");
        assert_eq!(immediate.run.history.len(), immediate.run.iterations + 1, "{method}");
        immediate
    }

    /// Runs the bare method on one engine.
    fn run<E: Engine<Scalar = S> + 'static>(&self, e: &mut E, method: Krylov, stop: &Stop) -> Solved<S> {
        let (A, M, b, mut x) = self.load(e);
        let run = method.run(e, &A, &*M, &b, &mut x, stop);
        Solved { x: e.download(&x), run }
    }

    /// Runs the method under the eyes of `verified` on both engines over the reference backend.
    #[track_caller]
    fn verify(&self, method: Krylov, stop: &Stop) -> (Vec<S>, Verified) {
        let immediate = self.verify_on(&mut Immediate::new(Reference), method, stop);
        let recorded = self.verify_on(&mut Recorded::new(Reference), method, stop);
        let account = |(x, v): &(Vec<S>, Verified)| (bits(x), summary(v));
        assert_eq!(account(&immediate), account(&recorded), "{method}: the engines differ");
        immediate
    }

    /// The same on one engine.
    fn verify_on<E: Engine<Scalar = S> + 'static>(&self, e: &mut E, method: Krylov, stop: &Stop) -> (Vec<S>, Verified) {
        let (A, M, b, mut x) = self.load(e);
        let run =
            |e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop| {
                method.run(e, A, M, b, x, stop)
            };
        let result = verified(e, &run, &A, &*M, &b, &mut x, stop);
        (e.download(&x), result)
    }

    #[allow(clippy::type_complexity)] // what a method takes
    fn load<E: Engine<Scalar = S> + 'static>(
        &self,
        e: &mut E,
    ) -> (Resident<E>, Box<dyn Operator<E>>, E::Vector, E::Vector) {
        let A = e.load(Box::new(Matrix::Csr(self.A.clone())));
        let M: Box<dyn Operator<E>> = match &self.M {
            Some(map) => Box::new(e.load(map.clone())),
            None => Box::new(Identity),
        };
        (A, M, e.upload(&self.b), e.upload(&self.x))
    }

    /// b - A x
    fn residual(&self, x: &[S]) -> Vec<S> {
        self.b.iter().zip(problems::product(&self.A, x)).map(|(&b, a)| b - a).collect()
    }

    /// Iterates x_0, x_1, ..., x_count of one and the same cycle length, each from a solve interrupted there.
    fn iterates(&self, method: Krylov, count: usize) -> Vec<Solved<S>> {
        let cut = |at: usize| match at {
            0 => self.solve(method, &Stop { limit: 0, ..exhaustive(1) }),
            _ => self.solve(method, &Stop { observer: until(at), ..exhaustive(10 * count) }),
        };
        (0..=count).map(cut).collect()
    }
}

/// An observer that interrupts after so many iterations.
fn until(at: usize) -> Option<Observer> {
    Some(Observer(Arc::new(move |done, _| done < at)))
}

/// Criteria that nothing but the limit, or an exact zero, ends.
fn exhaustive(limit: usize) -> Stop {
    Stop { rtol: 0.0, limit, ..Stop::default() }
}

/// A nonsymmetric, well-conditioned matrix: a tridiagonal one and a far diagonal, turned in the complex plane.
fn general<S: Scalar>(n: usize) -> Csr<S> {
    let mut triples = Vec::new();
    for i in 0..n {
        triples.push((i, i, S::from_parts(4.0 + (i % 3) as f64, 1.0)));
        triples.extend((i + 1 < n).then_some((i, i + 1, S::from_parts(-1.5, 0.5))));
        triples.extend((i >= 1).then(|| (i, i - 1, S::from_parts(-0.5, -0.75))));
        triples.extend((i >= 4).then(|| (i, i - 4, S::from_parts(1.0, 0.25))));
    }
    problems::from_triples(n, n, &triples)
}
