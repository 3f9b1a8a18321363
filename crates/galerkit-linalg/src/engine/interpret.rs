//! The plain interpreter: each instruction of the program, or each fused group, is one call of the backend, so the bits
//! are those of the immediate engine on the same backend.

use super::Number;
use super::executor::{Code, Counters, Executor, Loop};
use super::store::Store;
use super::viewer::Viewer;
use crate::backend::Backend;
use crate::error::Error;
use crate::map::{InSingle, LinearMap, into_known};
use crate::program::fuse::{Facts, Most, fuse};
use crate::program::variants::{flatten, variant};
use crate::program::{
    Arithmetic, End, Group, Instruction, MapId, Monitor, Outcome, Precision, Program, Role, Run, Scope, Slot, Step,
    Until, Vector, inspect,
};
use crate::scalar::Scalar;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Interprets programs on a backend.
pub struct Interpreter<S: Scalar, B: Backend<S>> {
    full: Store<S, B>,
    single: Store<S::Single, B::Single>,
    /// Names of vectors that were freed.
    free: Vec<usize>,
    codes: Vec<Option<Arc<Planned>>>,
    counters: Counters,
    viewer: Option<Viewer<S>>,
}

/// A compiled program: its instructions, and the steps of each variant of an iteration.
struct Planned {
    instructions: Vec<Instruction>,
    watched: Option<Slot>,
    plans: Plans,
}

/// The steps of each variant of an iteration that has run. A body is known by where it stands: those of nested loops
/// and conditions are part of steps that are kept here, and do not move.
type Plans = Mutex<HashMap<(usize, usize), Arc<Vec<Step>>>>;

impl<S: Scalar, B: Backend<S>> Interpreter<S, B> {
    /// An interpreter over a backend.
    pub fn new(backend: B) -> Self {
        let single = Store::new(backend.in_single());
        let (free, codes, counters) = (Vec::new(), Vec::new(), Counters::default());
        Self { full: Store::new(backend), single, free, codes, counters, viewer: None }
    }

    /// The first failure of a product that a user wrote, since the last time it was asked for. Its result was NaN,
    /// which ends loops; the interpreter itself is well.
    pub fn take_failure(&mut self) -> Option<Error> {
        self.full.failure.take().or_else(|| self.single.failure.take())
    }

    /// Bytes that a product with a loaded map moves beside its vectors.
    pub fn traffic(&self, A: MapId) -> usize {
        if A.values.is_single() { self.single.traffic[A.id] } else { self.full.traffic[A.id] }
    }

    /// The steps of one iteration, counted from 0, fused if the backend does.
    pub fn plan(&self, instructions: &[Instruction], iteration: usize) -> Vec<Step> {
        let flat = flatten(instructions, iteration);
        if !self.full.backend.fuses() {
            return flat.into_iter().map(Step::Instruction).collect();
        }
        fuse(flat, &Facts { role: &|instruction| self.role(instruction), most: Most::ANY, mixed: false })
    }

    fn role(&self, instruction: &Instruction) -> Role {
        let mixes = || instruction.reads().iter().chain(instruction.writes()).any(|x| x.is_single());
        match instruction.map() {
            Some(A) if A.values.is_single() => self.single.backend.role(self.single.map(A)),
            Some(A) => self.full.backend.role(self.full.map(A)),
            None if converts(instruction) => Role::Alone,
            // Closures are evaluated in full precision, whatever the vectors are stored in.
            None if matches!(instruction, Instruction::Pointwise { .. }) && mixes() => Role::Alone,
            None => Role::Elementwise,
        }
    }

