//! The engine that records: every verb becomes a line of a program, which an [`Executor`] runs.

use super::executor::{Executor, Loop};
use super::interpret::Interpreter;
use super::program::{Line, MapId, Program, Slot, VectorId};
use super::tape::{self, SlotRegister, Symbol};
use crate::backend::Backend;
use crate::engine::{Engine, Test};
use crate::krylov::{Outcome, Run, Stop};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::marker::PhantomData;
use std::sync::Arc;

/// Records programs and has them executed.
pub struct Recorded<S: Scalar, X: Executor<S>> {
    executor: X,
    last: Program,
    watched: Option<Slot>,
    scalar: PhantomData<S>,
}

impl<S: Scalar, B: Backend<S>> Recorded<S, Interpreter<S, B>> {
    /// An engine that interprets its programs on a backend.
    pub fn new(backend: B) -> Self {
        Self::over(Interpreter::new(backend))
    }
}

impl<S: Scalar, X: Executor<S>> Recorded<S, X> {
    /// An engine over an executor.
    pub fn over(executor: X) -> Self {
        tape::take();
        Self { executor, last: Program::default(), watched: None, scalar: PhantomData }
    }

    /// The program of the last loop: what one iteration does.
    pub fn program(&self) -> &Program {
        &self.last
    }

    /// The number that the monitor of the last loop watched.
    pub fn watched(&self) -> Option<Slot> {
        self.watched
    }

    /// What runs the programs.
    pub fn executor(&self) -> &X {
        &self.executor
    }
    /// What runs the programs, to be told more than an engine can say.
    pub fn executor_mut(&mut self) -> &mut X {
        &mut self.executor
    }

    /// Runs what was recorded outside of a loop.
    fn run_pending(&mut self) -> Option<Outcome> {
        let lines = tape::take();
        if lines.is_empty() { None } else { self.executor.run(&Program { lines }, tape::slots()) }
    }
}

impl<S: Scalar, X: Executor<S>> Engine for Recorded<S, X> {
    type Scalar = S;
    type Vector = VectorId;
    type Num = Symbol;
    type Reg = SlotRegister;
    type Map = MapId;

    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        self.executor.load(map)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        self.executor.upload(host)
    }
    fn download(&mut self, x: &VectorId) -> Vec<S> {
        self.run_pending();
        self.executor.download(*x)
    }
    fn zeros_like(&mut self, x: &VectorId) -> VectorId {
        self.executor.zeros_like(*x)
    }

    fn apply_map(&mut self, A: &MapId, x: &VectorId, y: &mut VectorId) {
        tape::push(Line::Apply { A: *A, x: *x, y: *y });
    }
    fn residual_map(&mut self, A: &MapId, b: &VectorId, x: &VectorId, r: &mut VectorId) {
        tape::push(Line::Residual { A: *A, b: *b, x: *x, r: *r });
    }
    fn copy(&mut self, x: &VectorId, y: &mut VectorId) {
        tape::push(Line::Copy { x: *x, y: *y });
    }
    fn axpby(&mut self, a: Symbol, x: &VectorId, b: Symbol, y: &mut VectorId) {
        tape::push(Line::Axpby { a: a.0, x: *x, b: b.0, y: *y });
    }
    fn axpy(&mut self, a: Symbol, x: &VectorId, y: &mut VectorId) {
        tape::push(Line::Axpy { a: a.0, x: *x, y: *y });
    }
    fn xpby(&mut self, x: &VectorId, b: Symbol, y: &mut VectorId) {
        tape::push(Line::Xpby { x: *x, b: b.0, y: *y });
    }
    fn scale(&mut self, a: Symbol, y: &mut VectorId) {
        tape::push(Line::Scale { a: a.0, y: *y });
    }
    fn dot(&mut self, x: &VectorId, y: &VectorId) -> Symbol {
        tape::emit(|out| Line::Dot { x: *x, y: *y, out })
    }

    fn value(&mut self, number: Symbol) -> f64 {
        self.run_pending();
        self.executor.number(number.0).parts().0
    }
    fn number(&mut self, value: f64) -> Symbol {
        tape::emit(|out| Line::Constant { value, out })
    }
    fn carry(&mut self, start: Symbol) -> SlotRegister {
        SlotRegister(tape::emit(|to| Line::Move { from: start.0, to }).0)
    }
    fn require(&mut self, test: Test<Symbol>, otherwise: Outcome) {
        tape::push(Line::Require { test: test.with(test.number().0), otherwise });
    }
    fn every(&mut self, period: usize, body: impl FnOnce(&mut Self)) {
        let before = tape::take();
        body(self);
        let body = tape::take();
        before.into_iter().for_each(tape::push);
        if period > 0 {
            tape::push(Line::Every { period, body });
        }
    }
    fn turns(&mut self, period: usize, mut body: impl FnMut(&mut Self, usize)) {
        let before = tape::take();
        let record = |place| {
            body(self, place);
            tape::take()
        };
        let bodies = (0..period).map(record).collect();
        before.into_iter().for_each(tape::push);
        tape::push(Line::Turns { bodies });
    }
    fn iterate(&mut self, stop: &Stop, start: Symbol, mut body: impl FnMut(&mut Self) -> Symbol) -> Run {
        let before = self.run_pending();
        let watched = body(self).0;
        let program = Program { lines: tape::take() };
        let run = self.executor.iterate(&program, tape::slots(), &Loop { before, start: start.0, watched, stop });
        (self.last, self.watched) = (program, Some(watched));
        run
    }
}
