//! The thread-local tapes on which symbolic numbers write, one for each engine that records, and the symbolic numbers
//! themselves. Numbers know their engine: arithmetic between them goes to its tape, whoever spoke last.

use super::{Number, Register};
use crate::program::{Arithmetic, Instruction, Slot};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct Tape {
    instructions: Vec<Instruction>,
    /// Slots of the engine so far, in whichever thread it made them.
    slots: Arc<AtomicUsize>,
}

#[derive(Default)]
struct Tapes {
    /// The tape of the engine that spoke last.
    active: Tape,
    owner: usize,
    /// Those of the others.
    resting: HashMap<usize, Tape>,
}

impl Tapes {
    /// What is recorded from now on is recorded by this engine.
    fn turn_to(&mut self, engine: usize) {
        if self.owner != engine {
            let own = self.resting.remove(&engine).unwrap_or_else(|| {
                let slots = slots().get(&engine).cloned();
                Tape { instructions: Vec::new(), slots: slots.expect("a number is of no use without its engine") }
            });
            let other = std::mem::replace(&mut self.active, own);
            if self.owner != 0 {
                self.resting.insert(self.owner, other);
            }
            self.owner = engine;
        }
    }
}

thread_local!(static TAPES: RefCell<Tapes> = RefCell::default());

/// Engines so far, of all threads.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// How many slots each engine has made; looked at when one speaks in a thread for the first time.
static SLOTS: Mutex<BTreeMap<usize, Arc<AtomicUsize>>> = Mutex::new(BTreeMap::new());

fn slots() -> MutexGuard<'static, BTreeMap<usize, Arc<AtomicUsize>>> {
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine's part in the tapes. Slots are counted from 0 for each engine: what is recorded alike has the same slots,
/// however much the thread has recorded before, and tables of slots do not grow with its age. An engine may go on in
/// another thread when all that it has recorded has run.
pub(super) struct Part(usize);

impl Part {
    /// Begins with an empty tape.
    pub(super) fn new() -> Self {
        let id = MADE.fetch_add(1, Ordering::Relaxed) + 1;
        slots().insert(id, Arc::default());
        Part(id)
    }

    /// What is recorded from now on is recorded by this engine.
    pub(super) fn activate(&self) {
        TAPES.with_borrow_mut(|tapes| tapes.turn_to(self.0));
    }

    /// Whether there are no tapes any more, because the thread is ending.
    pub(super) fn has_ended() -> bool {
        TAPES.try_with(|_| ()).is_err()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        slots().remove(&self.0);
        // The thread may be ending, and its tapes gone.
        let _ = TAPES.try_with(|tapes| {
            let mut tapes = tapes.borrow_mut();
            tapes.resting.remove(&self.0);
            if tapes.owner == self.0 {
                (tapes.active, tapes.owner) = (Tape::default(), 0);
            }
        });
    }
}

fn turn_to(engine: usize) {
    TAPES.with_borrow_mut(|tapes| tapes.turn_to(engine));
}

/// Appends an instruction.
pub(super) fn push(instruction: Instruction) {
    TAPES.with_borrow_mut(|tapes| tapes.active.instructions.push(instruction));
}

/// Appends the instruction that fills a new slot.
pub(super) fn emit(instruction: impl FnOnce(Slot) -> Instruction) -> Symbol {
    let new = new_slot();
    push(instruction(new.0));
    new
}

fn new_slot() -> Symbol {
    TAPES.with_borrow(|tapes| Symbol(Slot(tapes.active.slots.fetch_add(1, Ordering::Relaxed)), tapes.owner))
}

/// Takes what was recorded since the last call.
pub(super) fn take() -> Vec<Instruction> {
    TAPES.with_borrow_mut(|tapes| std::mem::take(&mut tapes.active.instructions))
}

/// Whether nothing was recorded since [`take`].
pub(super) fn is_empty() -> bool {
    TAPES.with_borrow(|tapes| tapes.active.instructions.is_empty())
}

/// A number that will be known when the program runs, and the engine that runs it.
#[derive(Clone, Copy, Debug)]
pub struct Symbol(pub(super) Slot, usize);

impl Symbol {
    /// The slot it stands for, for criteria that refer to it: see [`Reference`](crate::program::Reference).
    pub fn slot(self) -> Slot {
        self.0
    }
}

fn scalar(op: Arithmetic, a: Symbol, b: Symbol) -> Symbol {
    debug_assert_eq!(a.1, b.1, "numbers of two engines");
    turn_to(a.1);
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
pub struct SlotRegister(pub(super) Symbol);

impl Register<Symbol> for SlotRegister {
    /// The value at this point of the program, in a slot of its own: a later `set` does not change it.
    fn get(&self) -> Symbol {
        let Symbol(from, engine) = self.0;
        turn_to(engine);
        emit(|to| Instruction::Move { from, to })
    }
    fn set(&self, value: Symbol) {
        let Symbol(to, engine) = self.0;
        turn_to(engine);
        push(Instruction::Move { from: value.0, to });
    }
}
