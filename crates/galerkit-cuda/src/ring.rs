//! What a loop and its host tell each other: the state in device memory (struct State of solver.cuh), what it began
//! with, and the ring, where the GPU writes the watched norm after each iteration; every few iterations it copies what
//! is new to pinned memory. An entry is one 8-byte word, so it is there whole or not at all; `EMPTY` means not yet. A
//! failed test is told as a NaN that no computation makes.

use crate::error::Result;
use crate::launch::{Buffer, Gpu, Pinned};
use galerkit_linalg::krylov::{Outcome, Reference, Stop};
use std::sync::Arc;

/// Entries of the ring; iterations launched ahead must be fewer.
pub const RING: usize = 4096;
const EMPTY: u64 = u64::MAX;
const FAILURE: u64 = 0xfffe_0000_0000_0000;

/// The outcomes that a test can have, by code.
const OUTCOMES: [Outcome; 9] = [
    Outcome::Converged,
    Outcome::IterationLimit,
    Outcome::NotPositiveDefinite,
    Outcome::PreconditionerNotPositiveDefinite,
    Outcome::Breakdown,
    Outcome::Stagnated,
    Outcome::Diverged,
    Outcome::NonFinite,
    Outcome::Interrupted,
];

/// The code under which kernels report an outcome.
pub fn code(outcome: Outcome) -> usize {
    OUTCOMES.iter().position(|&known| known == outcome).expect("every outcome has a code")
}

/// What became of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Message {
    /// The watched norm after it.
    Norm(f64),
    /// A test failed in it.
    Failed(Outcome),
}

/// The states of loops and of instructions outside of them, and the ring.
pub struct Ring {
    state: Buffer,
    /// The state of instructions that run once: nothing ends them but a failed test.
    once: Buffer,
    ring: Buffer,
    /// The ring as the host sees it, and behind it what a loop began with.
    pinned: Pinned,
    /// States on their way to the GPU, one after the other, and which is next.
    staged: Pinned,
    next: usize,
    /// `once` is what it should be.
    fresh: bool,
    /// Every entry of the pinned ring is empty.
    drained: bool,
}

/// Words of a state, and how many can be on their way: every loop waits for its end, so few are.
pub const STATE: usize = 20;
const STAGED: usize = 64;
/// Where a loop tells what it began with: the watched norm, and what its tolerance is relative to.
const BEGUN: usize = 2;

/// What a loop begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beginning {
    /// The host knows the watched norm.
    Known(f64),
    /// It is in device memory, at this address; and the address of the reference, unless the criteria say it.
    OnDevice {
        /// The watched norm.
        start: u64,
        /// What the tolerance is relative to.
        reference: Option<u64>,
    },
}

