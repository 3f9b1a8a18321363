//! Programs in pieces: what the host does one after the other to run one.

use super::unit::Piece;
use super::{Control, Cuda, Strategy, Unit};
use crate::error::Result;
use crate::map::Interface;
use crate::plan::is_plain;
use crate::program::Compiled;
use crate::ring::{Beginning, Message};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Code, Loop};
use galerkit_linalg::map::guarded;
use galerkit_linalg::program::{Instruction, MapId, Monitor, Outcome, Reference, Run, Stop, Until, inspect, variants};
use std::sync::{Arc, PoisonError};

impl<S: Scalar> Cuda<S> {
    /// A program by its name.
    pub(crate) fn unit(&self, code: Code) -> Arc<Unit> {
        self.codes[code.0].clone().expect("whoever names a program keeps it")
    }

    /// Whether the host must multiply with a map of an instruction.
    pub(crate) fn is_for_host_product(&self, instruction: &Instruction) -> bool {
        instruction.map().is_some_and(|A: MapId| self.loaded(A).interface == Interface::Host)
    }

    /// A unit compiled as one program; once.
    pub(crate) fn compiled_unit(&mut self, unit: &Unit) -> Result<Arc<Compiled>> {
        self.compiled_plan(unit).map(|(compiled, _)| compiled)
    }

    /// The same, and which of the plans of that program it is.
    fn compiled_plan(&mut self, unit: &Unit) -> Result<(Arc<Compiled>, usize)> {
        if let Some(compiled) = unit.compiled.get() {
            return Ok(compiled.clone());
        }
        let compiled = Arc::new(self.prepare(&unit.program, unit.watched, unit.frame.as_ref())?);
        Ok(unit.compiled.get_or_init(|| (compiled, 0)).clone())
    }

    /// Compiles what follows the nested loop that runs now. Scalars and sums stay where they are: the loop uses them.
    pub(crate) fn compile_upcoming(&mut self) -> Result<()> {
        let Some(unit) = self.upcoming.take() else { return Ok(()) };
        if unit.compiled.get().is_none() {
            let compiled = Arc::new(self.compile_program(&unit.program, unit.watched, unit.frame.as_ref())?);
            unit.compiled.get_or_init(|| (compiled, 0));
        }
        Ok(())
    }

    /// The pieces of a unit; once.
    pub(super) fn pieces(&self, unit: &Unit) -> Arc<Vec<Piece>> {
        let cut = || {
            let is_plain = |it: &Instruction| is_plain(it) && !self.is_for_host_product(it);
            let parts = unit.program.instructions.chunk_by(|one, other| is_plain(one) && is_plain(other));
            parts.map(|part| self.piece(part)).collect::<Vec<_>>()
        };
        unit.pieces.get_or_init(|| Arc::new(cut())).clone()
    }

    fn piece(&self, part: &[Instruction]) -> Piece {
        match &part[0] {
            Instruction::Unless { test, body } if self.is_apart(body) => {
                Piece::Unless(*test, Unit::new(body.clone(), None))
            }
            Instruction::Repeat { until, body } => Piece::Loop(*until, Unit::new(body.clone(), Some(until.watched))),
            product if self.is_for_host_product(product) => Piece::Host(product.clone()),
            _ => Piece::Plain(Unit::new(part.to_vec(), None)),
        }
    }

    /// Whether instructions under a condition must be taken apart.
    fn is_apart(&self, body: &[Instruction]) -> bool {
        inspect::nests(body) || inspect::every_instruction(body).into_iter().any(|it| self.is_for_host_product(it))
    }

    /// Instructions outside of loops. The host looks where a loop is under a condition, and at the end of a loop.
    pub(crate) fn try_run(&mut self, unit: &Unit) -> Result<Option<Outcome>> {
        self.told.clear();
        let pieces = self.pieces(unit);
        for (k, piece) in pieces.iter().enumerate() {
            let outcome = match piece {
                Piece::Plain(unit) => self.run_plain(unit)?,
                Piece::Unless(test, unit) => {
                    let number = self.try_number(test.number())?;
                    if test.with(number).holds() { None } else { self.try_run(unit)? }
                }
                Piece::Loop(until, unit) => {
                    self.upcoming = match pieces.get(k + 1) {
                        Some(Piece::Plain(next)) => Some(next.clone()),
                        _ => None,
                    };
                    self.run_nested(until, unit)?;
                    None
                }
                Piece::Host(product) => {
                    self.multiply_on_host(product)?;
                    None
                }
            };
            if outcome.is_some() {
                return Ok(outcome);
            }
        }
        Ok(None)
    }

    fn run_plain(&mut self, unit: &Unit) -> Result<Option<Outcome>> {
        let (compiled, plan) = self.compiled_plan(unit)?;
        self.make_room(&compiled)?;
        self.ring.rest();
        self.launch_plan(&compiled, plan);
        if !unit.tests() {
            return Ok(None);
        }
        self.ring.disturb();
        let publish = &compiled.publish;
        publish.kernel.launch(publish.shape, &self.words(&compiled, Control::of(self.ring.once())));
        self.gpu.synchronize()?;
        Ok(self
            .ring
            .take(0)
            .and_then(|message| if let Message::Failed(outcome) = message { Some(outcome) } else { None }))
    }

