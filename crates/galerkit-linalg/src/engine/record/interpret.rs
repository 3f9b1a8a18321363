//! The plain interpreter: each line of the program, or each fused group, is one call of the backend, so the bits are
//! those of the immediate engine on the same backend.

use super::executor::{Executor, Loop};
use super::fuse::{Facts, Step, fuse};
use super::inspect::{flatten, way};
use super::program::{Arithmetic, Line, MapId, Program, Slot, VectorId};
use crate::backend::Backend;
use crate::engine::Number;
use crate::krylov::{Monitor, Outcome, Run};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::collections::HashMap;
use std::sync::Arc;

/// Interprets programs on a backend.
pub struct Interpreter<S: Scalar, B: Backend<S>> {
    backend: B,
    maps: Vec<B::Map>,
    vectors: Vec<Vec<S>>,
    slots: Vec<S>,
}

impl<S: Scalar, B: Backend<S>> Interpreter<S, B> {
    /// An interpreter over a backend.
    pub fn new(backend: B) -> Self {
        Self { backend, maps: Vec::new(), vectors: Vec::new(), slots: Vec::new() }
    }

    /// Entries of a vector.
    pub fn length(&self, x: VectorId) -> usize {
        self.vectors[x.0].len()
    }

    /// The steps of one iteration, counted from 0, fused if the backend does.
    pub fn plan(&self, lines: &[Line], iteration: usize) -> Vec<Step> {
        let flat = flatten(lines, iteration);
        if !self.backend.fuses() {
            return flat.into_iter().map(Step::Line).collect();
        }
        let role = |A: MapId| self.backend.role(&self.maps[A.0]);
        let length = |x: VectorId| self.vectors[x.0].len();
        fuse(flat, &Facts { role: &role, length: &length })
    }

    /// Executes steps in order; the outcome of a failed test ends them.
    fn run_steps(&mut self, steps: &[Step]) -> Option<Outcome> {
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
        Arithmetic::Over => a.over(b),
    }
}

impl<S: Scalar, B: Backend<S>> Executor<S> for Interpreter<S, B> {
    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        self.maps.push(self.backend.load(map));
        MapId(self.maps.len() - 1)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        self.vectors.push(host.to_vec());
        VectorId(self.vectors.len() - 1)
    }
    fn zeros_like(&mut self, x: VectorId) -> VectorId {
        self.vectors.push(vec![S::zero(); self.vectors[x.0].len()]);
        VectorId(self.vectors.len() - 1)
    }
    fn download(&mut self, x: VectorId) -> Vec<S> {
        self.vectors[x.0].clone()
    }
    fn number(&mut self, slot: Slot) -> S {
        self.slots[slot.0]
    }

    fn run(&mut self, program: &Program, slots: usize) -> Option<Outcome> {
        self.slots.resize(slots, S::zero());
        let steps = self.plan(&program.lines, 0);
        self.run_steps(&steps)
    }

    fn iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Run {
        self.slots.resize(slots, S::zero());
        let mut plans: HashMap<usize, Vec<Step>> = HashMap::new();
        let mut monitor = Monitor::new(repeat.stop, self.slots[repeat.start.0].parts().0);
        let mut verdict = repeat.before.or_else(|| monitor.verdict());
        let mut iteration = 0;
        while verdict.is_none() {
            let way = way(&body.lines, iteration);
            let steps = plans.remove(&way).unwrap_or_else(|| self.plan(&body.lines, iteration));
            verdict = self.run_steps(&steps);
            plans.insert(way, steps);
            if verdict.is_none() {
                verdict = monitor.observe(self.slots[repeat.watched.0].parts().0);
            }
            iteration += 1;
        }
        monitor.finish(verdict)
    }
}