impl Ring {
    /// All of it, for one GPU.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let ring = Self {
            state: Buffer::zeroed(gpu, "the state of a loop", STATE * 8)?,
            once: Buffer::zeroed(gpu, "the state outside of loops", STATE * 8)?,
            ring: Buffer::zeroed(gpu, "the norms of a loop", 8 * RING)?,
            pinned: Pinned::new(gpu, RING + BEGUN)?,
            staged: Pinned::new(gpu, STATE * STAGED)?,
            next: 0,
            fresh: false,
            drained: false,
        };
        Ok(ring)
    }

    /// Prepares for instructions that run once; nothing happens if it is prepared. Whoever lets a test fail says so.
    pub fn rest(&mut self) {
        if !self.fresh {
            self.drain();
            let unbounded = Stop { limit: usize::MAX, patience: 0, reference: Reference::Start, ..Stop::default() };
            let first = self.stage(&self.words(&unbounded, Beginning::Known(f64::INFINITY)));
            self.once.upload_pinned(&self.staged, first, STATE);
            self.fresh = true;
        }
    }
    /// A test may have failed outside of a loop: the state is not what it was.
    pub fn disturb(&mut self) {
        (self.fresh, self.drained) = (false, false);
    }

    /// Prepares for a loop; its state, which a persistent kernel is given as an argument.
    pub fn begin(&mut self, stop: &Stop, beginning: Beginning) -> [u64; STATE] {
        self.drain();
        self.drained = false;
        self.words(stop, beginning)
    }
    /// Brings a state to where graphs look for it.
    pub fn load(&mut self, state: &[u64; STATE]) {
        let first = self.stage(state);
        self.state.upload_pinned(&self.staged, first, STATE);
    }

    /// Whoever has taken all that a loop has told says so: the next one need not empty the ring.
    pub fn all_taken(&mut self) {
        self.drained = true;
    }

    fn drain(&mut self) {
        if !self.drained {
            (0..RING).for_each(|i| self.pinned.write(i, EMPTY));
        }
        (RING..RING + BEGUN).for_each(|i| self.pinned.write(i, EMPTY));
        self.drained = true;
    }

    /// Writes a state where the GPU can copy it from; the first word.
    fn stage(&mut self, state: &[u64; STATE]) -> usize {
        let first = self.next * STATE;
        self.next = (self.next + 1) % STAGED;
        state.iter().enumerate().for_each(|(i, &word)| self.staged.write(first + i, word));
        first
    }

    /// The words of a state, in the order of struct State.
    fn words(&self, stop: &Stop, beginning: Beginning) -> [u64; STATE] {
        let (threshold, divergence, best, [start, reference], given) = match beginning {
            Beginning::Known(start) => {
                let divergence = stop.divergence * stop.reference_norm(start).max(start);
                (stop.threshold(start), divergence, start, [0; 2], 0.0)
            }
            Beginning::OnDevice { start, reference } => {
                let given = if let Reference::Given(norm) = stop.reference { norm } else { 0.0 };
                let same = if stop.reference == Reference::Start { start } else { 0 };
                (0.0, 0.0, 0.0, [start, reference.unwrap_or(same)], given)
            }
        };
        [
            0,
            0,
            threshold.to_bits(),
            divergence.to_bits(),
            best.to_bits(),
            0,
            stop.limit as u64,
            stop.patience as u64,
            0,
            0,
            self.ring.address(),
            self.pinned.address(),
            RING as u64 - 1,
            start,
            reference,
            given.to_bits(),
            stop.rtol.to_bits(),
            stop.atol.to_bits(),
            stop.divergence.to_bits(),
            self.pinned.address() + 8 * RING as u64,
        ]
    }

    /// The address of the state outside of loops, for kernel arguments.
    pub fn once(&self) -> u64 {
        self.once.address()
    }

    /// What a loop began with, if it has told: the watched norm and the reference.
    pub fn begun(&self) -> Option<[f64; 2]> {
        let words = [RING, RING + 1].map(|i| self.pinned.read(i));
        (!words.contains(&EMPTY)).then(|| words.map(f64::from_bits))
    }

    /// The address of the state of loops, for kernel arguments.
    pub fn state(&self) -> u64 {
        self.state.address()
    }

    /// What became of iteration `i`, counted from 0, if it is known; the entry is then free for iteration i + RING.
    pub fn take(&self, i: usize) -> Option<Message> {
        let told = decode(self.pinned.read(i % RING));
        if told.is_some() {
            self.pinned.write(i % RING, EMPTY);
        }
        told
    }
}

fn decode(word: u64) -> Option<Message> {
    match word {
        EMPTY => None,
        _ if word & FAILURE == FAILURE && word & !FAILURE < OUTCOMES.len() as u64 => {
            Some(Message::Failed(OUTCOMES[(word & !FAILURE) as usize]))
        }
        _ => Some(Message::Norm(f64::from_bits(word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_no_norm_and_a_norm_is_no_failure() {
        for (i, outcome) in OUTCOMES.into_iter().enumerate() {
            assert_eq!(code(outcome), i);
            assert_eq!(decode(FAILURE | i as u64), Some(Message::Failed(outcome)));
        }
        assert_eq!(decode(EMPTY), None);
        assert_eq!(decode(0), Some(Message::Norm(0.0)));
        assert_eq!(decode(f64::NEG_INFINITY.to_bits()), Some(Message::Norm(f64::NEG_INFINITY)));
        // The NaNs that the GPU's own arithmetic makes.
        for nan in [0x7fff_ffff_ffff_ffff, 0x7fff_ffff_e000_0000, f64::NAN.to_bits()] {
            assert!(matches!(decode(nan), Some(Message::Norm(norm)) if norm.is_nan()));
        }
    }
}
