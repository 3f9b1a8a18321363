//! Loops inside iterations: how they end. The same questions in the same order wherever such a loop runs.

use super::{Outcome, Run};

/// What a loop tells, as numbers of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nested<N> {
    /// Iterations that were completed.
    pub count: N,
    /// 1: converged; 0: out of iterations or of patience; -1: a test failed or a norm was not finite.
    pub ended: N,
}

impl Nested<f64> {
    /// What a loop of the host's own has to tell.
    pub fn of(run: &Run) -> Self {
        let ended = match run.outcome {
            Outcome::Converged => 1.0,
            Outcome::IterationLimit | Outcome::Stagnated | Outcome::Diverged | Outcome::Interrupted => 0.0,
            _ => -1.0,
        };
        Self { count: run.iterations as f64, ended }
    }

    /// As numbers of an engine.
    pub fn map<N>(self, mut number: impl FnMut(f64) -> N) -> Nested<N> {
        Nested { count: number(self.count), ended: number(self.ended) }
    }
}

/// The norms and the count at which a loop ends.
pub struct End {
    threshold: f64,
    limit: usize,
}

impl End {
    /// For a loop that begins with this norm.
    pub fn new(start: f64, rtol: f64, atol: f64, limit: usize) -> Self {
        Self { threshold: (rtol * start).max(atol), limit }
    }

    /// How it has ended, if it has, with this norm after so many iterations.
    pub fn verdict(&self, norm: f64, done: usize) -> Option<f64> {
        if !norm.is_finite() {
            Some(-1.0)
        } else if norm <= self.threshold || norm == 0.0 {
            Some(1.0)
        } else if done >= self.limit {
            Some(0.0)
        } else {
            None
        }
    }
}
