//! What was recorded, compiled and kept: straight parts and loops in the order in which they were spoken. Running it
//! again records, hashes, allocates and compiles nothing.

use super::executor::Code;
use super::held::Held;
use super::tape::Symbol;
use crate::program::{MapId, Program, Slot, Stop, Vector};

/// One part of a routine.
#[derive(Clone)]
pub(super) enum Part {
    /// Instructions outside of loops.
    Straight {
        code: Held<Code>,
        program: Program,
        /// Whether a second run at once would change nothing.
        repeatable: bool,
    },
    /// A loop.
    Loop {
        code: Held<Code>,
        start: Slot,
        /// Criteria to which it was recorded; a run may bring others.
        stop: Stop,
        body: Program,
        watched: Slot,
        /// The part before it may run together with it: its code was compiled for that.
        framed: bool,
    },
}

impl Part {
    /// What it was compiled to.
    pub(super) fn code(&self) -> Code {
        match self {
            Part::Straight { code, .. } | Part::Loop { code, .. } => code.name(),
        }
    }
}

/// A compiled routine. It holds what it mentions.
pub struct Routine {
    pub(super) parts: Vec<Part>,
    pub(super) vectors: Vec<Held<Vector>>,
    pub(super) maps: Vec<Held<MapId>>,
    /// Scalars that the recorded closure has returned, for [`Recorded::value`](super::Engine::value).
    pub scalars: Vec<Symbol>,
}

impl Routine {
    /// The bodies of its loops, and the slots that they watch.
    pub fn loops(&self) -> impl Iterator<Item = (&Program, Slot)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Loop { body, watched, .. } => Some((body, *watched)),
            Part::Straight { .. } => None,
        })
    }
}
