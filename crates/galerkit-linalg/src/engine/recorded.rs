//! The engine that records: every verb becomes an instruction of a program, which an [`Executor`] compiles and runs.
//!
//! Spoken outside of [`compile`](Recorded::compile), a program runs when something asks for its result, and is
//! forgotten. What is spoken inside becomes a [`Routine`], which can be run again and again.

use super::entry::{self, EntrySymbol};
use super::executor::{Code, Executor};
use super::held::{Bin, Held, Remembered};
use super::interpret::Interpreter;
use super::tape::{self, SlotRegister, Symbol};
use super::{Engine, Resident};
use crate::backend::Backend;
use crate::map::LinearMap;
use crate::program::{Instruction, MapId, Nested, Outcome, Precision, Program, Run, Scope, Slot, Stop, Test, Vector};
use crate::scalar::Scalar;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

mod loops;
mod names;
mod recording;
mod routines;

use recording::Recording;

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
    /// A vector of zeros for each kind that was asked for inside a loop.
    zeros: HashMap<(usize, Precision), Held<Vector>>,
    /// What becomes a routine, while one is being recorded.
    routine: Option<Recording>,
    dropped: Dropped,
    /// Who may still hold a name, by id: maps that are in use keep their values, routines what they mention.
    vectors: HashMap<usize, Remembered<Vector>>,
    maps: HashMap<(usize, Precision), Remembered<MapId>>,
    tape: tape::Part,
    scalar: PhantomData<S>,
}

/// Names that nobody holds any more.
#[derive(Default)]
struct Dropped {
    vectors: Bin<Vector>,
    maps: Bin<MapId>,
    codes: Bin<Code>,
}

/// How the last loop has ended, and who knows.
#[derive(Clone, Copy)]
enum Told {
    /// A loop of the host's own.
    Host(Nested<f64>),
    /// A nested loop, or one of a routine.
    Recorded(Nested<Symbol>),
}

impl<S: Scalar> Recorded<S, Box<dyn Executor<S> + Send>> {
    /// An engine that interprets its programs on a backend. Methods that are recorded for it are compiled once,
    /// whatever that is.
    pub fn new(backend: impl Backend<S>) -> Self {
        Self::over(Box::new(Interpreter::new(backend)))
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
            routine: None,
            dropped: Dropped::default(),
            vectors: HashMap::new(),
            maps: HashMap::new(),
            tape: tape::Part::new(),
            scalar: PhantomData,
        }
    }

    /// The program of the last loop: what one iteration does.
    pub fn program(&self) -> &Program {
        &self.last
    }

    /// The scalar that the monitor of the last loop watched.
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

    /// Holds a map that the executor has loaded by itself.
    pub fn adopt(&mut self, A: MapId) -> Resident<Self> {
        Resident { map: self.hold_map(A), values: self.hold(A.values), elementwise: false }
    }

    /// Frees what nobody holds, if no instruction that has not run mentions it.
    fn sweep(&mut self) {
        self.tape.activate();
        if self.inside || self.conditional || self.routine.is_some() || !tape::is_empty() {
            return;
        }
        for code in self.dropped.codes.take() {
            self.executor.discard(code);
        }
        for A in self.dropped.maps.take() {
            self.maps.remove(&(A.id, A.values.precision));
            self.executor.unload(A);
        }
        for x in self.dropped.vectors.take() {
            self.vectors.remove(&x.id);
            self.executor.free(x);
        }
    }

    /// Records instructions that are not for the place where they are spoken.
    fn aside(&mut self, record: &mut dyn FnMut(&mut Self)) -> Vec<Instruction> {
        self.tape.activate();
        let before = tape::take();
        record(self);
        self.tape.activate();
        let instructions = tape::take();
        before.into_iter().for_each(tape::push);
        instructions
    }

    /// Records instructions that run in some iterations only.
    fn conditionally(&mut self, record: &mut dyn FnMut(&mut Self)) -> Vec<Instruction> {
        let around = std::mem::replace(&mut self.conditional, true);
        let instructions = self.aside(record);
        self.conditional = around;
        instructions
    }

    /// What has its turn now and then is found by the iteration alone, which a condition around it would hide.
    fn require_unconditional(&self) {
        assert!(
            !self.conditional,
            "`every` and `cyclic` stand directly in the body of a loop, not in each other or in `unless`"
        );
    }

    /// Runs what was recorded outside of a loop.
    fn run_pending(&mut self) -> Option<Outcome> {
        self.tape.activate();
        let instructions = tape::take();
        if instructions.is_empty() {
            self.sweep();
            return None;
        }
        let code = self.executor.compile(&Program { instructions }, None);
        let outcome = self.executor.run(code);
        self.executor.discard(code);
        self.sweep();
        outcome
    }

    fn speak(&mut self, instruction: Instruction) {
        self.tape.activate();
        tape::push(instruction);
    }
    fn emit(&mut self, instruction: impl FnOnce(Slot) -> Instruction) -> Symbol {
        self.tape.activate();
        tape::emit(instruction)
    }
}

