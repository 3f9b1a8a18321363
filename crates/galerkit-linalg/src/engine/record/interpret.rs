//! The recorded engine with a plain interpreter: each line of the program is one call of the backend, so the bits are
//! those of the immediate engine on the same backend.

use super::fuse::{Facts, Step, fuse};
use super::inspect::{flatten, has_turn};
use super::program::{Arithmetic, Line, MapId, Program, Slot, VectorId};
use super::tape::{self, SlotRegister, Symbol};
use crate::backend::Backend;
use crate::engine::{Engine, Test};
use crate::krylov::{Monitor, Outcome, Run, Stop};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::sync::Arc;

/// Records programs and interprets them on a backend.
pub struct Recorded<S: Scalar, B: Backend<S>> {
    backend: B,
    maps: Vec<B::Map>,
    vectors: Vec<Vec<S>>,
    slots: Vec<S>,
    last: Program,
}

impl<S: Scalar, B: Backend<S>> Recorded<S, B> {
    /// An engine over a backend.
    pub fn new(backend: B) -> Self {
        tape::take();
        Self { backend, maps: Vec::new(), vectors: Vec::new(), slots: Vec::new(), last: Program::default() }
    }

    /// The program of the last loop: what one iteration does.
    pub fn program(&self) -> &Program {
        &self.last
    }

    /// What was recorded since the last call, with room for the slots it uses.
    fn flush(&mut self) -> Vec<Line> {
        self.slots.resize(tape::slots(), S::zero());
        tape::take()
    }

    /// The steps of one iteration, fused if the backend does.
    fn plan(&self, lines: &[Line], iteration: usize) -> Vec<Step> {
        let flat = flatten(lines, iteration);
        if !self.backend.fuses() {
            return flat.into_iter().map(Step::Line).collect();
        }
        let role = |A: MapId| self.backend.role(&self.maps[A.0]);
        let length = |x: VectorId| self.vectors[x.0].len();
        fuse(flat, &Facts { role: &role, length: &length })
    }

    /// Executes steps in order; the outcome of a failed test ends them.
    fn run(&mut self, steps: &[Step]) -> Option<Outcome> {
        for step in steps {
            match step {
                Step::Group(group) => self.backend.run_group(group, &self.maps, &mut self.vectors, &mut self.slots),
                Step::Line(Line::Constant { value, out }) => self.slots[out.0] = S::from_f64(*value),
                Step::Line(Line::Scalar { op, a, b, out }) => {
                    self.slots[out.0] = evaluate(*op, self.slots[a.0], self.slots[b.0]);
                }
                Step::Line(Line::Move { from, to }) => self.slots[to.0] = self.slots[from.0],
                Step::Line(Line::Require { test, otherwise }) => {
                    if !test.with(self.slots[test.number().0]).holds() {
                        return Some(*otherwise);
                    }
                }
                Step::Line(line) => self.run_vector_line(line),
            }
        }
        None
    }

    /// Runs what was recorded outside of a loop.
    fn run_pending(&mut self) -> Option<Outcome> {
        let pending = self.flush();
        let steps = self.plan(&pending, 0);
        self.run(&steps)
    }

    fn run_vector_line(&mut self, line: &Line) {
        if let Line::Dot { x, y, out } = *line {
            self.slots[out.0] = self.backend.dot(&self.vectors[x.0], &self.vectors[y.0]);
            return;
        }
        let slot = |s: Slot| self.slots[s.0];
        let target = line.rows_of();
        let mut y = std::mem::take(&mut self.vectors[target.0]);
        let vector = |x: VectorId| &self.vectors[x.0][..];
        match *line {
            Line::Apply { A, x, .. } => self.backend.apply(&self.maps[A.0], vector(x), &mut y),
            Line::Residual { A, b, x, .. } => {
                self.backend.residual(&self.maps[A.0], vector(b), vector(x), &mut y);
            }
            Line::Copy { x, .. } => self.backend.copy(vector(x), &mut y),
            Line::Axpby { a, x, b, .. } => self.backend.axpby(slot(a), vector(x), slot(b), &mut y),
            Line::Axpy { a, x, .. } => self.backend.axpy(slot(a), vector(x), &mut y),
            Line::Xpby { x, b, .. } => self.backend.xpby(vector(x), slot(b), &mut y),
            Line::Scale { a, .. } => self.backend.scale(slot(a), &mut y),
            _ => unreachable!("scalar lines are handled by run"),
        }
        self.vectors[target.0] = y;
    }
}

/// The value of a scalar operation.
fn evaluate<S: Scalar>(op: Arithmetic, a: S, b: S) -> S {
    match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        Arithmetic::Neg => -a,
        Arithmetic::Sqrt => a.square_root(),
        Arithmetic::Conj => a.conj(),
        Arithmetic::Abs => S::from_real(a.modulus()),
    }
}

impl<S: Scalar, B: Backend<S>> Engine for Recorded<S, B> {
    type Scalar = S;
    type Vector = VectorId;
    type Num = Symbol;
    type Reg = SlotRegister;
    type Map = MapId;

    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        self.maps.push(self.backend.load(map));
        MapId(self.maps.len() - 1)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        self.vectors.push(host.to_vec());
        VectorId(self.vectors.len() - 1)
    }
    fn download(&mut self, x: &VectorId) -> Vec<S> {
        self.run_pending();
        self.vectors[x.0].clone()
    }
    fn zeros_like(&mut self, x: &VectorId) -> VectorId {
        let zeros = vec![S::zero(); self.vectors[x.0].len()];
        self.upload(&zeros)
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
        self.slots[number.0.0].parts().0
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
    fn iterate(&mut self, stop: &Stop, start: Symbol, mut body: impl FnMut(&mut Self) -> Symbol) -> Run {
        let mut verdict = self.run_pending();
        let watched = body(self).0;
        let program = Program { lines: self.flush() };
        let usual = self.plan(&program.lines, 0);
        let mut monitor = Monitor::new(stop, self.slots[start.0.0].parts().0);
        verdict = verdict.or_else(|| monitor.verdict());
        let mut iteration = 0;
        while verdict.is_none() {
            verdict = if has_turn(&program.lines, iteration) {
                self.run(&self.plan(&program.lines, iteration))
            } else {
                self.run(&usual)
            };
            if verdict.is_none() {
                verdict = monitor.observe(self.slots[watched.0].parts().0);
            }
            iteration += 1;
        }
        self.last = program;
        monitor.finish(verdict)
    }
}
