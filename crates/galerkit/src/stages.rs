//! Where the time before the first iteration goes: a stopwatch that is passed through set-up, and what it has read.

use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// A part of set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// The rows of a built-in problem: on the GPU that solves, or on the host where something needs them there.
    Generation,
    /// Whether matrix and method are as they must be: finite, square, symmetric where a method needs it.
    Checks,
    /// What formats would store, norms.
    Statistics,
    /// Whether another order of the rows pays, and that order.
    Ordering,
    /// Which format and kernel parameters a GPU should have.
    Tuning,
    /// Permuting and storing the matrix.
    Conversion,
    /// A multicolour ordering.
    Colouring,
    /// How many steps triangular solves take, and which way to solve suits them.
    Levels,
    /// The preconditioner where it is a scaling: Jacobi, block Jacobi.
    Scaling,
    /// The preconditioner where it has factors or an iteration of its own, or elimination.
    Factorisation,
    /// Opening the GPU.
    Device,
    /// Recording the method, and compiling it where it is compiled ahead of its first iteration.
    Compile,
    /// Copies of the matrix and of vectors to where they are solved with, and back.
    Transfer,
    /// Methods that were tried and given up.
    Attempts,
}

impl Stage {
    /// As in the report.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Generation => "generation",
            Stage::Checks => "checks",
            Stage::Statistics => "statistics",
            Stage::Ordering => "ordering",
            Stage::Tuning => "tuning",
            Stage::Conversion => "conversion",
            Stage::Colouring => "colouring",
            Stage::Levels => "levels",
            Stage::Scaling => "scaling",
            Stage::Factorisation => "factorisation",
            Stage::Device => "device",
            Stage::Compile => "compile",
            Stage::Transfer => "transfer",
            Stage::Attempts => "attempts",
        }
    }
}

/// A stage with the seconds it took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spent {
    /// Which.
    pub stage: Stage,
    /// How long.
    pub seconds: f64,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:.3} s", self.stage.name(), self.seconds)
    }
}

/// The stages that ran, in the order of their first begin, each once.
///
/// ```
/// use galerkit::prelude::*;
/// use galerkit::stages::Stage;
///
/// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
/// let report = Solver::new().method(Krylov::Cg).solve(&A, &vec![1.0; A.rows()])?.report;
/// let stages = &report.setup_stages;
/// assert!(stages.of(Stage::Conversion) > 0.0 && stages.of(Stage::Colouring) == 0.0);
/// assert!((stages.seconds() - report.setup_seconds - report.transfer_seconds).abs() < 1e-9);
/// println!("slowest: {}", stages.slowest(3)[0]);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Stages(Vec<Spent>);

impl Stages {
    /// Does some work and notes how long it took.
    pub(crate) fn time<R>(&mut self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        let done = work();
        self.add(stage, begun.elapsed().as_secs_f64());
        done
    }

    /// Notes seconds of a stage.
    pub(crate) fn add(&mut self, stage: Stage, seconds: f64) {
        match self.0.iter_mut().find(|spent| spent.stage == stage) {
            Some(spent) => spent.seconds += seconds,
            None => self.0.push(Spent { stage, seconds }),
        }
    }

    /// Notes everything that another one has.
    pub(crate) fn append(&mut self, other: &Stages) {
        other.iter().for_each(|spent| self.add(spent.stage, spent.seconds));
    }

    /// Every stage that ran.
    pub fn iter(&self) -> impl Iterator<Item = &Spent> {
        self.0.iter()
    }
    /// Seconds of a stage; zero if it did not run.
    pub fn of(&self, stage: Stage) -> f64 {
        self.iter().filter(|spent| spent.stage == stage).map(|spent| spent.seconds).sum()
    }
    /// Seconds of all.
    pub fn seconds(&self) -> f64 {
        self.iter().map(|spent| spent.seconds).sum()
    }
    /// The longest ones, the longest first.
    pub fn slowest(&self, count: usize) -> Vec<Spent> {
        let mut all = self.0.clone();
        all.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        all.truncate(count);
        all
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.iter().map(Spent::to_string).collect();
        f.write_str(&all.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_up() {
        let mut stages = Stages::default();
        assert_eq!(stages.time(Stage::Ordering, || 7), 7);
        for (stage, seconds) in [(Stage::Checks, 0.5), (Stage::Conversion, 2.0), (Stage::Checks, 0.25)] {
            stages.add(stage, seconds);
        }
        let mut all = Stages::default();
        all.append(&stages);
        all.append(&stages);
        assert_eq!((all.of(Stage::Checks), all.of(Stage::Levels)), (1.5, 0.0));
        let slowest: Vec<String> = all.slowest(2).iter().map(Spent::to_string).collect();
        assert_eq!(slowest, ["conversion 4.000 s", "checks 1.500 s"]);
        assert!(stages.to_string().starts_with("ordering 0.000 s, checks 0.750 s"), "{stages}");
    }
}
