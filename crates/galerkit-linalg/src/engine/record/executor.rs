//! What runs recorded programs: the interpreter over a CPU backend, or fused kernels on a GPU. It owns the vectors, the
//! maps and the slots that the lines name.

use super::program::{MapId, Program, Slot, VectorId};
use crate::krylov::{Outcome, Run, Stop};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::sync::Arc;

/// A loop to run.
pub struct Loop<'a> {
    /// How a test before the loop has failed, if one has.
    pub before: Option<Outcome>,
    /// The watched norm before the first iteration.
    pub start: Slot,
    /// The watched norm after each iteration.
    pub watched: Slot,
    /// When to end.
    pub stop: &'a Stop,
}

/// Runs programs.
pub trait Executor<S: Scalar> {
    /// Makes a linear map usable.
    fn load(&mut self, map: Arc<Linear<S>>) -> MapId;
    /// Makes a linear map in single precision usable.
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> MapId;
    /// A vector with the given entries.
    fn upload(&mut self, host: &[S]) -> VectorId;
    /// A vector with the given entries, in the precision of another one.
    fn upload_like(&mut self, host: &[S], like: VectorId) -> VectorId;
    /// Entries of a vector.
    fn length_of(&self, x: VectorId) -> usize;
    /// A zero vector as long as another, in the same precision.
    fn zeros_like(&mut self, x: VectorId) -> VectorId;
    /// A zero vector as long as another, in single precision.
    fn lower_like(&mut self, x: VectorId) -> VectorId;
    /// Nobody reads this vector outside of the loop that is recorded next.
    fn confine(&mut self, _x: VectorId) {}
    /// The entries of a vector; waits for everything before it.
    fn download(&mut self, x: VectorId) -> Vec<S>;
    /// The number in a slot; waits for everything before it.
    fn number(&mut self, slot: Slot) -> S;
    /// Runs lines once; `slots` is how many slots exist. The outcome of a failed test ends them.
    fn run(&mut self, program: &Program, slots: usize) -> Option<Outcome>;
    /// Repeats lines until the monitor is content or a test fails.
    fn iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Run;
}

/// An executor that is decided on at run time: solvers recorded for it are compiled once, not once for each executor.
impl<S: Scalar> Executor<S> for &mut dyn Executor<S> {
    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        (**self).load(map)
    }
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> MapId {
        (**self).load_lower(map)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        (**self).upload(host)
    }
    fn upload_like(&mut self, host: &[S], like: VectorId) -> VectorId {
        (**self).upload_like(host, like)
    }
    fn length_of(&self, x: VectorId) -> usize {
        (**self).length_of(x)
    }
    fn zeros_like(&mut self, x: VectorId) -> VectorId {
        (**self).zeros_like(x)
    }
    fn lower_like(&mut self, x: VectorId) -> VectorId {
        (**self).lower_like(x)
    }
    fn confine(&mut self, x: VectorId) {
        (**self).confine(x);
    }
    fn download(&mut self, x: VectorId) -> Vec<S> {
        (**self).download(x)
    }
    fn number(&mut self, slot: Slot) -> S {
        (**self).number(slot)
    }
    fn run(&mut self, program: &Program, slots: usize) -> Option<Outcome> {
        (**self).run(program, slots)
    }
    fn iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Run {
        (**self).iterate(body, slots, repeat)
    }
}
