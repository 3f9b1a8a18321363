//! VPGCR of source 001: the published counts, the invariants of spec 01, section 5, and the safeguards of its
//! section 4. Every solve of a [`System`] runs on both engines over both backends; on one backend the bits must agree.

mod counts;
mod inner_methods;
mod invariants;
mod published;
mod safeguards;
mod scaling;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded, Register};
use galerkit_linalg::gallery::toeplitz;
use galerkit_linalg::krylov::{Inner, Outcome, Run, Stop, inner_stop, vpgcr};
use galerkit_linalg::krylov::{
    bicgstab, cg, compressed_gmres, fgmres, gcr, gmres, idr, increments, minres, richardson,
};
use galerkit_linalg::map::InSingle;
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{LinearMap, Scalar};
use galerkit_testkit::{bits, problems};

/// The inner method; all are preconditioned by the diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    /// Jacobi, stopped by the increment.
    Increments,
    /// Jacobi, stopped by the residual.
    Residual,
    Cg,
    Minres,
    Bicgstab,
    Gcr,
    /// With cycles of so many steps.
    Gmres(usize),
    CompressedGmres(usize),
    Fgmres(usize),
    Idr,
}

/// Which inner solve, and how the outer iteration is to run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    method: Method,
    hybrid: bool,
    eps: f64,
    /// Most iterations of an inner solve; none: 10 n + 1000.
    sweeps: Option<usize>,
    restart: usize,
    rtol: f64,
    limit: usize,
}

impl Way {
    fn new(method: Method, eps: f64) -> Self {
        Self { method, hybrid: false, eps, sweeps: None, restart: 20, rtol: 1e-12, limit: 200 }
    }
    fn hybrid(method: Method, eps: f64) -> Self {
        Self { hybrid: true, ..Self::new(method, eps) }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
struct Found<S> {
    outcome: Outcome,
    outer: usize,
    inner: usize,
    solves: usize,
    failures: usize,
    x: Vec<S>,
    history: Vec<f64>,
}

impl<S: Scalar> Found<S> {
    /// Outcome, outer iterations, sweeps, failures.
    fn counts(&self) -> (Outcome, usize, usize, usize) {
        (self.outcome, self.outer, self.inner, self.failures)
    }
}

/// A x = b, from zero.
#[derive(Clone)]
struct System<S: Scalar> {
    A: Csr<S>,
    b: Vec<S>,
}

/// The test problem: the answer is 1 everywhere.
fn problem(n: usize, gamma: f64) -> System<f64> {
    let A = toeplitz(n, gamma).unwrap();
    System { b: problems::rhs_of_ones(&A), A }
}

impl<S: Scalar> System<S> {
    /// On every engine; what the fast backend found.
    #[track_caller]
    fn solve(&self, way: Way) -> Found<S> {
        let plain = self.both(Reference, way);
        let fast = self.both(Cpu, way);
        assert_eq!((plain.outcome, plain.failures > 0), (fast.outcome, fast.failures > 0), "{way:?}");
        fast
    }

    #[track_caller]
    fn both<B: Backend<S> + Clone>(&self, backend: B, way: Way) -> Found<S> {
        let found = self.run(&mut Immediate::new(backend.clone()), way);
        let recorded = self.run(&mut Recorded::new(backend), way);
        assert_eq!(found.counts(), recorded.counts(), "{way:?}: the engines' counts differ");
        assert_eq!(bits(&found.x), bits(&recorded.x), "{way:?}: the engines' solutions differ");
        assert_eq!(bits(&found.history), bits(&recorded.history), "{way:?}: the engines' norms differ");
        assert_eq!(found.solves, found.outer + usize::from(found.outcome == Outcome::Breakdown), "one solve a step");
        found
    }

    fn run<E: Engine<Scalar = S>>(&self, e: &mut E, way: Way) -> Found<S> {
        let map = |A: &Csr<S>| -> Box<dyn LinearMap<S>> { Box::new(Matrix::Csr(A.clone())) };
        let A = e.load(map(&self.A));
        let (A_in, D) = if way.hybrid {
            let low = self.A.map_values(S::to_single);
            let D = jacobi(&low).unwrap();
            (e.load(Box::new(InSingle(Box::new(Matrix::Csr(low))))), e.load(Box::new(InSingle(Box::new(D)))))
        } else {
            (e.load(map(&self.A)), e.load(Box::new(jacobi(&self.A).unwrap())))
        };
        let b = e.upload(&self.b);
        let mut x = e.zeros_like(&b);
        let stop = inner_stop(way.eps, way.sweeps.unwrap_or(10 * self.A.rows() + 1000));
        let inner = |e: &mut E, r: &E::Vector, z: &mut E::Vector| -> Run {
            match way.method {
                Method::Increments => increments(e, &A_in, &D, r, z, &stop),
                Method::Residual => richardson(e, &A_in, &D, r, z, &stop),
                Method::Cg => cg(e, &A_in, &D, r, z, &stop),
                Method::Minres => minres(e, &A_in, &D, r, z, &stop),
                Method::Bicgstab => bicgstab(e, &A_in, &D, r, z, &stop),
                Method::Gcr => gcr(e, 5, &A_in, &D, r, z, &stop),
                Method::Gmres(m) => gmres(e, m, &A_in, &D, r, z, &stop),
                Method::CompressedGmres(m) => compressed_gmres(e, m, &A_in, &D, r, z, &stop),
                Method::Fgmres(m) => fgmres(e, m, &A_in, &D, r, z, &stop),
                Method::Idr => idr(e, 3, &A_in, &D, r, z, &stop),
            }
        };
        let precision = if way.hybrid { Precision::Single } else { Precision::Full };
        let M = Inner::new(e, &b, precision, Box::new(inner));
        let none = e.number(0.0);
        let failures = e.carry(none);
        let stop = Stop { rtol: way.rtol, limit: way.limit, replacement: 0, ..Stop::default() };
        let run = vpgcr(e, (way.restart, &failures), &A, &M, &b, &mut x, &stop);
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

    /// ||b - A x|| / ||b||
    fn residual(&self, x: &[S]) -> f64 {
        let product = problems::product(&self.A, x);
        let r: Vec<S> = self.b.iter().zip(product).map(|(&b, y)| b - y).collect();
        problems::norm(&r) / problems::norm(&self.b)
    }
}

/// max |x_i - 1|
fn error(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max)
}
