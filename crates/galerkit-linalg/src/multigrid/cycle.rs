//! A cycle as a preconditioner (Trottenberg, Oosterlee, Schueller, Multigrid, section 2.4): smooth, correct by the next
//! level, smooth again. V and W are Hermitian if all matrices are, so CG accepts them; a K-cycle is another map for
//! every right-hand side, which flexible methods accept.
//!
//! With a polynomial of the fourth kind of degree d a level costs 2 d products with its A, 1 with R and 1 with P, and
//! no dot products but those of a K-cycle.

use super::shape::Shape;
use super::smoother::Smoother;
use crate::engine::{Engine, Number, Operator, Resident, Test};
use crate::program::Precision;
use std::cell::RefCell;

/// A second step is taken where the first has left more than this part of the norm.
const LEFT: f64 = 0.25;

/// A level in an engine.
pub struct Loaded<E: Engine> {
    A: Option<Resident<E>>, // none on the finest level, where it is given
    smoother: Smoother<E>,
    P: Resident<E>,
    R: Resident<E>,
    here: RefCell<[E::Vector; 2]>,          // r, z
    next: RefCell<[E::Vector; 2]>,          // b and x of the next level
    again: Option<RefCell<[E::Vector; 5]>>, // of the next level where it is visited twice
}

impl<E: Engine> Loaded<E> {
    /// A, its smoother, P and R, of so many rows and columns of P.
    pub(super) fn new(
        e: &mut E,
        A: Option<Resident<E>>,
        smoother: Smoother<E>,
        (P, R): (Resident<E>, Resident<E>),
        ([rows, next], visits_again): ([usize; 2], bool),
        precision: Precision,
    ) -> Self {
        let again = visits_again.then(|| RefCell::new(std::array::from_fn(|_| e.zeros(next, precision))));
        let mut pair = |length| RefCell::new(std::array::from_fn(|_| e.zeros(length, precision)));
        let (here, next) = (pair(rows), pair(next));
        Self { A, smoother, P, R, here, next, again }
    }
}

/// What solves with the coarsest matrix.
pub(super) enum Last<E: Engine> {
    Inverse(Resident<E>),
    Smoother(Option<Resident<E>>, Smoother<E>),
}

/// The cycle in an engine. F is the operator of the finest level: a reference, or a handle of its own.
pub struct Cycle<E: Engine, F> {
    finest: F,
    levels: Vec<Loaded<E>>,
    last: Last<E>,
    shape: Shape,
    is_hermitian: bool,
    scale: f64,
    single: Option<RefCell<[E::Vector; 2]>>, // b and x of the finest level, where the cycle is in single precision
}

impl<E: Engine, F: Operator<E>> Cycle<E, F> {
    /// Levels, the finest first, of so many unknowns, and what solves with the coarsest matrix.
    pub(super) fn new(
        e: &mut E,
        (finest, levels, last): (F, Vec<Loaded<E>>, Last<E>),
        (shape, is_hermitian): (Shape, bool),
        (unknowns, scale): (usize, f64),
        precision: Precision,
    ) -> Self {
        let mut pair = || RefCell::new(std::array::from_fn(|_| e.zeros(unknowns, precision)));
        let single = (precision == Precision::Single).then(&mut pair);
        Self { finest, levels, last, shape, is_hermitian, scale, single }
    }

    /// x = M b from level l down.
    #[rustfmt::skip]
    fn descend(&self, e: &mut E, l: usize, b: &E::Vector, x: &mut E::Vector) {
        let Some(level) = self.levels.get(l) else { return self.solve_last(e, b, x) };
        let ([r, z], [b_next, x_next]) = (&mut *level.here.borrow_mut(), &mut *level.next.borrow_mut());
        let A: &dyn Operator<E> = level.A.as_ref().map_or(&self.finest, |A| A);
        let one = e.number(1.0);
        level.smoother.begin(e, A, b, x);                  // x = S b
        e.residual(A, b, x, r);                            // r = b - A x
        e.apply(&level.R, r, b_next);                      // b' = R r
        self.visit(e, l, b_next, x_next);                  // x' = M' b'
        e.apply(&level.P, x_next, z);
        e.axpy(one, z, x);                                 // x = x + P x'
        level.smoother.improve(e, A, b, x);                // x = x + S (b - A x)
    }

    fn solve_last(&self, e: &mut E, b: &E::Vector, x: &mut E::Vector) {
        match &self.last {
            Last::Inverse(inverse) => e.apply(inverse, b, x),
            Last::Smoother(A, smoother) => {
                let A: &dyn Operator<E> = A.as_ref().map_or(&self.finest, |A| A);
                smoother.begin(e, A, b, x);
            }
        }
    }

    /// x' = M' b' on the level after l, as often as the shape says. The coarsest is visited once: it is solved.
    #[rustfmt::skip]
    fn visit(&self, e: &mut E, l: usize, b: &E::Vector, x: &mut E::Vector) {
        self.descend(e, l + 1, b, x);                      // x = M b
        let (Some(again), Some(next)) = (&self.levels[l].again, self.levels.get(l + 1)) else { return };
        let ([c, v, r, d, w], Some(A)) = (&mut *again.borrow_mut(), &next.A) else { return };
        if self.shape == Shape::W {
            let one = e.number(1.0);
            e.residual(A, b, x, r);                        // r = b - A x
            self.descend(e, l + 1, r, d);
            e.axpy(one, d, x);                             // x = x + M r
        } else {
            self.two_steps(e, (l + 1, A), (b, x), [c, v, r, d, w]);
        }
    }

    /// Up to two steps of flexible CG, or of GCR where A is not Hermitian; the first direction is x.
    #[rustfmt::skip]
    fn two_steps(&self, e: &mut E, (l, A): (usize, &Resident<E>), (b, x): (&E::Vector, &mut E::Vector), [c, v, r, d, w]: [&mut E::Vector; 5]) {
        let part = e.number(LEFT * LEFT);
        e.copy(x, c);                                      // c = M b
        e.apply(A, c, v);                                  // v = A c
        let left = if self.is_hermitian { &*c } else { &*v };
        let (rho, alpha) = (e.dot(left, v), e.dot(left, b));
        let first = alpha.over(rho);                       // t = (c, b) / (c, A c)
        e.scale(first, x);                                 // x = t c
        e.copy(b, r);
        e.axpy(-first, v, r);                              // r = b - t A c
        let (rest, whole) = (e.dot(r, r), e.dot(b, b));
        e.unless(Test::Positive(part * whole - rest), |e| {
            self.descend(e, l, r, d);                      // d = M r
            e.apply(A, d, w);                              // w = A d
            let right = if self.is_hermitian { &*d } else { &*w };
            let (gamma, beta, step) = (e.dot(left, w), e.dot(right, w), e.dot(right, r));
            let second = step.over(beta - gamma.conj() * gamma.over(rho));
            e.axpy(second, d, x);                          // x = x + s (d - (c, A d)/(c, A c) c)
            e.axpy(-second * gamma.over(rho), c, x);
        });
    }
}

impl<E: Engine, F: Operator<E>> Operator<E> for Cycle<E, F> {
    fn apply(&self, e: &mut E, b: &E::Vector, x: &mut E::Vector) {
        match &self.single {
            None => self.descend(e, 0, b, x),
            Some(single) => {
                let [b_single, x_single] = &mut *single.borrow_mut();
                e.copy(b, b_single);
                self.descend(e, 0, b_single, x_single);
                e.copy(x_single, x);
            }
        }
        if self.scale != 1.0 {
            let scale = e.number(self.scale);
            e.scale(scale, x);
        }
    }
}
