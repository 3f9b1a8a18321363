//! An inner solve as the preconditioner of a flexible method: y is roughly A^-1 x by another iteration, in single
//! precision if asked (the hybrid of source 001). It runs inside the outer iteration and ends by its own criteria,
//! wherever that is.
//!
//! x is scaled to norm 1 before it is rounded, so that late residuals cannot underflow (spec 01, section 2). What is
//! known of the solves are numbers of the engine: their sum, and as many of the last ones as [`Inner::listing`] asked
//! for, each in a register that hands its value to the next; a list without end would need the host in every step.

use crate::engine::{
    Engine, Nested, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Precision, Run, Stop};
use std::cell::RefCell;

/// The inner method: solves A z = r from z = 0 and returns when its own criteria are met.
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
    discarded: E::Reg,
    /// Iterations of the last solves, the newest first.
    latest: Vec<E::Reg>,
    guarded: bool,
    gives_up: bool,
    budget: Option<usize>,
    unit: Option<f64>,
}

/// Discarded solves beyond half of all that are forgiven.
const FORGIVEN: f64 = 3.0;

impl<'a, E: Engine> Inner<'a, E> {
    /// An inner solve for vectors like b, which works in this precision.
    pub fn new(e: &mut E, b: &E::Vector, precision: Precision, solve: Solve<'a, E>) -> Self {
        let [r, z, zero] = [(); 3].map(|()| e.zeros(e.length(b), precision));
        let lowered = precision != e.precision(b);
        let none = e.number(0.0);
        let (count, solves, discarded) = (e.carry(none), e.carry(none), e.carry(none));
        let scaled = RefCell::new(e.zeros_like(b));
        let system = RefCell::new([r, z]);
        let (guarded, gives_up, budget, unit, latest) = (false, false, None, None, Vec::new());
        Self { solve, lowered, scaled, zero, system, count, solves, discarded, latest, guarded, gives_up, budget, unit }
    }

    /// Scales residuals by a fixed number before they are rounded, instead of to norm 1. An absolute tolerance of the
    /// inner solve is then one of the outer residual in this unit, so that the last solve need not do more than is
    /// asked.
    pub fn in_units_of(mut self, unit: f64) -> Self {
        self.unit = Some(unit);
        self
    }

    /// Replaces a result that is not finite by x, and counts it as discarded: for outer methods that do not look, which
    /// all do but [`vpgcr`](super::vpgcr).
    pub fn guarded(mut self) -> Self {
        self.guarded = true;
        self
    }
    /// Ends the outer loop as stagnated once more than half of the solves were discarded (and at least three).
    pub fn giving_up(mut self) -> Self {
        self.gives_up = true;
        self
    }
    /// Ends the outer loop as out of iterations before a solve that begins after so many inner iterations.
    pub fn within(mut self, budget: usize) -> Self {
        self.budget = Some(budget);
        self
    }
    /// Keeps the counts of so many last solves. Each takes two lines on numbers wherever the solve is spoken.
    pub fn listing(mut self, e: &mut E, solves: usize) -> Self {
        let none = e.number(0.0);
        self.latest = (0..solves).map(|_| e.carry(none)).collect();
        self
    }

    /// Counts from 0 again.
    pub fn reset(&self, e: &mut E) {
        let none = e.number(0.0);
        [&self.count, &self.solves, &self.discarded].into_iter().chain(&self.latest).for_each(|it| it.set(none));
    }

    /// Where inner iterations, solves and discarded solves are counted, in this order.
    pub fn counts(&self) -> [&E::Reg; 3] {
        [&self.count, &self.solves, &self.discarded]
    }
    /// Where the iterations of the last solves are, the newest first.
    pub fn listed(&self) -> &[E::Reg] {
        &self.latest
    }

    /// Where solves that were of no use are counted; for [`vpgcr`](super::vpgcr).
    pub fn failures(&self) -> &E::Reg {
        &self.discarded
    }
    /// Inner iterations so far, over all solves.
    pub fn iterations(&self, e: &mut E) -> usize {
        count(e, &self.count)
    }
    /// Inner solves so far.
    pub fn solves(&self, e: &mut E) -> usize {
        count(e, &self.solves)
    }
    /// Inner solves so far that were of no use.
    pub fn discarded(&self, e: &mut E) -> usize {
        count(e, &self.discarded)
    }
    /// Iterations of the last solves that are [listed](Self::listing), in the order of the solves.
    pub fn latest(&self, e: &mut E) -> Vec<usize> {
        let known = self.solves(e).min(self.latest.len());
        self.latest[..known].iter().rev().map(|register| count(e, register)).collect()
    }

    /// Whether another solve may begin.
    fn require_sense(&self, e: &mut E) {
        if self.gives_up {
            let (solves, discarded, forgiven) = (self.solves.get(), self.discarded.get(), e.number(FORGIVEN));
            e.require(Positive(solves + forgiven - discarded - discarded), Outcome::Stagnated);
        }
        if let Some(budget) = self.budget {
            let left = e.number(budget as f64) - self.count.get();
            e.require(Positive(left), Outcome::IterationLimit);
        }
    }

    fn tell(&self, e: &mut E) {
        let one = e.number(1.0);
        let Nested { count, .. } = e.nested();
        self.count.set(self.count.get() + count);
        self.solves.set(self.solves.get() + one);
        for pair in self.latest.windows(2).rev() {
            pair[1].set(pair[0].get());
        }
        self.latest.iter().take(1).for_each(|newest| newest.set(count));
    }
}

fn count<E: Engine>(e: &mut E, register: &E::Reg) -> usize {
    let number = register.get();
    e.value(number) as usize
}

impl<E: Engine> Operator<E> for Inner<'_, E> {
    fn is_solve(&self) -> bool {
        true
    }
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        self.require_sense(e);
        let [r, z] = &mut *self.system.borrow_mut();
        let one = e.number(1.0);
        let unit = match self.unit {
            Some(unit) => e.number(unit),
            None => e.norm(x),
        };
        if self.lowered {
            let scaled = &mut *self.scaled.borrow_mut();
            e.copy(x, scaled);
            e.scale(one.over(unit), scaled);
            e.copy(scaled, r); // rounds
        } else {
            e.copy(x, r);
        }
        e.copy(&self.zero, z);
        let _ = e.nest(|e| (self.solve)(e, r, z)); // inside an iteration nothing is known yet; `nested` tells
        self.tell(e);
        e.copy(z, y); // widens
        if self.lowered {
            e.scale(unit, y);
        }
        if self.guarded {
            let size = e.norm_inf(y);
            e.unless(Finite(size), |e| {
                e.copy(x, y);
                self.discarded.set(self.discarded.get() + one);
            });
        }
    }
}

/// The criteria of an inner solve.
pub fn inner_stop(rtol: f64, limit: usize) -> Stop {
    Stop { rtol, limit, replacement: 0, ..Stop::default() }
}