    /// Executes steps in order; the outcome of a failed test ends them.
    fn run_steps(&mut self, steps: &[Step], plans: &Plans) -> Option<Outcome> {
        for step in steps {
            match step {
                Step::Group(group) if group.instructions[0].rows_of().is_single() => {
                    self.run_single(&group.instructions, |single| single.run_group(group, &[]));
                }
                Step::Group(group) => self.full.run_group(group, &self.single.vectors),
                Step::Instruction(instruction) if instruction.is_vector() => self.run_vector(instruction),
                Step::Instruction(instruction) => {
                    if let Some(outcome) = self.run_other(instruction, plans) {
                        return Some(outcome);
                    }
                }
            }
        }
        None
    }

    fn run_vector(&mut self, instruction: &Instruction) {
        if let Instruction::Copy { x, y } = *instruction
            && converts(instruction)
        {
            let (full, single) = (&mut self.full.vectors, &mut self.single.vectors);
            if y.is_single() {
                single[y.id].iter_mut().zip(&full[x.id]).for_each(|(y, x)| *y = x.to_single());
            } else {
                full[y.id].iter_mut().zip(&single[x.id]).for_each(|(y, x)| *y = S::widen(*x));
            }
        } else if matches!(instruction, Instruction::Pointwise { .. }) {
            self.run_pointwise(instruction);
        } else if widens(instruction) {
            self.run_widening(instruction);
        } else if instruction.rows_of().is_single() {
            self.run_single(std::slice::from_ref(instruction), |single| single.run_instruction(instruction));
        } else {
            self.full.run_instruction(instruction);
        }
    }

    /// A closure: vectors in single precision are widened for it, and rounded when it has changed them.
    fn run_pointwise(&mut self, instruction: &Instruction) {
        let singles: Vec<Vector> = instruction.reads().into_iter().filter(|x| x.is_single()).collect();
        for x in &singles {
            self.full.vectors[x.id] = self.single.vectors[x.id].iter().map(|&value| S::widen(value)).collect();
        }
        self.full.run_instruction(instruction);
        for x in singles {
            let wide = std::mem::take(&mut self.full.vectors[x.id]);
            self.single.vectors[x.id].iter_mut().zip(wide).for_each(|(single, wide)| *single = wide.to_single());
        }
    }

    /// An instruction that widens x: as a group of one, which does it block by block, or by a copy of all of x.
    fn run_widening(&mut self, instruction: &Instruction) {
        if self.full.backend.fuses() {
            let group = Group { instructions: vec![instruction.clone()] };
            return self.full.run_group(&group, &self.single.vectors);
        }
        let x = instruction.reads()[0];
        self.full.vectors[x.id] = self.single.vectors[x.id].iter().map(|&value| S::widen(value)).collect();
        self.full.run_instruction(instruction);
        self.full.vectors[x.id].clear();
    }

    /// Instructions in single precision: their scalars are rounded on the way in and widened on the way out.
    fn run_single(&mut self, instructions: &[Instruction], run: impl FnOnce(&mut Store<S::Single, B::Single>)) {
        for slot in instructions.iter().flat_map(Instruction::scalar_reads) {
            self.single.slots[slot.0] = self.full.slots[slot.0].to_single();
        }
        run(&mut self.single);
        for slot in instructions.iter().filter_map(Instruction::scalar_write) {
            self.full.slots[slot.0] = S::widen(self.single.slots[slot.0]);
        }
    }

    /// An instruction on scalars, or one with instructions of its own.
    fn run_other(&mut self, instruction: &Instruction, plans: &Plans) -> Option<Outcome> {
        let slots = &mut self.full.slots;
        match instruction {
            Instruction::Constant { value, out } => slots[out.0] = S::from_f64(*value),
            Instruction::Scalar { op, a, b, out } => slots[out.0] = evaluate(*op, slots[a.0], slots[b.0]),
            Instruction::Move { from, to } => slots[to.0] = slots[from.0],
            Instruction::Require { test, otherwise } => {
                return (!test.with(slots[test.number().0]).holds()).then_some(*otherwise);
            }
            Instruction::Unless { test, body } => {
                if !test.with(slots[test.number().0]).holds() {
                    return self.run_iteration(body, 0, plans);
                }
            }
            Instruction::Repeat { until, body } => self.repeat(until, body, plans),
            _ => unreachable!("vector instructions go elsewhere, periodic ones were replaced"),
        }
        None
    }

