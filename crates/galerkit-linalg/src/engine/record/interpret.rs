//! The plain interpreter: each line of the program, or each fused group, is one call of the backend, so the bits are
//! those of the immediate engine on the same backend.

use super::executor::{Executor, Loop};
use super::fuse::{Facts, Group, Most, Role, Step, fuse};
use super::inspect::{flatten, way};
use super::program::{Arithmetic, Line, MapId, Program, Slot, Until, VectorId};
use super::store::Store;
use crate::backend::Backend;
use crate::engine::Number;
use crate::engine::nested::End;
use crate::krylov::{Monitor, Outcome, Run};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::collections::HashMap;
use std::sync::Arc;

/// Interprets programs on a backend.
pub struct Interpreter<S: Scalar, B: Backend<S>> {
    high: Store<S, B>,
    low: Store<S::Low, B::Lower>,
    /// Which vectors are in single precision.
    is_low: Vec<bool>,
}

/// Names of maps in single precision begin here.
const LOW: usize = 1 << 40;

impl<S: Scalar, B: Backend<S>> Interpreter<S, B> {
    /// An interpreter over a backend.
    pub fn new(backend: B) -> Self {
        let low = Store::new(backend.lower());
        Self { high: Store::new(backend), low, is_low: Vec::new() }
    }

    /// Entries of a vector.
    pub fn length(&self, x: VectorId) -> usize {
        self.high.vectors[x.0].len().max(self.low.vectors[x.0].len())
    }

    /// Whether a vector is in single precision.
    pub fn is_low(&self, x: VectorId) -> bool {
        self.is_low[x.0]
    }

    /// The steps of one iteration, counted from 0, fused if the backend does.
    pub fn plan(&self, lines: &[Line], iteration: usize) -> Vec<Step> {
        let flat = flatten(lines, iteration);
        if !self.high.backend.fuses() {
            return flat.into_iter().map(Step::Line).collect();
        }
        // Lines of different precisions never share a pass: to fusion they seem to work on different numbers of rows.
        let length = |x: VectorId| 2 * self.length(x) + usize::from(self.is_low[x.0]);
        fuse(flat, &Facts { role: &|line| self.role(line), length: &length, most: Most::ANY })
    }

    /// The same steps with the names that maps have in the store of their precision.
    fn steps(&self, lines: &[Line], iteration: usize) -> Vec<Step> {
        let named = |line: &Line| line.with_map(|A| MapId(A.0 % LOW));
        let named_step = |step: &Step| match step {
            Step::Line(line) => Step::Line(named(line)),
            Step::Group(group) => Step::Group(Group { lines: group.lines.iter().map(named).collect() }),
        };
        self.plan(lines, iteration).iter().map(named_step).collect()
    }

    fn role(&self, line: &Line) -> Role {
        match line.map() {
            Some(MapId(A)) if A >= LOW => self.low.backend.role(&self.low.maps[A - LOW]),
            Some(MapId(A)) => self.high.backend.role(&self.high.maps[A]),
            None if self.converts(line) => Role::Alone,
            None => Role::Elementwise,
        }
    }

    fn converts(&self, line: &Line) -> bool {
        matches!(*line, Line::Copy { x, y } if self.is_low[x.0] != self.is_low[y.0])
    }

    /// Whether a line, a dot product or an update, reads a vector in single precision and is not itself.
    fn widens(&self, line: &Line) -> bool {
        matches!(*line, Line::Dot { x, y, .. } | Line::Axpy { x, y, .. } if self.is_low[x.0] && !self.is_low[y.0])
    }

    /// Executes steps in order; the outcome of a failed test ends them.
    fn run_steps(&mut self, steps: &[Step]) -> Option<Outcome> {
        for step in steps {
            match step {
                Step::Group(group) if self.is_low[group.lines[0].rows_of().0] => {
                    self.run_low(&group.lines, |low| low.run_group(group, &[]));
                }
                Step::Group(group) => self.high.run_group(group, &self.low.vectors),
                Step::Line(line) if line.is_vector() => self.run_vector_line(line),
                Step::Line(line) => {
                    if let Some(outcome) = self.run_other_line(line) {
                        return Some(outcome);
                    }
                }
            }
        }
        None
    }

    fn run_vector_line(&mut self, line: &Line) {
        if let Line::Copy { x, y } = *line
            && self.converts(line)
        {
            let (high, low) = (&mut self.high.vectors, &mut self.low.vectors);
            if self.is_low[y.0] {
                low[y.0].iter_mut().zip(&high[x.0]).for_each(|(y, x)| *y = x.lower());
            } else {
                high[y.0].iter_mut().zip(&low[x.0]).for_each(|(y, x)| *y = S::raise(*x));
            }
        } else if self.widens(line) {
            self.run_widening(line);
        } else if self.is_low[line.rows_of().0] {
            self.run_low(std::slice::from_ref(line), |low| low.run_line(line));
        } else {
            self.high.run_line(line);
        }
    }

    /// A line that widens x: as a group of one, which does it block by block, or by a copy of all of x.
    fn run_widening(&mut self, line: &Line) {
        if self.high.backend.fuses() {
            return self.high.run_group(&Group { lines: vec![line.clone()] }, &self.low.vectors);
        }
        let x = line.reads()[0];
        self.high.vectors[x.0] = self.low.vectors[x.0].iter().map(|&value| S::raise(value)).collect();
        self.high.run_line(line);
        self.high.vectors[x.0].clear();
    }

