//! A run of a command that solves: the plan, where it speaks, and the time it takes.

use crate::interrupt;
use crate::output::Output;
use crate::output::memory;
use crate::output::phases::Phases;
use crate::output::progress::Progress;
use crate::plan::Quiet;
use galerkit::linalg::Scalar;
use galerkit::linalg::krylov::norm;
use galerkit::{Go, Solver};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

/// The run.
pub struct Session<'a, P> {
    pub plan: &'a P,
    pub output: Output,
    pub begun: Instant,
    /// Bytes of arrays that the program had before, where the system tells.
    pub arrays: Option<u64>,
    phases: RefCell<Phases>,
    notes: RefCell<Vec<String>>,
}

impl<'a, P: Quiet> Session<'a, P> {
    /// Begins.
    pub fn new(plan: &'a P, output: Output) -> Self {
        let phases = RefCell::new(Phases::new(output.watched && !plan.is_quiet()));
        Self { plan, output, begun: Instant::now(), arrays: memory::arrays(), phases, notes: RefCell::default() }
    }
    /// Runs and times a phase.
    pub fn during<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.during_with(name, "", work)
    }
    /// The same with words behind its name.
    pub fn during_with<T>(&self, name: &'static str, words: &str, work: impl FnOnce() -> T) -> T {
        let (bar, begun) = (self.phases.borrow().begin(name, words), Instant::now());
        let result = work();
        bar.finish_and_clear();
        self.spend(name, begun.elapsed().as_secs_f64());
        result
    }
    /// Adds to the time of a phase.
    pub fn spend(&self, name: &'static str, seconds: f64) {
        self.phases.borrow_mut().add(name, seconds);
    }
    /// Phases and their seconds.
    pub fn seconds(&self) -> Vec<(&'static str, f64)> {
        self.phases.borrow().seconds().to_vec()
    }
    /// Says something on the side, once, unless it should be quiet.
    pub fn note(&self, text: &str) {
        if self.notes.borrow().iter().any(|said| said == text) {
            return;
        }
        self.notes.borrow_mut().push(text.into());
        if !self.plan.is_quiet() {
            self.output.note(text);
        }
    }
    /// All that was said on the side, or would have been.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }
    /// A solver that shows how far it is and that Ctrl-C can stop; the bar goes when `work` ends.
    pub fn watched<S: Scalar, T>(&self, solver: &Solver, b: &[S], work: impl FnOnce(Solver) -> T) -> T {
        let begun = Instant::now();
        let start = norm(b);
        let target = solver.rtol_for::<S>() * start;
        let progress = Arc::new(Progress::new(start, target, self.output.watched && !self.plan.is_quiet()));
        let watching = progress.clone();
        let result = work(solver.clone().observer(move |progress| {
            watching.update(progress.iteration, progress.residual_norm);
            if interrupt::goes_on() { Go::On } else { Go::Stop }
        }));
        interrupt::iteration_is_over();
        progress.finish();
        self.spend("solve", begun.elapsed().as_secs_f64());
        result
    }
}
