//! An inner solve as the preconditioner of a flexible method: y is roughly A^-1 x by another iteration, in single
//! precision if asked (the hybrid of source 001). It runs inside of the outer iteration, without the host.
//!
//! x is scaled to norm 1 before it is rounded, so that late residuals cannot underflow (spec 01, section 2).

use super::{Run, Stop};
use crate::engine::{Engine, Nested, Number, Operator, Register};
use std::cell::RefCell;

/// The inner method: solves A z = r from z = 0 and returns when its own criteria are met. GMRES, FGMRES and IDR(s) cannot
/// be inner methods: they ask the host for counts and lengths, which it does not know inside of an iteration.
pub type Solve<'a, E> = Box<dyn Fn(&mut E, &<E as Engine>::Vector, &mut <E as Engine>::Vector) -> Run + 'a>;

/// An inner solve.
pub struct Inner<'a, E: Engine> {
    solve: Solve<'a, E>,
    lowered: bool,
    scaled: RefCell<E::Vector>,
    zero: E::Vector,
    /// Right-hand side and solution of the inner solve, in its precision.
    system: RefCell<[E::Vector; 2]>,
    count: E::Reg,
    solves: E::Reg,
}

impl<'a, E: Engine> Inner<'a, E> {
    /// An inner solve for vectors like b, in their precision or, `lowered`, in single precision.
    pub fn new(e: &mut E, b: &E::Vector, lowered: bool, solve: Solve<'a, E>) -> Self {
        let [r, z, zero] = if lowered { [(); 3].map(|()| e.lower_like(b)) } else { e.vectors_like(b) };
        let none = e.number(0.0);
        let (count, solves) = (e.carry(none), e.carry(none));
        let scaled = RefCell::new(e.zeros_like(b));
        Self { solve, lowered, scaled, zero, system: RefCell::new([r, z]), count, solves }
    }

    /// Inner iterations so far, over all solves.
    pub fn iterations(&self, e: &mut E) -> usize {
        let count = self.count.get();
        e.value(count) as usize
    }
    /// Inner solves so far.
    pub fn solves(&self, e: &mut E) -> usize {
        let solves = self.solves.get();
        e.value(solves) as usize
    }
}

impl<E: Engine> Operator<E> for Inner<'_, E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let [r, z] = &mut *self.system.borrow_mut();
        let one = e.number(1.0);
        let norm = e.norm(x);
        if self.lowered {
            let scaled = &mut *self.scaled.borrow_mut();
            e.copy(x, scaled);
            e.scale(one.over(norm), scaled);
            e.copy(scaled, r); // rounds
        } else {
            e.copy(x, r);
        }
        e.copy(&self.zero, z);
        let _ = (self.solve)(e, r, z); // inside of an iteration nothing is known yet; `nested` tells
        let Nested { count, .. } = e.nested();
        self.count.set(self.count.get() + count);
        self.solves.set(self.solves.get() + one);
        e.copy(z, y); // widens
        if self.lowered {
            e.scale(norm, y);
        }
    }
}

/// The criteria of an inner solve.
pub fn inner_stop(rtol: f64, limit: usize) -> Stop {
    Stop { rtol, limit, exact: 0, ..Stop::default() }
}
