//! How a recording engine makes loops: nested in the one that is being recorded, as part of a routine, or run at once.

use super::super::executor::{Executor, Loop};
use super::super::routine::Part;
use super::super::tape::{self, Symbol};
use super::{Recorded, Told};
use crate::program::{Instruction, Nested, Program, Run, Slot, Stop, Until, Vector, without_needless_zeros};
use crate::scalar::Scalar;

impl<S: Scalar, X: Executor<S>> Recorded<S, X> {
    /// A loop: nested in another one, part of a routine, or run at once.
    pub(super) fn run_loop(&mut self, stop: &Stop, start: Symbol, body: &mut dyn FnMut(&mut Self) -> Symbol) -> Run {
        self.tape.activate();
        if self.inside {
            self.repeat(stop, start, body);
            return Run::inside();
        }
        if self.routine.is_some() {
            self.close_part();
            let (body, watched) = self.loop_body(body);
            let code = self.compiled(&body, Some(watched));
            let part = Part::Loop { code, start: start.0, stop: stop.clone(), body, watched, framed: false };
            self.routine.as_mut().expect("just looked").parts.push(part);
            return Run::inside();
        }
        let before = self.run_pending();
        let (program, watched) = self.loop_body(body);
        let code = self.executor.compile(&program, Some(watched));
        let run = self.executor.iterate(code, &Loop { before, first: None, start: start.0, stop, after: None });
        self.executor.discard(code);
        self.sweep();
        (self.last, self.watched, self.last_loop) = (program, Some(watched), Told::Host(Nested::of(&run)));
        run
    }

    /// A loop nested in the one that is being recorded.
    fn repeat(&mut self, stop: &Stop, start: Symbol, body: &mut dyn FnMut(&mut Self) -> Symbol) {
        let [count, ended] = [(); 2].map(|()| tape::emit(|out| Instruction::Constant { value: 0.0, out }));
        let around = std::mem::take(&mut self.conditional);
        let (watched, body) = self.body(body);
        self.conditional = around;
        let Stop { rtol, atol, limit, .. } = *stop;
        let (start, watched) = (start.0, watched.0);
        tape::push(Instruction::Repeat {
            until: Until { start, watched, rtol, atol, limit, count: count.0, ended: ended.0 },
            body,
        });
        self.last_loop = Told::Recorded(Nested { count, ended });
    }

    /// The program of a loop.
    fn loop_body(&mut self, body: &mut dyn FnMut(&mut Self) -> Symbol) -> (Program, Slot) {
        self.inside = true;
        let (watched, instructions) = self.body(body);
        self.inside = false;
        let is_zero = |x: Vector| self.zeros.values().any(|zero| zero.name() == x);
        (Program { instructions: without_needless_zeros(instructions, &is_zero) }, watched.0)
    }

    /// What the body of a loop says, with the scalar that it watches.
    fn body(&mut self, record: &mut dyn FnMut(&mut Self) -> Symbol) -> (Symbol, Vec<Instruction>) {
        let mut watched = None;
        let instructions = self.aside(&mut |e| watched = Some(record(e)));
        (watched.expect("it was recorded"), instructions)
    }
}