/// A loaded map as programs name it.
fn named<S: Scalar, X: Executor<S>>(A: &Resident<Recorded<S, X>>) -> MapId {
    MapId { id: A.map.name().id, values: A.values.name() }
}

impl<S: Scalar, X: Executor<S>> Engine for Recorded<S, X> {
    type Scalar = S;
    type Vector = Held<Vector>;
    type Num = Symbol;
    type Reg = SlotRegister;
    type Map = Held<MapId>;
    type Entry = EntrySymbol;

    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> Resident<Self> {
        self.sweep();
        let elementwise = map.is_elementwise();
        let A = self.executor.load(map);
        Resident { map: self.hold_map(A), values: self.hold(A.values), elementwise }
    }
    fn zeros(&mut self, length: usize, precision: Precision) -> Held<Vector> {
        self.sweep();
        let scope = if self.inside { Scope::LoopLocal } else { Scope::Shared };
        let y = self.executor.zeros(length, precision, scope);
        // What is run again finds what the last run has left.
        if self.inside || self.routine.is_some() {
            let x = self.zero(length, precision);
            self.speak(Instruction::Copy { x, y });
        }
        self.hold(y)
    }
    fn upload_in(&mut self, host: &[S], precision: Precision) -> Held<Vector> {
        self.sweep();
        let x = self.executor.upload(host, precision);
        self.hold(x)
    }
    fn write(&mut self, x: &mut Held<Vector>, host: &[S]) {
        self.run_pending();
        self.executor.write(x.name(), host);
    }
    fn download(&mut self, x: &Held<Vector>) -> Vec<S> {
        self.run_pending();
        self.executor.download(x.name())
    }
    fn length(&self, x: &Held<Vector>) -> usize {
        x.name().length
    }
    fn precision(&self, x: &Held<Vector>) -> Precision {
        x.name().precision
    }

