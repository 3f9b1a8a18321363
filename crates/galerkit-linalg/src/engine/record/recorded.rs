//! The engine that records: every verb becomes a line of a program, which an [`Executor`] runs.

use super::executor::{Executor, Loop};
use super::interpret::Interpreter;
use super::program::{Line, MapId, Program, Slot, Until, VectorId};
use super::tape::{self, SlotRegister, Symbol};
use super::zeroed::without_needless_zeros;
use crate::backend::Backend;
use crate::engine::{Engine, Nested, Test};
use crate::krylov::{Outcome, Run, Stop};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// Records programs and has them executed.
pub struct Recorded<S: Scalar, X: Executor<S>> {
    executor: X,
    last: Program,
    watched: Option<Slot>,
    /// Whether the body of a loop is being recorded.
    inside: bool,
    /// Whether what is being recorded runs in some iterations only.
    conditional: bool,
    last_loop: Told,
    /// A vector of zeros for each vector that others were made like inside of a loop, in its precision or in single.
    zeros: HashMap<(VectorId, Precision), VectorId>,
    _tape: tape::Part,
    scalar: PhantomData<S>,
}

/// How the last loop has ended, and who knows.
#[derive(Clone, Copy)]
enum Told {
    /// A loop of the host's own.
    Host(Nested<f64>),
    /// A loop inside of what is being recorded.
    Inside(Nested<Symbol>),
}

/// Of a vector like another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Precision {
    Same,
    Single,
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
        Self {
            executor,
            last: Program::default(),
            watched: None,
            inside: false,
            conditional: false,
            last_loop: Told::Host(Nested { count: 0.0, ended: 0.0 }),
            zeros: HashMap::new(),
            _tape: tape::Part::new(),
            scalar: PhantomData,
        }
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

    /// Records lines that are not for the place where they are spoken.
    fn aside<T>(&mut self, record: impl FnOnce(&mut Self) -> T) -> (T, Vec<Line>) {
        let before = tape::take();
        let made = record(self);
        let lines = tape::take();
        before.into_iter().for_each(tape::push);
        (made, lines)
    }

    /// A loop inside of the one that is being recorded.
    fn repeat(&mut self, stop: &Stop, start: Symbol, body: impl FnOnce(&mut Self) -> Symbol) {
        let [count, ended] = [(); 2].map(|()| tape::emit(|out| Line::Constant { value: 0.0, out }));
        let around = std::mem::take(&mut self.conditional);
        let (watched, body) = self.aside(body);
        self.conditional = around;
        let Stop { rtol, atol, limit, .. } = *stop;
        let (start, watched) = (start.0, watched.0);
        tape::push(Line::Repeat {
            until: Until { start, watched, rtol, atol, limit, count: count.0, ended: ended.0 },
            body,
        });
        self.last_loop = Told::Inside(Nested { count, ended });
    }

    /// Records lines that run in some iterations only.
    fn conditionally<T>(&mut self, record: impl FnOnce(&mut Self) -> T) -> (T, Vec<Line>) {
        let around = std::mem::replace(&mut self.conditional, true);
        let made = self.aside(record);
        self.conditional = around;
        made
    }

    /// What has its turn now and then is found by the iteration alone, which a condition around it would hide.
    fn require_unconditional(&self) {
        assert!(
            !self.conditional,
            "`every` and `turns` stand directly in the body of a loop, not in each other or in `unless`"
        );
    }

    fn vector(&mut self, x: VectorId, precision: Precision) -> VectorId {
        match precision {
            Precision::Same => self.executor.zeros_like(x),
            Precision::Single => self.executor.lower_like(x),
        }
    }

    /// A vector that is zero wherever this is recorded: inside of a loop, in each iteration anew.
    fn zero_vector(&mut self, x: VectorId, precision: Precision) -> VectorId {
        let y = self.vector(x, precision);
        if self.inside {
            self.executor.confine(y);
            let zero = match self.zeros.get(&(x, precision)) {
                Some(&zero) => zero,
                None => self.vector(x, precision),
            };
            self.zeros.insert((x, precision), zero);
            tape::push(Line::Copy { x: zero, y });
        }
        y
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
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> MapId {
        self.executor.load_lower(map)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        self.executor.upload(host)
    }
    fn upload_like(&mut self, host: &[S], like: &VectorId) -> VectorId {
        self.executor.upload_like(host, *like)
    }
    fn download(&mut self, x: &VectorId) -> Vec<S> {
        self.run_pending();
        self.executor.download(*x)
    }
    fn length(&self, x: &VectorId) -> usize {
        self.executor.length_of(*x)
    }
    fn zeros_like(&mut self, x: &VectorId) -> VectorId {
        self.zero_vector(*x, Precision::Same)
    }
    fn lower_like(&mut self, x: &VectorId) -> VectorId {
        self.zero_vector(*x, Precision::Single)
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
    fn largest(&mut self, x: &VectorId) -> Symbol {
        tape::emit(|out| Line::Largest { x: *x, out })
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
        self.require_unconditional();
        let ((), body) = self.conditionally(body);
        if period > 0 {
            tape::push(Line::Every { period, body });
        }
    }
    fn turns(&mut self, period: usize, mut body: impl FnMut(&mut Self, usize)) {
        self.require_unconditional();
        let bodies = (0..period).map(|place| self.conditionally(|e| body(e, place)).1).collect();
        tape::push(Line::Turns { bodies });
    }
    fn unless(&mut self, test: Test<Symbol>, body: impl FnOnce(&mut Self)) {
        // A copy, so that nothing in the body changes the number under test: kernels look at it one after the other.
        let from = test.number().0;
        let copy = tape::emit(|to| Line::Move { from, to }).0;
        let ((), body) = self.conditionally(body);
        tape::push(Line::Unless { test: test.with(copy), body });
    }
    fn nested(&mut self) -> Nested<Symbol> {
        match self.last_loop {
            Told::Inside(nested) => nested,
            Told::Host(nested) => nested.map(|value| self.number(value)),
        }
    }
    fn iterate(&mut self, stop: &Stop, start: Symbol, mut body: impl FnMut(&mut Self) -> Symbol) -> Run {
        if self.inside {
            self.repeat(stop, start, body);
            return Run::inside();
        }
        let before = self.run_pending();
        self.inside = true;
        let watched = body(self).0;
        self.inside = false;
        let is_zero = |x: VectorId| self.zeros.values().any(|&zero| zero == x);
        let program = Program { lines: without_needless_zeros(tape::take(), &is_zero) };
        let run = self.executor.iterate(&program, tape::slots(), &Loop { before, start: start.0, watched, stop });
        (self.last, self.watched, self.last_loop) = (program, Some(watched), Told::Host(Nested::of(&run)));
        run
    }
}