    fn repeat(&mut self, until: &Until, body: &[Instruction], plans: &Plans) {
        let mut norm = self.full.slots[until.start.0].parts().0;
        let end = End::new(norm, until.rtol, until.atol, until.limit);
        let mut done = 0;
        let ended = loop {
            if let Some(ended) = end.verdict(norm, done) {
                break ended;
            }
            if self.run_iteration(body, done, plans).is_some() {
                break -1.0;
            }
            norm = self.full.slots[until.watched.0].parts().0;
            done += 1;
        };
        self.full.slots[until.count.0] = S::from_f64(done as f64);
        self.full.slots[until.ended.0] = S::from_f64(ended);
    }

    fn run_iteration(&mut self, body: &[Instruction], iteration: usize, plans: &Plans) -> Option<Outcome> {
        let key = (body.as_ptr() as usize, variant(body, iteration));
        let known = plans.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let steps = known.unwrap_or_else(|| {
            let steps = Arc::new(self.plan(body, iteration));
            plans.lock().unwrap_or_else(PoisonError::into_inner).insert(key, steps.clone());
            steps
        });
        self.run_steps(&steps, plans)
    }

    fn add(&mut self, full: Vec<S>, single: Vec<S::Single>) -> usize {
        (self.counters.allocations, self.counters.vectors) = (self.counters.allocations + 1, self.counters.vectors + 1);
        let id = self.free.pop().unwrap_or_else(|| {
            self.full.vectors.push(Vec::new());
            self.single.vectors.push(Vec::new());
            self.full.vectors.len() - 1
        });
        (self.full.vectors[id], self.single.vectors[id]) = (full, single);
        id
    }

    fn reserve(&mut self, slots: usize) {
        if slots > self.full.slots.len() {
            self.full.slots.resize(slots, S::zero());
            self.single.slots.resize(slots, S::Single::default());
        }
    }

    /// Shows the viewer what it wants to see; interrupted if it has seen enough.
    fn show(&self) -> Option<Outcome> {
        let viewer = self.viewer.as_ref().filter(|viewer| (viewer.wants)())?;
        let goes_on = match viewer.x.precision {
            Precision::Full => (viewer.show)(&self.full.vectors[viewer.x.id]),
            Precision::Single => (viewer.show)(
                &self.single.vectors[viewer.x.id].iter().map(|&value| S::widen(value)).collect::<Vec<S>>(),
            ),
        };
        (!goes_on).then_some(Outcome::Interrupted)
    }

    fn code(&self, code: Code) -> Arc<Planned> {
        self.codes[code.0].clone().expect("whoever names a program keeps it")
    }
}

/// Whether an instruction is a copy between precisions.
fn converts(instruction: &Instruction) -> bool {
    matches!(*instruction, Instruction::Copy { x, y } if x.precision != y.precision)
}