    /// Lines in single precision: their numbers are rounded on the way in and widened on the way out.
    fn run_low(&mut self, lines: &[Line], run: impl FnOnce(&mut Store<S::Low, B::Lower>)) {
        for slot in lines.iter().flat_map(Line::scalar_reads) {
            self.low.slots[slot.0] = self.high.slots[slot.0].lower();
        }
        run(&mut self.low);
        for slot in lines.iter().filter_map(Line::scalar_write) {
            self.high.slots[slot.0] = S::raise(self.low.slots[slot.0]);
        }
    }

    /// A line on numbers, or one with lines of its own.
    fn run_other_line(&mut self, line: &Line) -> Option<Outcome> {
        let slots = &mut self.high.slots;
        match line {
            Line::Constant { value, out } => slots[out.0] = S::from_f64(*value),
            Line::Scalar { op, a, b, out } => slots[out.0] = evaluate(*op, slots[a.0], slots[b.0]),
            Line::Move { from, to } => slots[to.0] = slots[from.0],
            Line::Require { test, otherwise } => {
                return (!test.with(slots[test.number().0]).holds()).then_some(*otherwise);
            }
            Line::Unless { test, body } => {
                if !test.with(slots[test.number().0]).holds() {
                    let steps = self.steps(body, 0);
                    return self.run_steps(&steps);
                }
            }
            Line::Repeat { until, body } => self.repeat(until, body),
            _ => unreachable!("vector lines go elsewhere, periodic ones were replaced"),
        }
        None
    }

    fn repeat(&mut self, until: &Until, body: &[Line]) {
        let mut plans = Plans::default();
        let mut norm = self.high.slots[until.start.0].parts().0;
        let end = End::new(norm, until.rtol, until.atol, until.limit);
        let mut done = 0;
        let ended = loop {
            if let Some(ended) = end.verdict(norm, done) {
                break ended;
            }
            if self.run_iteration(body, done, &mut plans).is_some() {
                break -1.0;
            }
            norm = self.high.slots[until.watched.0].parts().0;
            done += 1;
        };
        self.high.slots[until.count.0] = S::from_f64(done as f64);
        self.high.slots[until.ended.0] = S::from_f64(ended);
    }

    fn run_iteration(&mut self, lines: &[Line], iteration: usize, plans: &mut Plans) -> Option<Outcome> {
        let way = way(lines, iteration);
        let steps = plans.remove(&way).unwrap_or_else(|| self.steps(lines, iteration));
        let outcome = self.run_steps(&steps);
        plans.insert(way, steps);
        outcome
    }

    fn add(&mut self, high: Vec<S>, low: Vec<S::Low>, is_low: bool) -> VectorId {
        self.high.vectors.push(high);
        self.low.vectors.push(low);
        self.is_low.push(is_low);
        VectorId(self.is_low.len() - 1)
    }

    fn reserve(&mut self, slots: usize) {
        self.high.slots.resize(slots, S::zero());
        self.low.slots.resize(slots, S::Low::default());
    }
}

/// The steps of each way an iteration can go, as far as they are known.
type Plans = HashMap<usize, Vec<Step>>;

/// The value of a scalar operation.
fn evaluate<S: Scalar>(op: Arithmetic, a: S, b: S) -> S {
    match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        Arithmetic::Over => a.over(b),
        Arithmetic::Neg => -a,
        Arithmetic::Sqrt => a.square_root(),
        Arithmetic::Conj => a.conj(),
        Arithmetic::Abs => S::from_real(a.modulus()),
    }
}

impl<S: Scalar, B: Backend<S>> Executor<S> for Interpreter<S, B> {
    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        self.high.maps.push(self.high.backend.load(map));
        MapId(self.high.maps.len() - 1)
    }
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> MapId {
        self.low.maps.push(self.low.backend.load(map));
        MapId(LOW + self.low.maps.len() - 1)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        self.add(host.to_vec(), Vec::new(), false)
    }
    fn upload_like(&mut self, host: &[S], like: VectorId) -> VectorId {
        if !self.is_low[like.0] {
            return self.upload(host);
        }
        self.add(Vec::new(), host.iter().map(|x| x.lower()).collect(), true)
    }
    fn length_of(&self, x: VectorId) -> usize {
        self.length(x)
    }
    fn zeros_like(&mut self, x: VectorId) -> VectorId {
        if self.is_low[x.0] {
            return self.lower_like(x);
        }
        self.add(vec![S::zero(); self.length(x)], Vec::new(), false)
    }
    fn lower_like(&mut self, x: VectorId) -> VectorId {
        self.add(Vec::new(), vec![S::Low::default(); self.length(x)], true)
    }
    fn download(&mut self, x: VectorId) -> Vec<S> {
        if self.is_low[x.0] {
            return self.low.vectors[x.0].iter().map(|&value| S::raise(value)).collect();
        }
        self.high.vectors[x.0].clone()
    }
    fn number(&mut self, slot: Slot) -> S {
        self.high.slots[slot.0]
    }

    fn run(&mut self, program: &Program, slots: usize) -> Option<Outcome> {
        self.reserve(slots);
        let steps = self.steps(&program.lines, 0);
        self.run_steps(&steps)
    }

    fn iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Run {
        self.reserve(slots);
        let mut plans = Plans::default();
        let mut monitor = Monitor::new(repeat.stop, self.high.slots[repeat.start.0].parts().0);
        let mut verdict = repeat.before.or_else(|| monitor.verdict());
        let mut iteration = 0;
        while verdict.is_none() {
            verdict = self.run_iteration(&body.lines, iteration, &mut plans);
            if verdict.is_none() {
                verdict = monitor.observe(self.high.slots[repeat.watched.0].parts().0);
            }
            iteration += 1;
        }
        monitor.finish(verdict)
    }
}
