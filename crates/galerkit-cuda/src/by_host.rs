//! Loops with loops inside, for systems that do not fit the second-level cache. There an iteration inside takes much longer than a
//! launch, and kernels of their own, with all the threads that the card holds, are several times faster than the resident one,
//! which must keep everything of everybody in its registers. So the host takes an outer iteration apart: lines as single
//! launches, each loop inside as launches ahead of its end, which the GPU finds by itself, as any other loop's.

use crate::error::Result;
use crate::executor::Cuda;
use crate::generate::kept;
use crate::program::Compiled;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::record::{Line, Loop, Program, Slot, Until, inspect};
use galerkit_linalg::krylov::{Monitor, Outcome, Stop};
use std::rc::Rc;

/// A program that was compiled.
pub(crate) struct Kept {
    program: Program,
    watched: Option<Slot>,
    compiled: Rc<Compiled>,
}

impl<S: Scalar> Cuda<S> {
    /// Whether a loop has loops inside and is too large for the cache.
    pub(crate) fn is_for_host(&self, body: &Program) -> bool {
        let fits = || self.footprint(body) <= self.gpu.properties().l2 / 4 * 3;
        inspect::nests(&body.lines) && !self.settings.resident.unwrap_or_else(fits)
    }

    /// Iterates until the monitor has a verdict.
    pub(crate) fn iterate_by_host(
        &mut self,
        body: &Program,
        slots: usize,
        watched: Slot,
        monitor: &mut Monitor<'_>,
    ) -> Result<Outcome> {
        let outside = self.kept.replace(Vec::new());
        let momentary = kept::momentary(self, S::KIND, body);
        let around = self.momentary.replace(momentary);
        let mut outcome = Ok(None);
        for iteration in 0.. {
            let lines = inspect::flatten(&body.lines, iteration);
            outcome = self.try_run(&Program { lines }, slots);
            if let Ok(None) = outcome {
                outcome = self.try_number(watched).map(|norm| monitor.observe(norm.parts().0));
            }
            if !matches!(outcome, Ok(None)) {
                break;
            }
        }
        (self.kept, self.momentary) = (outside, around);
        outcome.map(|verdict| verdict.expect("the loop ends with one"))
    }

    /// A program compiled, once in an outer loop.
    pub(crate) fn prepared(&mut self, program: &Program, slots: usize, watched: Option<Slot>) -> Result<Rc<Compiled>> {
        let same = |kept: &&Kept| (&kept.program, kept.watched) == (program, watched);
        if let Some(known) = self.kept.iter().flatten().find(same) {
            let compiled = known.compiled.clone();
            self.make_room(&compiled)?;
            return Ok(compiled);
        }
        let compiled = Rc::new(self.prepare(program, slots, watched)?);
        self.keep(program.clone(), watched, &compiled);
        Ok(compiled)
    }

    fn keep(&mut self, program: Program, watched: Option<Slot>, compiled: &Rc<Compiled>) {
        if let Some(kept) = &mut self.kept {
            kept.push(Kept { program, watched, compiled: compiled.clone() });
        }
    }

    /// Compiles what follows the loop inside that runs now, if this outer iteration has not had it before. Numbers and sums stay where
    /// they are: the loop uses them.
    pub(crate) fn compile_upcoming(&mut self) -> Result<()> {
        let (Some(program), Some(known)) = (self.upcoming.take(), &self.kept) else { return Ok(()) };
        if known.iter().any(|kept| kept.program == program && kept.watched.is_none()) {
            return Ok(());
        }
        let compiled = Rc::new(self.compile(&program, None)?);
        self.keep(program, None, &compiled);
        Ok(())
    }

    /// A loop inside. It ends by its tolerances and its limit alone, and what came of it are numbers like others.
    pub(crate) fn run_inside(&mut self, until: &Until, body: &[Line], slots: usize) -> Result<()> {
        let Until { start, watched, rtol, atol, limit, count, ended } = *until;
        let stop = Stop { rtol, atol, limit, exact: 0, divergence: f64::INFINITY, patience: 0, ..Stop::default() };
        let program = Program { lines: body.to_vec() };
        let run = self.try_iterate(&program, slots, &Loop { before: None, start, watched, stop: &stop })?;
        let how = match run.outcome {
            Outcome::Converged => 1.0,
            Outcome::IterationLimit => 0.0,
            _ => -1.0,
        };
        self.set_numbers(&[(count, run.iterations as f64), (ended, how)])
    }
}
