//! When an iteration ends: the criteria, the monitor that every engine consults, and what came of it.
//!
//! The monitor sees the norm before the first and after each iteration and asks, in this order: not finite, converged,
//! diverged, out of iterations, stagnated. A tolerance of zero therefore runs to the limit or to an exact zero, and a
//! limit of zero returns the start unless it was good enough. Its "converged" is a claim about a recursive residual;
//! [`verified`](crate::krylov::verified) is what holds it against the true one.

use super::{Outcome, Slot};
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which norm the monitor watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Euclidean norm of the residual.
    #[default]
    Residual,
    /// Norm of the residual in the inner product of the preconditioner, sqrt((r, M r)).
    Preconditioned,
}

/// What a relative tolerance is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reference {
    /// The norm before the first iteration.
    #[default]
    Start,
    /// A given norm, for example that of b, or of the first start in a restarted solve.
    Given(f64),
    /// A scalar of the program that is known when the loop begins: whoever runs it reads it, the host need not.
    Scalar(Slot),
}

/// Called after each iteration with its number and the watched norm; `false` ends the loop as interrupted.
#[derive(Clone)]
pub struct Observer(pub Arc<dyn Fn(usize, f64) -> bool + Send + Sync>);

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Observer")
    }
}

/// Stopping criteria. Converged means watched norm <= max(rtol * reference, atol).
#[derive(Clone, Debug)]
pub struct Stop {
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance.
    pub atol: f64,
    /// Most iterations.
    pub limit: usize,
    /// Replace the recursive residual by b - A x every so many iterations; 0: never.
    pub replacement: usize,
    /// The norm that is watched.
    pub watch: Watch,
    /// What `rtol` is relative to.
    pub reference: Reference,
    /// Give up as diverged when the norm exceeds this multiple of the reference (of the start, if that is larger).
    pub divergence: f64,
    /// Give up as stagnated after so many iterations without a new least norm; 0, or a tolerance of zero: never.
    pub patience: usize,
    /// Told of each iteration; may ask to stop.
    pub observer: Option<Observer>,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            rtol: 1e-8,
            atol: 0.0,
            limit: 10_000,
            replacement: 50,
            watch: Watch::Residual,
            reference: Reference::Start,
            // CG's residual stays below sqrt(condition) times its start, and 1e8 is above the root of 1 / eps: what
            // grows further has no solution in double precision.
            divergence: 1e8,
            // Real stiffness matrices wait up to 1200 iterations for a new least norm, preconditioned, and converge.
            patience: 3000,
            observer: None,
        }
    }
}

impl Stop {
    /// What `rtol` is relative to, for a solve that starts with this norm.
    pub fn reference_norm(&self, start: f64) -> f64 {
        match self.reference {
            Reference::Start => start,
            Reference::Given(norm) => norm,
            Reference::Scalar(_) => unreachable!("whoever runs a loop resolves its criteria first"),
        }
    }

    /// The same criteria with a reference that the host knows.
    pub fn resolve(&self, read: impl FnOnce(Slot) -> f64) -> Cow<'_, Self> {
        match self.reference {
            Reference::Scalar(slot) => Cow::Owned(Self { reference: Reference::Given(read(slot)), ..self.clone() }),
            Reference::Start | Reference::Given(_) => Cow::Borrowed(self),
        }
    }

    /// The norm at or below which a solve that starts with this norm has converged.
    pub fn threshold(&self, start: f64) -> f64 {
        (self.rtol * self.reference_norm(start)).max(self.atol)
    }

    /// Refuses tolerances that are negative or not finite and a divergence factor below 1.
    pub fn check(&self) -> Result<()> {
        let refuse =
            |name, value: f64, expected| Err(Error::InvalidParameter { name, value: value.to_string(), expected });
        for (name, value) in [("rtol", self.rtol), ("atol", self.atol)] {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(name, value, "a tolerance is a finite number of at least 0");
            }
        }
        if self.divergence.is_nan() || self.divergence < 1.0 {
            return refuse("divergence", self.divergence, "a factor of at least 1 is needed");
        }
        match self.reference {
            Reference::Given(norm) if norm.is_nan() || norm < 0.0 => refuse("reference", norm, "a norm is at least 0"),
            _ => Ok(()),
        }
    }
}

/// What a loop returns: how it ended and the watched norm before the first and after each iteration.
#[derive(Clone, Debug)]
#[must_use]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Completed iterations.
    pub iterations: usize,
    /// The watched norms; `history[0]` is before the first iteration.
    pub history: Vec<f64>,
    /// What the relative tolerance was relative to.
    pub reference: f64,
    /// Time in the loop.
    pub elapsed: Duration,
}

impl Run {
    /// What a loop inside another one returns: the host knows nothing of it.
    pub fn inside() -> Self {
        let (history, reference) = (Vec::new(), 0.0);
        Self { outcome: Outcome::IterationLimit, iterations: 0, history, reference, elapsed: Duration::ZERO }
    }

    /// Whether it is that of a loop inside another one.
    pub fn is_inside(&self) -> bool {
        self.history.is_empty()
    }
}

/// The loop's companion: sees each norm, decides when to end.
pub struct Monitor<'a> {
    stop: &'a Stop,
    threshold: f64,
    reference: f64,
    best: f64,
    best_at: usize,
    history: Vec<f64>,
    begun: Instant,
}

impl<'a> Monitor<'a> {
    /// Starts with the norm before the first iteration.
    pub fn new(stop: &'a Stop, start: f64) -> Self {
        let (reference, threshold) = (stop.reference_norm(start), stop.threshold(start));
        Self { stop, threshold, reference, best: start, best_at: 0, history: vec![start], begun: Instant::now() }
    }

    /// The norm at or below which the iteration has converged.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Most iterations.
    pub fn limit(&self) -> usize {
        self.stop.limit
    }

    /// Takes the norm after an iteration; the outcome if it was the last.
    pub fn observe(&mut self, norm: f64) -> Option<Outcome> {
        self.history.push(norm);
        let done = self.history.len() - 1;
        if norm < self.best {
            (self.best, self.best_at) = (norm, done);
        }
        let go_on = self.stop.observer.as_ref().is_none_or(|observer| (observer.0)(done, norm));
        self.verdict().or(if go_on { None } else { Some(Outcome::Interrupted) })
    }

    /// The outcome if the last norm seen ends the iteration.
    pub fn verdict(&self) -> Option<Outcome> {
        let norm = self.history[self.history.len() - 1];
        let done = self.history.len() - 1;
        if !norm.is_finite() {
            Some(Outcome::NonFinite)
        } else if norm <= self.threshold || norm == 0.0 {
            Some(Outcome::Converged)
        } else if norm > self.stop.divergence * self.reference.max(self.history[0]) {
            Some(Outcome::Diverged)
        } else if done >= self.stop.limit {
            Some(Outcome::IterationLimit)
        } else if self.stop.patience > 0 && self.threshold > 0.0 && done - self.best_at >= self.stop.patience {
            Some(Outcome::Stagnated)
        } else {
            None
        }
    }

    /// The result of the loop.
    pub fn finish(self, verdict: Option<Outcome>) -> Run {
        let outcome = verdict.unwrap_or(Outcome::IterationLimit);
        let (elapsed, reference) = (self.begun.elapsed(), self.reference);
        Run { outcome, iterations: self.history.len() - 1, history: self.history, reference, elapsed }
    }
}
