//! The thread-local tapes on which symbolic numbers write, one for each engine that records, and the symbolic numbers
//! themselves. Arithmetic between symbols names no engine: it goes to the tape of the one that spoke last.

use super::{Number, Register};
use crate::program::{Arithmetic, Instruction, Slot};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
struct Tape {
    instructions: Vec<Instruction>,
    slots: usize,
}

#[derive(Default)]
struct Tapes {
    /// The tape of the engine that spoke last.
    active: Tape,
    owner: usize,
    /// Those of the others.
    resting: HashMap<usize, Tape>,
}

thread_local!(static TAPES: RefCell<Tapes> = RefCell::default());

/// Engines so far, of all threads.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// An engine's part in the tapes. Slots are counted from 0 for each engine: what is recorded alike has the same slots, however
/// much the thread has recorded before, and tables of slots do not grow with its age. An engine may go on in another thread when
/// all that it has recorded has run.
pub(super) struct Part {
    id: usize,
    /// Slots when nothing is on the tape.
    slots: usize,
}

impl Part {
    /// Begins with an empty tape.
    pub(super) fn new() -> Self {
        Part { id: MADE.fetch_add(1, Ordering::Relaxed) + 1, slots: 0 }
    }

    /// What is recorded from now on is recorded by this engine.
    pub(super) fn activate(&self) {
        TAPES.with_borrow_mut(|tapes| {
            if tapes.owner != self.id {
                let mut own = tapes.resting.remove(&self.id).unwrap_or_default();
                own.slots = own.slots.max(self.slots);
                let other = std::mem::replace(&mut tapes.active, own);
                if tapes.owner != 0 {
                    let owner = tapes.owner;
                    tapes.resting.insert(owner, other);
                }
                tapes.owner = self.id;
            }
        });
    }

    /// Nothing is on the tape: remembers how many slots there are, wherever the engine goes on.
    pub(super) fn settle(&mut self) {
        self.activate();
        self.slots = TAPES.with_borrow(|tapes| tapes.active.slots);
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // The thread may be ending, and its tapes gone.
        let _ = TAPES.try_with(|tapes| {
            let mut tapes = tapes.borrow_mut();
            tapes.resting.remove(&self.id);
            if tapes.owner == self.id {
                (tapes.active, tapes.owner) = (Tape::default(), 0);
            }
        });
    }
}

/// Appends an instruction.
pub(super) fn push(instruction: Instruction) {
    TAPES.with_borrow_mut(|tapes| tapes.active.instructions.push(instruction));
}

/// Appends the instruction that fills a new slot.
pub(super) fn emit(instruction: impl FnOnce(Slot) -> Instruction) -> Symbol {
    TAPES.with_borrow_mut(|tapes| {
        let slot = Slot(tapes.active.slots);
        tapes.active.slots += 1;
        tapes.active.instructions.push(instruction(slot));
        Symbol(slot)
    })
}

/// Takes what was recorded since the last call.
pub(super) fn take() -> Vec<Instruction> {
    TAPES.with_borrow_mut(|tapes| std::mem::take(&mut tapes.active.instructions))
}

/// Whether nothing was recorded since [`take`].
pub(super) fn is_empty() -> bool {
    TAPES.with_borrow(|tapes| tapes.active.instructions.is_empty())
}

/// A number that will be known when the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Symbol(pub(super) Slot);

fn scalar(op: Arithmetic, a: Symbol, b: Symbol) -> Symbol {
    emit(|out| Instruction::Scalar { op, a: a.0, b: b.0, out })
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
        emit(|to| Instruction::Move { from, to })
    }
    fn set(&self, value: Symbol) {
        push(Instruction::Move { from: value.0, to: self.0 });
    }
}
