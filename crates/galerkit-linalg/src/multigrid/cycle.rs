//! The V-cycle as a preconditioner (Trottenberg, Oosterlee, Schueller, Multigrid, section 2.4): smooth, correct by the next level,
//! smooth again. The smoother is a polynomial in L^-1 A times L^-1, so it is Hermitian, and so is the cycle: CG accepts it.
//!
//! With a polynomial of degree d a level costs 2 d + 2 products with its A, 2 d + 2 with L^-1, 1 with R and 1 with P; it keeps 5
//! vectors, those between the maps of L^-1, and 2 of the next level.

use super::chain::Chain;
use crate::engine::{Engine, Operator, Resident};
use crate::precond::Recurrence;
use crate::program::Precision;
use std::cell::RefCell;

/// A level in an engine.
pub struct Loaded<E: Engine> {
    A: Option<Resident<E>>, // none on the finest level in full precision, where it is given
    inverse: Chain<E>,
    polynomial: Recurrence<E>,
    P: Resident<E>,
    R: Resident<E>,
    here: RefCell<[E::Vector; 2]>, // r, z
    next: RefCell<[E::Vector; 2]>, // b and x of the next level
}

impl<E: Engine> Loaded<E> {
    /// A, L^-1 with its polynomial, P and R, of so many rows and columns of P.
    pub(super) fn new(
        e: &mut E,
        A: Option<Resident<E>>,
        (inverse, polynomial): (Chain<E>, Recurrence<E>),
        (P, R): (Resident<E>, Resident<E>),
        [rows, next]: [usize; 2],
        precision: Precision,
    ) -> Self {
        let mut pair = |length| RefCell::new(std::array::from_fn(|_| e.zeros(length, precision)));
        let (here, next) = (pair(rows), pair(next));
        Self { A, inverse, polynomial, P, R, here, next }
    }
}

/// The cycle in an engine. F is the operator of the finest level: a reference, or a handle of its own.
pub struct Cycle<E: Engine, F> {
    finest: F,
    levels: Vec<Loaded<E>>,
    coarse: Resident<E>,
    single: Option<RefCell<[E::Vector; 2]>>, // b and x of the finest level, where the cycle is in single precision
}

impl<E: Engine, F: Operator<E>> Cycle<E, F> {
    /// Levels, the finest first, of so many unknowns, and the inverse of the coarsest matrix.
    pub(super) fn new(
        e: &mut E,
        (finest, levels): (F, Vec<Loaded<E>>),
        coarse: Resident<E>,
        unknowns: usize,
        precision: Precision,
    ) -> Self {
        let mut pair = || RefCell::new(std::array::from_fn(|_| e.zeros(unknowns, precision)));
        let single = (precision == Precision::Single).then(&mut pair);
        Self { finest, levels, coarse, single }
    }

    /// x = M b from level l down.
    #[rustfmt::skip]
    fn descend(&self, e: &mut E, l: usize, b: &E::Vector, x: &mut E::Vector) {
        let Some(level) = self.levels.get(l) else { return e.apply(&self.coarse, b, x) };
        let ([r, z], [b_next, x_next]) = (&mut *level.here.borrow_mut(), &mut *level.next.borrow_mut());
        let A: &dyn Operator<E> = level.A.as_ref().map_or(&self.finest, |A| A);
        let smooth = |e: &mut E, b: &E::Vector, x: &mut E::Vector| level.polynomial.apply(e, A, &level.inverse, b, x);
        let one = e.number(1.0);
        smooth(e, b, x);                                   // x = S b
        e.residual(A, b, x, r);                            // r = b - A x
        e.apply(&level.R, r, b_next);                      // b' = R r
        self.descend(e, l + 1, b_next, x_next);            // x' = M' b'
        e.apply(&level.P, x_next, z);
        e.axpy(one, z, x);                                 // x = x + P x'
        e.residual(A, b, x, r);                            // r = b - A x
        smooth(e, r, z);
        e.axpy(one, z, x);                                 // x = x + S r
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
    }
}
