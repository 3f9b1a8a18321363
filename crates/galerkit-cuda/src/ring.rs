//! What a loop and its host tell each other: the state in device memory (struct State of solver.cuh) and the ring, where
//! the GPU writes the watched norm after each iteration; every few iterations it copies what is new to pinned memory.
//! An entry is one 8-byte word, so it is there whole or not at all; `EMPTY` means not yet. A failed test is told as a
//! NaN that no computation makes.

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
pub enum Told {
    /// The watched norm after it.
    Norm(f64),
    /// A test failed in it.
    Failed(Outcome),
}

/// State and ring of a loop.
pub struct Ring {
    state: Buffer,
    ring: Buffer,
    pinned: Pinned,
    /// States on their way to the GPU, one after the other, and which is next.
    staged: Pinned,
    next: usize,
    /// The state is that of instructions outside of loops, and nothing has changed it.
    idle: bool,
}

/// Words of a state, and how many can be on their way: every loop waits for its end, so few are.
const STATE: usize = 13;
const STAGED: usize = 64;

impl Ring {
    /// Both, for one GPU.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            state: Buffer::zeroed(gpu, "the state of a loop", STATE * 8)?,
            ring: Buffer::zeroed(gpu, "the norms of a loop", 8 * RING)?,
            pinned: Pinned::new(gpu, RING)?,
            staged: Pinned::new(gpu, STATE * STAGED)?,
            next: 0,
            idle: false,
        })
    }

    /// Prepares for instructions that run once; nothing happens if it is prepared. Whoever lets a test fail says so.
    pub fn rest(&mut self) -> Result<()> {
        if !self.idle {
            self.begin(None, f64::INFINITY)?;
            self.idle = true;
        }
        Ok(())
    }
    /// A test may have failed: the state is not what it was.
    pub fn disturb(&mut self) {
        self.idle = false;
    }

    /// Prepares for a loop that starts with this norm; without criteria for instructions that run once.
    pub fn begin(&mut self, stop: Option<&Stop>, start: f64) -> Result<()> {
        self.idle = false;
        (0..RING).for_each(|i| self.pinned.write(i, EMPTY));
        let unbounded = Stop { limit: usize::MAX, patience: 0, reference: Reference::Start, ..Stop::default() };
        let stop = stop.unwrap_or(&unbounded);
        let divergence = stop.divergence * stop.reference_norm(start).max(start);
        let state: [u64; STATE] = [
            0,
            0,
            stop.threshold(start).to_bits(),
            divergence.to_bits(),
            start.to_bits(),
            0,
            stop.limit as u64,
            stop.patience as u64,
            0,
            0,
            self.ring.address(),
            self.pinned.address(),
            RING as u64 - 1,
        ];
        let first = self.next * STATE;
        self.next = (self.next + 1) % STAGED;
        state.iter().enumerate().for_each(|(i, &word)| self.staged.write(first + i, word));
        self.state.upload_pinned(&self.staged, first, STATE);
        Ok(())
    }

    /// The address of the state, for kernel arguments.
    pub fn state(&self) -> u64 {
        self.state.address()
    }

    /// What became of iteration `i`, counted from 0, if it is known; the entry is then free for iteration i + RING.
    pub fn take(&self, i: usize) -> Option<Told> {
        let told = decode(self.pinned.read(i % RING));
        if told.is_some() {
            self.pinned.write(i % RING, EMPTY);
        }
        told
    }
}

fn decode(word: u64) -> Option<Told> {
    match word {
        EMPTY => None,
        _ if word & FAILURE == FAILURE && word & !FAILURE < OUTCOMES.len() as u64 => {
            Some(Told::Failed(OUTCOMES[(word & !FAILURE) as usize]))
        }
        _ => Some(Told::Norm(f64::from_bits(word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_no_norm_and_a_norm_is_no_failure() {
        for (i, outcome) in OUTCOMES.into_iter().enumerate() {
            assert_eq!(code(outcome), i);
            assert_eq!(decode(FAILURE | i as u64), Some(Told::Failed(outcome)));
        }
        assert_eq!(decode(EMPTY), None);
        assert_eq!(decode(0), Some(Told::Norm(0.0)));
        assert_eq!(decode(f64::NEG_INFINITY.to_bits()), Some(Told::Norm(f64::NEG_INFINITY)));
        // The NaNs that the GPU's own arithmetic makes.
        for nan in [0x7fff_ffff_ffff_ffff, 0x7fff_ffff_e000_0000, f64::NAN.to_bits()] {
            assert!(matches!(decode(nan), Some(Told::Norm(norm)) if norm.is_nan()));
        }
    }
}
