//! A program as the host runs it, and its pieces.

use crate::program::Compiled;
use galerkit_linalg::program::{Instruction, Program, Slot, Test, Until, inspect};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A program, and what it was compiled to when it first ran.
pub(crate) struct Unit {
    pub(crate) program: Program,
    pub(super) watched: Option<Slot>,
    pub(super) frame: Option<Frame>,
    /// As one program, or as one of the plans of a program that it shares with others (together.rs).
    pub(super) compiled: OnceLock<(Arc<Compiled>, usize)>,
    /// Taken apart.
    pub(super) pieces: OnceLock<Arc<Vec<Piece>>>,
    /// The iterations of a loop that the host takes apart, by variant.
    pub(super) iterations: Mutex<HashMap<usize, Arc<Unit>>>,
    /// There if all of these were compiled together.
    pub(super) together: OnceLock<()>,
}

/// What stands before and behind a loop; a persistent kernel runs it, too.
pub(crate) type Frame = [Vec<Instruction>; 2];

/// One thing that the host does.
pub(super) enum Piece {
    /// Launches.
    Plain(Arc<Unit>),
    /// A condition around a loop: the host looks.
    Unless(Test<Slot>, Arc<Unit>),
    /// A nested loop.
    Loop(Until, Arc<Unit>),
    /// A product with a map that has no kernel source.
    Host(Instruction),
}

impl Unit {
    pub(crate) fn new(instructions: Vec<Instruction>, watched: Option<Slot>) -> Arc<Self> {
        Self::framed(instructions, watched, None)
    }

    /// The body of a loop with what stands around it.
    pub(crate) fn framed(instructions: Vec<Instruction>, watched: Option<Slot>, frame: Option<Frame>) -> Arc<Self> {
        Arc::new(Self {
            program: Program { instructions },
            watched,
            frame,
            compiled: OnceLock::new(),
            pieces: OnceLock::new(),
            iterations: Mutex::default(),
            together: OnceLock::new(),
        })
    }

    /// Whether what stands around its loop is known.
    pub(crate) fn is_framed(&self) -> bool {
        self.frame.is_some()
    }

    /// What it was compiled to as one program, if it was.
    pub(crate) fn compiled(&self) -> Option<Arc<Compiled>> {
        self.compiled.get().map(|(compiled, _)| compiled.clone())
    }

    /// What a unit is for whose pieces are one that the host only launches.
    pub(crate) fn plain<T>(&self, of: impl FnOnce(&Unit) -> Option<T>) -> Option<T> {
        match self.pieces.get().map(|pieces| &pieces[..]) {
            Some([Piece::Plain(unit)]) if !unit.tests() => of(unit),
            _ => None,
        }
    }

    /// Forgets graphs, wherever they are.
    pub(crate) fn forget_graphs(&self) {
        if let Some((compiled, _)) = self.compiled.get() {
            compiled.forget_graphs();
        }
        for piece in self.pieces.get().iter().flat_map(|pieces| pieces.iter()) {
            match piece {
                Piece::Plain(unit) | Piece::Unless(_, unit) | Piece::Loop(_, unit) => unit.forget_graphs(),
                Piece::Host(_) => (),
            }
        }
        self.iterations.lock().unwrap_or_else(PoisonError::into_inner).values().for_each(|unit| unit.forget_graphs());
    }

    /// Whether a test may end it.
    pub(super) fn tests(&self) -> bool {
        let is_test = |instruction: &&Instruction| matches!(instruction, Instruction::Require { .. });
        inspect::every_instruction(&self.program.instructions).iter().any(is_test)
    }
}