    /// A product with a map that has no kernel source: down, on threads, and up again.
    fn multiply_on_host(&mut self, product: &Instruction) -> Result<()> {
        let (Some(A), Some(x)) = (product.map(), product.product_input()) else { return Ok(()) };
        let (values, x) = (self.try_download(A.values)?, self.try_download(x)?);
        let map = self.host_maps[A.id].as_ref().expect("maps without source are kept on the host");
        let mut y = vec![S::zero(); product.rows_of().length];
        guarded(map.name(), || map.apply_on_threads(&values, &x, &mut y))?;
        self.host_products += 1;
        if let Instruction::Residual { b, .. } = *product {
            let b = self.try_download(b)?;
            y.iter_mut().zip(b).for_each(|(y, b)| *y = b - *y);
        }
        self.try_write(product.rows_of(), &y)
    }

    /// Repeats a body until the monitor is content or a test fails.
    pub(crate) fn try_iterate(&mut self, unit: &Unit, repeat: &Loop<'_>) -> Result<Run> {
        self.told.clear();
        if let Some(compiled) = self.framed(unit, repeat)? {
            return self.iterate_persistent(&compiled, repeat);
        }
        let before = match repeat.first {
            Some(first) if repeat.before.is_none() => self.try_run(&self.unit(first))?,
            _ => repeat.before,
        };
        let repeat = &Loop { before, first: None, ..*repeat };
        if let Some(compiled) = self.ready_persistent(unit, repeat) {
            return self.iterate_persistent(&compiled, repeat);
        }
        let run = self.iterate_known(unit, repeat)?;
        if let Some(after) = repeat.after {
            self.try_run(&self.unit(after))?;
        }
        Ok(run)
    }

    /// The same when the host has looked at what it begins with: it may be compiled first, or end at once.
    fn iterate_known(&mut self, unit: &Unit, repeat: &Loop<'_>) -> Result<Run> {
        self.reserve(inspect::slot_count(&unit.program.instructions))?;
        let watched = unit.watched.expect("only bodies of loops are repeated");
        let start = self.try_number(repeat.start)?.parts().0;
        let reference = match repeat.stop.reference {
            Reference::Scalar(slot) => self.try_number(slot)?.parts().0,
            _ => 0.0,
        };
        let stop = repeat.stop.resolve(|_| reference);
        let mut monitor = Monitor::new(&stop, start);
        if let Some(verdict) = repeat.before.or_else(|| monitor.verdict()) {
            return Ok(monitor.finish(Some(verdict)));
        }
        self.settle(&unit.program)?;
        if self.strategy(&unit.program) == Strategy::HostDriven {
            let verdict = self.iterate_by_host(unit, watched, &mut monitor)?;
            return Ok(monitor.finish(Some(verdict)));
        }
        let compiled = self.compiled_unit(unit)?;
        self.make_room(&compiled)?;
        let initial = self.ring.begin(&stop, Beginning::Known(start));
        let verdict = if compiled.persistent.is_some() {
            self.reset_barrier(&compiled);
            let turns = self.launch_first_turns(&compiled, initial, false);
            self.run_persistent(&compiled, turns, &mut monitor)?.0
        } else {
            self.ring.load(&initial);
            let launched = self.launch_first(&compiled, stop.limit)?;
            self.compile_upcoming()?;
            self.replay(&compiled, launched, stop.limit, &mut monitor)?
        };
        self.ring.all_taken();
        self.last = Some(compiled);
        Ok(monitor.finish(Some(verdict)))
    }

    /// The unit of an iteration that the host takes apart.
    pub(crate) fn iteration_of(&self, unit: &Unit, iteration: usize) -> Arc<Unit> {
        self.variant_of(unit, variants::variant(&unit.program.instructions, iteration))
    }

    /// The same of all iterations of a variant.
    pub(super) fn variant_of(&self, unit: &Unit, variant: usize) -> Arc<Unit> {
        let make = || Unit::new(variants::flatten_variant(&unit.program.instructions, variant), None);
        unit.iterations.lock().unwrap_or_else(PoisonError::into_inner).entry(variant).or_insert_with(make).clone()
    }

    /// A nested loop. It ends by its tolerances and its limit alone, and what came of it are scalars like others.
    fn run_nested(&mut self, until: &Until, body: &Unit) -> Result<()> {
        let Until { start, rtol, atol, limit, count, ended, .. } = *until;
        let stop =
            Stop { rtol, atol, limit, replacement: 0, divergence: f64::INFINITY, patience: 0, ..Stop::default() };
        self.by_host += 1;
        let run = self.try_iterate(body, &Loop { before: None, first: None, start, stop: &stop, after: None });
        self.by_host -= 1;
        let run = run?;
        let how = match run.outcome {
            Outcome::Converged => 1.0,
            Outcome::IterationLimit => 0.0,
            _ => -1.0,
        };
        self.set_numbers(&[(count, run.iterations as f64), (ended, how)])
    }
}
