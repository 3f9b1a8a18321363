//! The V-cycle as a preconditioner (Trottenberg, Oosterlee, Schueller, Multigrid, section 2.4): smooth, correct by the next level,
//! smooth again. The smoother is a polynomial in L^-1 A times L^-1, so it is Hermitian, and so is the cycle: CG accepts it.
//!
//! With a polynomial of degree d a level costs 2 d + 2 products with its A, 2 d + 2 with L^-1, 1 with R and 1 with P; it keeps 7
//! vectors and 2 of the next level.

use super::chain::Chain;
use crate::engine::{Engine, Operator, Resident};
use crate::precond::Recurrence;
use crate::program::Precision;
use std::cell::RefCell;

/// A of a level.
pub enum System<'a, E: Engine> {
    /// The operator that the engine has already.
    Given(&'a dyn Operator<E>),
    /// One of the cycle's own.
    Own(Resident<E>),
}

/// A level in an engine.
pub struct Loaded<'a, E: Engine> {
    A: System<'a, E>,
    inverse: Chain<E>,
    polynomial: Recurrence<E>,
    P: Resident<E>,
    R: Resident<E>,
    here: RefCell<[E::Vector; 2]>, // r, z
    next: RefCell<[E::Vector; 2]>, // b and x of the next level
}

impl<'a, E: Engine> Loaded<'a, E> {
    /// A, L^-1 with its polynomial, P and R, of so many rows and columns of P.
    pub(super) fn new(
        e: &mut E,
        A: System<'a, E>,
        (inverse, polynomial): (Chain<E>, Recurrence<E>),
        (P, R): (Resident<E>, Resident<E>),
        [rows, next]: [usize; 2],
        precision: Precision,
    ) -> Self {
        let mut pair = |length| RefCell::new(std::array::from_fn(|_| e.zeros(length, precision)));
        let (here, next) = (pair(rows), pair(next));
        Self { A, inverse, polynomial, P, R, here, next }
    }

    fn A(&self) -> &dyn Operator<E> {
        match &self.A {
            System::Given(A) => *A,
            System::Own(A) => A,
        }
    }

    /// x = S b
    fn smooth(&self, e: &mut E, b: &E::Vector, x: &mut E::Vector) {
        self.polynomial.apply(e, self.A(), &self.inverse, b, x);
    }
}

/// The cycle in an engine.
pub struct Cycle<'a, E: Engine> {
    levels: Vec<Loaded<'a, E>>,
    coarse: Resident<E>,
    single: Option<RefCell<[E::Vector; 2]>>, // b and x of the finest level, where the cycle is in single precision
}

impl<'a, E: Engine> Cycle<'a, E> {
    /// Levels, the finest first, of so many unknowns, and the inverse of the coarsest matrix.
    pub(super) fn new(
        e: &mut E,
        levels: Vec<Loaded<'a, E>>,
        coarse: Resident<E>,
        unknowns: usize,
        precision: Precision,
    ) -> Self {
        let mut pair = || RefCell::new(std::array::from_fn(|_| e.zeros(unknowns, precision)));
        let single = (precision == Precision::Single).then(&mut pair);
        Self { levels, coarse, single }
    }

    /// x = M b from level l down.
    #[rustfmt::skip]
    fn descend(&self, e: &mut E, l: usize, b: &E::Vector, x: &mut E::Vector) {
        let Some(level) = self.levels.get(l) else { return e.apply(&self.coarse, b, x) };
        let ([r, z], [b_next, x_next]) = (&mut *level.here.borrow_mut(), &mut *level.next.borrow_mut());
        let one = e.number(1.0);
        level.smooth(e, b, x);                             // x = S b
        e.residual(level.A(), b, x, r);                    // r = b - A x
        e.apply(&level.R, r, b_next);                      // b' = R r
        self.descend(e, l + 1, b_next, x_next);            // x' = M' b'
        e.apply(&level.P, x_next, z);
        e.axpy(one, z, x);                                 // x = x + P x'
        e.residual(level.A(), b, x, r);                    // r = b - A x
        level.smooth(e, r, z);
        e.axpy(one, z, x);                                 // x = x + S r
    }
}

impl<E: Engine> Operator<E> for Cycle<'_, E> {
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
    }
}
