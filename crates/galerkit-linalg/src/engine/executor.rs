//! What runs recorded programs: the interpreter over a CPU backend, or fused kernels on a GPU. It owns the vectors, the
//! maps and the slots that instructions name. A program is compiled once, to a [`Code`], and run as often as one likes;
//! a second run records, hashes, allocates and compiles nothing.

use super::viewer::Viewer;
use crate::map::LinearMap;
use crate::program::{MapId, Outcome, Precision, Program, Run, Scope, Slot, Stop, Vector};
use crate::scalar::Scalar;
use std::any::Any;
use std::ops::DerefMut;

/// A loop to run.
pub struct Loop<'a> {
    /// How a test before the loop has failed, if one has.
    pub before: Option<Outcome>,
    /// Instructions to run first, with which it was [framed](Executor::compile_framed).
    pub first: Option<Code>,
    /// The watched norm before the first iteration.
    pub start: Slot,
    /// When to end.
    pub stop: &'a Stop,
    /// Instructions that follow. An executor may start them before it knows that the loop has ended, and again when it
    /// has: they must be [repeatable](crate::program::inspect::is_repeatable).
    pub after: Option<Code>,
}

/// Names a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub usize);

/// What an executor has done so far; for tests that say what it must not do again, and for accounts of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Programs that were compiled to a [`Code`].
    pub programs: usize,
    /// Programs that were looked up in, or written into, a cache of generated source.
    pub hashed: usize,
    /// Kernel modules that a compiler was asked for.
    pub compiled: usize,
    /// Allocations of vectors, maps and scratch memory.
    pub allocations: usize,
    /// Vectors that exist.
    pub vectors: usize,
    /// Maps that exist.
    pub maps: usize,
    /// Codes that exist.
    pub codes: usize,
}

/// Runs programs.
pub trait Executor<S: Scalar> {
    /// Makes a linear map usable; its values become a vector.
    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> MapId;
    /// Forgets a map; its values are a vector of their own.
    fn unload(&mut self, A: MapId);
    /// A zero vector.
    fn zeros(&mut self, length: usize, precision: Precision, scope: Scope) -> Vector;
    /// A vector with these entries, rounded if it is to be in single precision.
    fn upload(&mut self, host: &[S], precision: Precision) -> Vector;
    /// Frees a vector.
    fn free(&mut self, x: Vector);
    /// Replaces the entries of a vector, rounding where it is in single precision.
    fn write(&mut self, x: Vector, host: &[S]);
    /// The entries of a vector; waits for everything before it.
    fn download(&mut self, x: Vector) -> Vec<S>;
    /// The scalar in a slot; waits for everything before it.
    fn number(&mut self, slot: Slot) -> S;
    /// Compiles instructions that run once each time they are run, or, with the watched slot of a loop, its body.
    fn compile(&mut self, program: &Program, watched: Option<Slot>) -> Code;
    /// Compiles the body of a loop, for an executor that may run what stands before and behind it together with it. It
    /// can be run without what stands before it, too: see [`Loop::first`].
    fn compile_framed(&mut self, body: &Program, watched: Slot, _frame: [&Program; 2]) -> Code {
        self.compile(body, Some(watched))
    }
    /// Forgets a compiled program.
    fn discard(&mut self, code: Code);
    /// Runs a compiled program once. The outcome of a failed test ends it.
    fn run(&mut self, code: Code) -> Option<Outcome>;
    /// Repeats a compiled body until the monitor is content or a test fails.
    fn iterate(&mut self, code: Code, repeat: &Loop<'_>) -> Run;
    /// Whether b - A x is one pass with this map; otherwise it is recorded as a product and an update.
    fn has_residual(&self, _A: MapId) -> bool {
        true
    }
    /// Who may want to see a vector while loops run; none: nobody.
    fn set_viewer(&mut self, viewer: Option<Viewer<S>>);
    /// What was done so far.
    fn counters(&self) -> Counters;
    /// Itself, for those who know executors by their type.
    fn as_any(&self) -> &dyn Any;
    /// The same, to be told more than the verbs of this trait.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// An executor that is decided on at run time: solvers recorded for it are compiled once, not once for each executor.
impl<S: Scalar, P: DerefMut<Target: Executor<S>>> Executor<S> for P {
    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> MapId {
        (**self).load(map)
    }
    fn unload(&mut self, A: MapId) {
        (**self).unload(A);
    }
    fn zeros(&mut self, length: usize, precision: Precision, scope: Scope) -> Vector {
        (**self).zeros(length, precision, scope)
    }
    fn upload(&mut self, host: &[S], precision: Precision) -> Vector {
        (**self).upload(host, precision)
    }
    fn free(&mut self, x: Vector) {
        (**self).free(x);
    }
    fn write(&mut self, x: Vector, host: &[S]) {
        (**self).write(x, host);
    }
    fn download(&mut self, x: Vector) -> Vec<S> {
        (**self).download(x)
    }
    fn number(&mut self, slot: Slot) -> S {
        (**self).number(slot)
    }
    fn compile(&mut self, program: &Program, watched: Option<Slot>) -> Code {
        (**self).compile(program, watched)
    }
    fn compile_framed(&mut self, body: &Program, watched: Slot, frame: [&Program; 2]) -> Code {
        (**self).compile_framed(body, watched, frame)
    }
    fn discard(&mut self, code: Code) {
        (**self).discard(code);
    }
    fn run(&mut self, code: Code) -> Option<Outcome> {
        (**self).run(code)
    }
    fn iterate(&mut self, code: Code, repeat: &Loop<'_>) -> Run {
        (**self).iterate(code, repeat)
    }
    fn has_residual(&self, A: MapId) -> bool {
        (**self).has_residual(A)
    }
    fn set_viewer(&mut self, viewer: Option<Viewer<S>>) {
        (**self).set_viewer(viewer);
    }
    fn counters(&self) -> Counters {
        (**self).counters()
    }
    fn as_any(&self) -> &dyn Any {
        (**self).as_any()
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        (**self).as_any_mut()
    }
}
