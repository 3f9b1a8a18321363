//! The thread-local tape on which symbolic numbers write, and the symbolic numbers themselves.

use super::program::{Arithmetic, Line, Slot};
use crate::engine::{Number, Register};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Default)]
struct Tape {
    lines: Vec<Line>,
    slots: usize,
    /// Engines that write on it.
    engines: usize,
}

thread_local!(static TAPE: RefCell<Tape> = RefCell::default());

/// An engine's part in the tape. While there is none, slots are counted from 0 again: what is recorded alike has the same numbers,
/// however much the thread has recorded before, and tables of slots do not grow with its age.
pub(super) struct Part(());

impl Part {
    /// Begins with an empty tape.
    pub(super) fn new() -> Self {
        TAPE.with_borrow_mut(|tape| {
            tape.lines.clear();
            if tape.engines == 0 {
                tape.slots = 0;
            }
            tape.engines += 1;
        });
        Part(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // The thread may be ending, and its tape gone.
        let _ = TAPE.try_with(|tape| {
            let mut tape = tape.borrow_mut();
            tape.engines = tape.engines.saturating_sub(1);
        });
    }
}

/// Appends a line.
pub(super) fn push(line: Line) {
    TAPE.with_borrow_mut(|tape| tape.lines.push(line));
}

/// Appends the line that fills a new slot.
pub(super) fn emit(line: impl FnOnce(Slot) -> Line) -> Symbol {
    TAPE.with_borrow_mut(|tape| {
        let slot = Slot(tape.slots);
        tape.slots += 1;
        tape.lines.push(line(slot));
        Symbol(slot)
    })
}

/// Takes what was recorded since the last call.
pub(super) fn take() -> Vec<Line> {
    TAPE.with_borrow_mut(|tape| std::mem::take(&mut tape.lines))
}

/// How many slots exist.
pub(super) fn slots() -> usize {
    TAPE.with_borrow(|tape| tape.slots)
}

/// A number that will be known when the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Symbol(pub(super) Slot);

fn scalar(op: Arithmetic, a: Symbol, b: Symbol) -> Symbol {
    emit(|out| Line::Scalar { op, a: a.0, b: b.0, out })
}

macro_rules! binary {
    ($trait:ident, $method:ident) => {
        impl $trait for Symbol {
            type Output = Symbol;
            fn $method(self, other: Symbol) -> Symbol {
                scalar(Arithmetic::$trait, self, other)
            }
        }
    };
}
binary!(Add, add);
binary!(Sub, sub);
binary!(Mul, mul);
binary!(Div, div);

impl Neg for Symbol {
    type Output = Symbol;
    fn neg(self) -> Symbol {
        scalar(Arithmetic::Neg, self, self)
    }
}

impl Number for Symbol {
    fn sqrt(self) -> Symbol {
        scalar(Arithmetic::Sqrt, self, self)
    }
    fn conj(self) -> Symbol {
        scalar(Arithmetic::Conj, self, self)
    }
    fn abs(self) -> Symbol {
        scalar(Arithmetic::Abs, self, self)
    }
    fn over(self, other: Symbol) -> Symbol {
        scalar(Arithmetic::Over, self, other)
    }
}

/// A slot that keeps its value between iterations.
#[derive(Clone, Copy, Debug)]
pub struct SlotRegister(pub(super) Slot);

impl Register<Symbol> for SlotRegister {
    /// The value at this point of the program, in a slot of its own: a later `set` does not change it.
    fn get(&self) -> Symbol {
        let from = self.0;
        emit(|to| Line::Move { from, to })
    }
    fn set(&self, value: Symbol) {
        push(Line::Move { from: value.0, to: self.0 });
    }
}