/// Whether an instruction, a dot product or an update, reads a vector in single precision and is not itself.
fn widens(instruction: &Instruction) -> bool {
    match *instruction {
        Instruction::Dot { x, y, .. } | Instruction::Axpy { x, y, .. } => x.is_single() && !y.is_single(),
        _ => false,
    }
}

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
    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> MapId {
        self.counters.maps += 1;
        match into_known::<S, InSingle<S>>(map) {
            Ok(single) => {
                let (id, values) = self.single.load(single.0);
                let length = values.len();
                let at = self.add(Vec::new(), values);
                MapId { id, values: Vector::new(at, length, Precision::Single) }
            }
            Err(map) => {
                let (id, values) = self.full.load(map);
                let length = values.len();
                let at = self.add(values, Vec::new());
                MapId { id, values: Vector::new(at, length, Precision::Full) }
            }
        }
    }
    fn unload(&mut self, A: MapId) {
        self.counters.maps -= 1;
        if A.values.is_single() { self.single.maps[A.id] = None } else { self.full.maps[A.id] = None }
    }
    fn zeros(&mut self, length: usize, precision: Precision, scope: Scope) -> Vector {
        let id = match precision {
            Precision::Full => self.add(bytemuck::zeroed_vec(length), Vec::new()),
            Precision::Single => self.add(Vec::new(), vec![S::Single::default(); length]),
        };
        Vector { id, length, precision, scope }
    }
    fn upload(&mut self, host: &[S], precision: Precision) -> Vector {
        let id = match precision {
            Precision::Full => self.add(host.to_vec(), Vec::new()),
            Precision::Single => self.add(Vec::new(), host.iter().map(|value| value.to_single()).collect()),
        };
        Vector::new(id, host.len(), precision)
    }
    fn free(&mut self, x: Vector) {
        self.counters.vectors -= 1;
        (self.full.vectors[x.id], self.single.vectors[x.id]) = (Vec::new(), Vec::new());
        self.free.push(x.id);
    }
    fn write(&mut self, x: Vector, host: &[S]) {
        match x.precision {
            Precision::Full => self.full.vectors[x.id].copy_from_slice(host),
            Precision::Single => {
                self.single.vectors[x.id].iter_mut().zip(host).for_each(|(single, value)| *single = value.to_single());
            }
        }
    }
    fn download(&mut self, x: Vector) -> Vec<S> {
        match x.precision {
            Precision::Full => self.full.vectors[x.id].clone(),
            Precision::Single => self.single.vectors[x.id].iter().map(|&value| S::widen(value)).collect(),
        }
    }
    fn number(&mut self, slot: Slot) -> S {
        self.full.slots[slot.0]
    }

    fn compile(&mut self, program: &Program, watched: Option<Slot>) -> Code {
        self.reserve(inspect::slot_count(&program.instructions));
        self.counters.programs += 1;
        self.counters.codes += 1;
        let instructions = program.instructions.clone();
        let planned = Some(Arc::new(Planned { instructions, watched, plans: Plans::default() }));
        match self.codes.iter().position(Option::is_none) {
            Some(place) => {
                self.codes[place] = planned;
                Code(place)
            }
            None => {
                self.codes.push(planned);
                Code(self.codes.len() - 1)
            }
        }
    }
    fn discard(&mut self, code: Code) {
        self.counters.codes -= 1;
        self.codes[code.0] = None;
    }

    fn run(&mut self, code: Code) -> Option<Outcome> {
        let planned = self.code(code);
        self.run_iteration(&planned.instructions, 0, &planned.plans)
    }

    fn iterate(&mut self, code: Code, repeat: &Loop<'_>) -> Run {
        let planned = self.code(code);
        let watched = planned.watched.expect("only bodies of loops are repeated");
        let before = repeat.before.or_else(|| repeat.first.and_then(|first| self.run(first)));
        let stop = repeat.stop.resolve(|slot| self.full.slots[slot.0].parts().0);
        let mut monitor = Monitor::new(&stop, self.full.slots[repeat.start.0].parts().0);
        let mut verdict = before.or_else(|| monitor.verdict());
        let mut iteration = 0;
        while verdict.is_none() {
            verdict = self.run_iteration(&planned.instructions, iteration, &planned.plans);
            if verdict.is_none() {
                verdict = monitor.observe(self.full.slots[watched.0].parts().0);
                verdict = verdict.or_else(|| self.show());
            }
            iteration += 1;
        }
        if let Some(after) = repeat.after {
            self.run(after);
        }
        monitor.finish(verdict)
    }
    fn set_viewer(&mut self, viewer: Option<Viewer<S>>) {
        self.viewer = viewer;
    }
    fn counters(&self) -> Counters {
        self.counters
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
