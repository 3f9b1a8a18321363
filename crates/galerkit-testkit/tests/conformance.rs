//! The conformance suite itself: the reference backend passes, and a backend that is wrong in one verb does not.
#![allow(non_snake_case)]

use galerkit_linalg::backend::{Backend, Placed, Reference};
use galerkit_linalg::{LinearMap, Scalar, c32, c64};
use galerkit_testkit::conformance;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn reference_passes() {
    conformance::all::<f32, _>(&Reference);
    conformance::all::<f64, _>(&Reference);
    conformance::all::<c32, _>(&Reference);
    conformance::all::<c64, _>(&Reference);
}

/// What to get wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Leaves the last entry of what a verb should write.
    Tail,
    /// Reads y although b is zero.
    ReadsY,
    /// Forgets to conjugate x.
    Unconjugated,
}

/// The reference with a fault.
struct Faulty(Fault);

impl Faulty {
    /// Lets `verb` write and, if that is the fault, takes the last entry back.
    fn spoil<S: Scalar>(&self, y: &mut [S], verb: impl FnOnce(&mut [S])) {
        let last = y.last().copied();
        verb(y);
        if let (Fault::Tail, Some(value), Some(slot)) = (self.0, last, y.last_mut()) {
            *slot = value;
        }
    }
}

impl<S: Scalar> Backend<S> for Faulty {
    type Map = Box<dyn LinearMap<S>>;
    type Single = Reference;

    fn in_single(&self) -> Reference {
        Reference
    }
    fn load(&self, map: Box<dyn LinearMap<S>>) -> Placed<Self::Map, S> {
        Reference.load(map)
    }
    fn apply(&self, A: &Self::Map, values: &[S], x: &[S], y: &mut [S]) {
        self.spoil(y, |y| Reference.apply(A, values, x, y));
    }
    fn residual(&self, A: &Self::Map, values: &[S], b: &[S], x: &[S], r: &mut [S]) {
        self.spoil(r, |r| Reference.residual(A, values, b, x, r));
    }
    fn spmv(&self, alpha: S, A: &Self::Map, values: &[S], x: &[S], beta: S, y: &mut [S]) {
        self.spoil(y, |y| Reference.spmv(alpha, A, values, x, beta, y));
    }
    fn copy(&self, x: &[S], y: &mut [S]) {
        self.spoil(y, |y| Reference.copy(x, y));
    }
    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]) {
        match self.0 {
            Fault::ReadsY => (0..y.len()).for_each(|i| y[i] = a * x[i] + b * y[i]),
            _ => self.spoil(y, |y| Reference.axpby(a, x, b, y)),
        }
    }
    fn axpy(&self, a: S, x: &[S], y: &mut [S]) {
        self.spoil(y, |y| Reference.axpy(a, x, y));
    }
    fn xpby(&self, x: &[S], b: S, y: &mut [S]) {
        self.spoil(y, |y| Reference.xpby(x, b, y));
    }
    fn scale(&self, a: S, y: &mut [S]) {
        self.spoil(y, |y| Reference.scale(a, y));
    }
    fn dot(&self, x: &[S], y: &[S]) -> S {
        let n = if self.0 == Fault::Tail { x.len().saturating_sub(1) } else { x.len() };
        match self.0 {
            Fault::Unconjugated => x.iter().zip(y).map(|(&x, &y)| x * y).sum(),
            _ => Reference.dot(&x[..n], &y[..n]),
        }
    }
}

#[track_caller]
fn caught(fault: Fault, verb: fn(&Faulty)) {
    let quiet = catch_unwind(AssertUnwindSafe(|| verb(&Faulty(fault))));
    assert!(quiet.is_err(), "{fault:?} went unnoticed");
}

#[test]
fn faults_are_caught() {
    std::panic::set_hook(Box::new(|_| {})); // the failures are the point; keep them off the screen
    let verbs: [fn(&Faulty); 12] = [
        conformance::copy::<f64, _>,
        conformance::axpby::<f64, _>,
        conformance::axpy::<f64, _>,
        conformance::xpby::<f64, _>,
        conformance::scale::<f64, _>,
        conformance::dot::<f64, _>,
        conformance::apply_matrix::<f64, _>,
        conformance::apply_diagonal::<f64, _>,
        conformance::apply_block_diagonal::<f64, _>,
        conformance::apply_ssor::<f64, _>,
        conformance::residual::<f64, _>,
        conformance::spmv::<f64, _>,
    ];
    let results: Vec<_> =
        verbs.iter().map(|verb| catch_unwind(AssertUnwindSafe(|| caught(Fault::Tail, *verb)))).collect();
    let reads_y = catch_unwind(|| caught(Fault::ReadsY, conformance::axpby::<f32, _>));
    let unconjugated = catch_unwind(|| caught(Fault::Unconjugated, conformance::dot::<c64, _>));
    let _ = std::panic::take_hook();
    let missed: Vec<usize> = (0..verbs.len()).filter(|&k| results[k].is_err()).collect();
    assert!(missed.is_empty(), "the suite does not notice a wrong tail in verbs {missed:?}");
    assert!(reads_y.is_ok(), "the suite does not notice that y is read although b = 0");
    assert!(unconjugated.is_ok(), "the suite does not notice a dot without conjugation");
}
