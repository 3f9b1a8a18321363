//! How a recording engine makes a [`Routine`] and runs it.

use super::super::executor::{Code, Executor, Loop};
use super::super::held::Held;
use super::super::routine::{Part, Routine};
use super::super::tape::{self, SlotRegister, Symbol};
use super::recording::Recording;
use super::{Recorded, Told};
use crate::program::{
    Instruction, MapId, Nested, Program, Run, Slot, Stop, Vector, inspect, with_residuals_of_zero,
    without_overwritten_zeros,
};
use crate::scalar::Scalar;

impl<S: Scalar, X: Executor<S>> Recorded<S, X> {
    /// Records what `body` says and compiles it, without running any of it. What was spoken before runs first. Loops
    /// tell the host nothing while they are recorded ([`Run::is_inside`]); the scalars that `body` returns are known
    /// after each run.
    pub fn compile(&mut self, body: impl FnOnce(&mut Self) -> Vec<Symbol>) -> Routine {
        self.begin_routine();
        let scalars = body(self);
        self.end_routine(scalars)
    }

    /// A routine with more in front of it: what `body` says becomes one program with how the routine begins, its loops
    /// stay what they are. Where the executor can, that program, the first loop and what follows it run as one. Scalars
    /// of `body` come first.
    pub fn compile_before(&mut self, body: impl FnOnce(&mut Self) -> Vec<Symbol>, routine: &mut Routine) -> Routine {
        self.begin_routine();
        let mut scalars = body(self);
        scalars.extend(&routine.scalars);
        let begins = matches!(routine.parts.first(), Some(Part::Straight { .. }));
        let (begin, rest) = routine.parts.split_at_mut(usize::from(begins));
        if let [Part::Straight { program, .. }] = begin {
            program.instructions.iter().cloned().for_each(tape::push);
        }
        self.close_part();
        self.frame(rest);
        if let Some(recording) = &mut self.routine {
            recording.parts.extend_from_slice(rest);
            recording.made.extend_from_slice(&routine.vectors);
            let loops = recording
                .parts
                .iter_mut()
                .filter_map(|part| if let Part::Loop { framed, .. } = part { Some(framed) } else { None });
            loops.take(1).for_each(|framed| *framed = true);
        }
        let mut joined = self.end_routine(scalars);
        joined.maps.extend_from_slice(&routine.maps);
        joined
    }

    /// Compiles the loop that follows what was recorded together with it and with what stands behind.
    fn frame(&mut self, parts: &mut [Part]) {
        let Some(Part::Straight { program: first, .. }) =
            self.routine.as_ref().and_then(|recorded| recorded.parts.last())
        else {
            return;
        };
        let [Part::Loop { code, body, watched, .. }, Part::Straight { program: after, repeatable: true, .. }, ..] =
            parts
        else {
            return;
        };
        *code = Held::new(self.executor.compile_framed(body, *watched, [first, after]), &self.dropped.codes);
    }

    fn begin_routine(&mut self) {
        assert!(self.routine.is_none() && !self.inside, "a routine is recorded by itself");
        self.run_pending();
        self.routine = Some(Recording::default());
    }

    fn end_routine(&mut self, scalars: Vec<Symbol>) -> Routine {
        self.close_part();
        let Recording { parts, made, mentioned, maps } = self.routine.take().unwrap_or_default();
        let mut held = made;
        held.extend(mentioned.iter().filter_map(|x| self.vectors.get(&x.id)?.held()));
        held.extend(self.zeros.values().cloned());
        let key = |A: &MapId| (A.id, A.values.precision);
        let mut held_maps: Vec<Held<MapId>> = maps.iter().filter_map(|A| self.maps.get(&key(A))?.held()).collect();
        // What nobody else holds any more, because `body` has dropped it, is still there: nothing was freed meanwhile.
        let dropped = self.dropped.vectors.take_if(|x| mentioned.contains(x));
        held.extend(dropped.into_iter().map(|x| self.hold(x)));
        let dropped = self.dropped.maps.take_if(|A| maps.iter().any(|mentioned| key(mentioned) == key(A)));
        held_maps.extend(dropped.into_iter().map(|A| self.hold_map(A)));
        self.last_loop = Told::Host(Nested { count: 0.0, ended: 0.0 });
        Routine { parts, vectors: held, maps: held_maps, scalars }
    }

    /// Runs a routine with the criteria it was recorded with. What its loops did, in order. A test that fails outside
    /// of a loop ends the next loop before it begins, with its outcome.
    pub fn run(&mut self, routine: &Routine) -> Vec<Run> {
        self.run_until(routine, None)
    }

    /// The same with other criteria for its first loop.
    pub fn run_until(&mut self, routine: &Routine, stop: Option<&Stop>) -> Vec<Run> {
        self.run_pending();
        let mut runs: Vec<Run> = Vec::new();
        let (mut before, mut first) = (None, None);
        let mut parts = routine.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Straight { .. } if before.is_some() => (),
                Part::Straight { code, .. } => match parts.peek() {
                    Some(Part::Loop { framed: true, .. }) => first = Some(code.name()),
                    _ => before = self.executor.run(code.name()),
                },
                Part::Loop { code, start, stop: recorded, .. } => {
                    let stop = stop.filter(|_| runs.is_empty()).unwrap_or(recorded);
                    let after = parts.next_if(|next| matches!(next, Part::Straight { repeatable: true, .. }));
                    let after = after.map(Part::code);
                    let repeat = Loop { before: before.take(), first: first.take(), start: *start, stop, after };
                    runs.push(self.executor.iterate(code.name(), &repeat));
                }
            }
        }
        runs
    }

    /// The real part of a register between runs; unlike [`value`](crate::engine::Engine::value) it records nothing.
    pub fn read(&mut self, register: SlotRegister) -> f64 {
        self.run_pending();
        self.executor.number(register.0.0).parts().0
    }
    /// The same for a scalar that a routine has returned.
    pub fn read_scalar(&mut self, scalar: Symbol) -> f64 {
        self.read(SlotRegister(scalar))
    }

    /// Ends the straight part that is being recorded for a routine.
    pub(super) fn close_part(&mut self) {
        self.tape.activate();
        let instructions = tape::take();
        if !instructions.is_empty() {
            let is_zero = |x: Vector| self.zeros.values().any(|zero| zero.name() == x);
            let instructions = with_residuals_of_zero(instructions, &is_zero);
            let program = Program { instructions: without_overwritten_zeros(instructions, &is_zero) };
            let repeatable = inspect::is_repeatable(&program.instructions);
            let code = self.compiled(&program, None);
            let part = Part::Straight { code, program, repeatable };
            self.routine.as_mut().expect("only routines have parts").parts.push(part);
        }
    }

    /// A program of the routine, compiled; notes what it mentions.
    pub(super) fn compiled(&mut self, program: &Program, watched: Option<Slot>) -> Held<Code> {
        if let Some(routine) = &mut self.routine {
            routine.mentioned.extend(inspect::vectors(&program.instructions));
            let all = inspect::every_instruction(&program.instructions);
            routine.maps.extend(all.into_iter().filter_map(Instruction::map));
        }
        Held::new(self.executor.compile(program, watched), &self.dropped.codes)
    }
}
