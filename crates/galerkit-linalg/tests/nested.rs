//! Loops inside loops, lines under a condition, vectors in single precision, and both in one line: every test runs on
//! both engines over both backends and must give the numbers that were counted by hand.

mod conditions;
mod loops;
mod low;
mod mixed;

use galerkit_linalg::engine::{Engine, Nested, Register};
use galerkit_linalg::krylov::Stop;

/// Calls a generic function with each engine for `f64`.
macro_rules! on_every_engine {
    ($test:ident) => {
        $test(&mut galerkit_linalg::engine::Immediate::new(galerkit_linalg::backend::Reference));
        $test(&mut galerkit_linalg::engine::Immediate::new(galerkit_linalg::backend::Cpu));
        $test(&mut galerkit_linalg::engine::Recorded::new(galerkit_linalg::backend::Reference));
        $test(&mut galerkit_linalg::engine::Recorded::new(galerkit_linalg::backend::Cpu));
    };
}
use on_every_engine;

/// So many iterations, unless the norm is 0.
fn times(limit: usize) -> Stop {
    Stop { rtol: 0.0, limit, ..Stop::default() }
}

/// Down to this fraction of the start.
fn down_to(rtol: f64, limit: usize) -> Stop {
    Stop { rtol, limit, ..Stop::default() }
}

/// A register that counts from 0.
struct Counter<E: Engine> {
    value: E::Reg,
}

impl<E: Engine> Counter<E> {
    fn new(e: &mut E) -> Self {
        let none = e.number(0.0);
        Self { value: e.carry(none) }
    }
    fn add(&self, number: E::Num) {
        self.value.set(self.value.get() + number);
    }
    fn add_one(&self, e: &mut E) {
        let one = e.number(1.0);
        self.add(one);
    }
    fn read(&self, e: &mut E) -> f64 {
        let number = self.value.get();
        e.value(number)
    }
}

/// Sums what loops tell: how often they ran, and how they ended.
struct Account<E: Engine> {
    count: Counter<E>,
    ended: Counter<E>,
}

impl<E: Engine> Account<E> {
    fn new(e: &mut E) -> Self {
        Self { count: Counter::new(e), ended: Counter::new(e) }
    }
    fn take(&self, e: &mut E) {
        let Nested { count, ended } = e.nested();
        self.count.add(count);
        self.ended.add(ended);
    }
    fn read(&self, e: &mut E) -> (f64, f64) {
        (self.count.read(e), self.ended.read(e))
    }
}