    fn apply_map(&mut self, A: &Resident<Self>, x: &Held<Vector>, y: &mut Held<Vector>) {
        self.speak(Instruction::Apply { A: named(A), x: x.name(), y: y.name() });
    }
    fn residual_map(&mut self, A: &Resident<Self>, b: &Held<Vector>, x: &Held<Vector>, r: &mut Held<Vector>) {
        if self.executor.has_residual(named(A)) {
            return self.speak(Instruction::Residual { A: named(A), b: b.name(), x: x.name(), r: r.name() });
        }
        let [one, minus] = [1.0, -1.0].map(|value| self.number(value));
        self.apply_map(A, x, r);
        self.axpby(one, b, minus, r); // r = b - r
    }
    fn copy(&mut self, x: &Held<Vector>, y: &mut Held<Vector>) {
        self.speak(Instruction::Copy { x: x.name(), y: y.name() });
    }
    fn axpby(&mut self, a: Symbol, x: &Held<Vector>, b: Symbol, y: &mut Held<Vector>) {
        self.speak(Instruction::Axpby { a: a.0, x: x.name(), b: b.0, y: y.name() });
    }
    fn axpy(&mut self, a: Symbol, x: &Held<Vector>, y: &mut Held<Vector>) {
        self.speak(Instruction::Axpy { a: a.0, x: x.name(), y: y.name() });
    }
    fn xpby(&mut self, x: &Held<Vector>, b: Symbol, y: &mut Held<Vector>) {
        self.speak(Instruction::Xpby { x: x.name(), b: b.0, y: y.name() });
    }
    fn scale(&mut self, a: Symbol, y: &mut Held<Vector>) {
        self.speak(Instruction::Scale { a: a.0, y: y.name() });
    }
    fn dot(&mut self, x: &Held<Vector>, y: &Held<Vector>) -> Symbol {
        self.emit(|out| Instruction::Dot { x: x.name(), y: y.name(), out })
    }
    fn norm_inf(&mut self, x: &Held<Vector>) -> Symbol {
        self.emit(|out| Instruction::NormInf { x: x.name(), out })
    }
    fn pointwise<const U: usize, const R: usize>(
        &mut self,
        update: [&mut Held<Vector>; U],
        read: [&Held<Vector>; R],
        f: impl Fn([EntrySymbol; U], [EntrySymbol; R]) -> [EntrySymbol; U] + Sync,
    ) {
        let tape = Arc::new(entry::record(f));
        let update = update.iter().map(|y| y.name()).collect();
        let read = read.iter().map(|x| x.name()).collect();
        self.speak(Instruction::Pointwise { update, read, tape });
    }

    fn value(&mut self, number: Symbol) -> f64 {
        self.run_pending();
        self.executor.number(number.0).parts().0
    }
    fn number(&mut self, value: f64) -> Symbol {
        self.emit(|out| Instruction::Constant { value, out })
    }
    fn carry(&mut self, start: Symbol) -> SlotRegister {
        SlotRegister(self.emit(|to| Instruction::Move { from: start.0, to }))
    }
    fn require(&mut self, test: Test<Symbol>, otherwise: Outcome) {
        self.speak(Instruction::Require { test: test.with(test.number().0), otherwise });
    }
    fn every(&mut self, period: usize, body: impl FnOnce(&mut Self)) {
        self.require_unconditional();
        let body = self.conditionally(&mut once(body));
        if period > 0 {
            tape::push(Instruction::Every { period, body });
        }
    }
    fn cyclic(&mut self, period: usize, mut body: impl FnMut(&mut Self, usize)) {
        self.require_unconditional();
        let bodies = (0..period).map(|position| self.conditionally(&mut |e| body(e, position))).collect();
        tape::push(Instruction::Cyclic { bodies });
    }
    fn unless(&mut self, test: Test<Symbol>, body: impl FnOnce(&mut Self)) {
        // A copy, so that nothing in the body changes the scalar under test: kernels look at it one after the other.
        let from = test.number().0;
        let copy = self.emit(|to| Instruction::Move { from, to }).0;
        let body = self.conditionally(&mut once(body));
        tape::push(Instruction::Unless { test: test.with(copy), body });
    }
    fn nest<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.inside;
        self.inside |= self.routine.is_some();
        let made = body(self);
        self.inside = around;
        made
    }
    fn nested(&mut self) -> Nested<Symbol> {
        match self.last_loop {
            Told::Recorded(nested) => nested,
            Told::Host(nested) => nested.map(|value| self.number(value)),
        }
    }
    fn iterate(&mut self, stop: &Stop, start: Symbol, mut body: impl FnMut(&mut Self) -> Symbol) -> Run {
        self.run_loop(stop, start, &mut body)
    }
}

/// What runs at most once, as something that could be called again: closures behind one type, so that what records them
/// is compiled once.
fn once<E>(body: impl FnOnce(&mut E)) -> impl FnMut(&mut E) {
    let mut body = Some(body);
    move |e| {
        if let Some(body) = body.take() {
            body(e);
        }
    }
}

impl<S: Scalar, X: Executor<S>> Drop for Recorded<S, X> {
    /// An executor that outlives the engine keeps nothing of it but what others hold.
    fn drop(&mut self) {
        self.zeros.clear();
        if tape::Part::has_ended() {
            return;
        }
        self.tape.activate();
        drop(tape::take());
        self.sweep();
    }
}
