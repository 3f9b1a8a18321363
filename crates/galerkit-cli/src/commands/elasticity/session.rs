//! A run of the command: the plan, where it speaks, and the time it takes.

use crate::interrupt;
use crate::output::Output;
use crate::output::phases::Phases;
use crate::output::progress::Progress;
use crate::plan::elasticity::ElasticityPlan;
use galerkit::{Go, Solver};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

/// The run.
pub struct Session<'a> {
    pub plan: &'a ElasticityPlan,
    pub output: Output,
    pub begun: Instant,
    phases: RefCell<Phases>,
}

impl<'a> Session<'a> {
    /// Begins.
    pub fn new(plan: &'a ElasticityPlan, output: Output) -> Self {
        let phases = RefCell::new(Phases::new(output.watched && !plan.quiet));
        Self { plan, output, begun: Instant::now(), phases }
    }
    /// Runs and times a phase.
    pub fn during<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let (bar, begun) = (self.phases.borrow().begin(name, ""), Instant::now());
        let result = work();
        bar.finish_and_clear();
        self.phases.borrow_mut().add(name, begun.elapsed().as_secs_f64());
        result
    }
    /// Phases and their seconds.
    pub fn seconds(&self) -> Vec<(&'static str, f64)> {
        self.phases.borrow().seconds().to_vec()
    }
    /// Says something on the side, unless it should be quiet.
    pub fn note(&self, text: &str) {
        if !self.plan.quiet {
            self.output.note(text);
        }
    }
    /// A solver that shows how far it is and that Ctrl-C can stop; the bar goes when `work` ends.
    pub fn watched<T>(&self, solver: &Solver, b: &[f64], work: impl FnOnce(Solver) -> T) -> T {
        let begun = Instant::now();
        let start = b.iter().map(|b| b * b).sum::<f64>().sqrt();
        let target = solver.rtol_for::<f64>() * start;
        let progress = Arc::new(Progress::new(start, target, self.output.watched && !self.plan.quiet));
        let watching = progress.clone();
        let result = work(solver.clone().observer(move |progress| {
            watching.update(progress.iteration, progress.residual_norm);
            if interrupt::goes_on() { Go::On } else { Go::Stop }
        }));
        interrupt::iteration_is_over();
        progress.finish();
        self.phases.borrow_mut().add("solve", begun.elapsed().as_secs_f64());
        result
    }
}
