//! The driver that makes answers trustworthy. A method watches a recursive residual, which drifts away from b - A x; so
//! when it claims convergence the true residual is computed, and if that is above the threshold the method starts again
//! from it, with the first start's reference and what is left of the iterations (van der Vorst and Ye 2000 call it
//! residual replacement). Restarts that gain less than a factor 2 have met the limit of the precision: stagnated. A
//! method that breaks down on its way is started again too, a few times: BiCGSTAB's shadow residual is then another
//! one.
//!
//! Written in an engine's verbs; it looks at a number only between solves.

use crate::engine::{Engine, Operator};
use crate::program::{Observer, Outcome, Reference, Run, Stop, Watch};
use crate::scalar::Scalar;
use std::sync::Arc;

/// A method such as [`cg`](super::cg): A, M (approximating the inverse of A), b, x (the start, and the answer) and
/// when to stop. Parameters of a method's own are captured by a closure.
pub type Method<'a, E> = &'a dyn Fn(
    &mut E,
    &dyn Operator<E>,
    &dyn Operator<E>,
    &<E as Engine>::Vector,
    &mut <E as Engine>::Vector,
    &Stop,
) -> Run;

/// What came of a verified solve.
#[derive(Clone, Debug)]
#[must_use]
pub struct Verified {
    /// All starts as one run. Where the method started again, the history has the true norm in place of the recursive
    /// one, so that it still holds one norm more than there were iterations.
    pub run: Run,
    /// Euclidean norm of b - A x for the x that is returned.
    pub true_residual: f64,
    /// Euclidean norm of b - A x for the x that came.
    pub start: f64,
    /// How often the method was started again.
    pub restarts: usize,
}

impl Verified {
    /// The norm that the method watched, by its own account, at the end.
    pub fn recursive_residual(&self) -> f64 {
        self.run.history[self.run.history.len() - 1]
    }
}

/// The true residual of the moment.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// Its Euclidean norm.
    pub norm: f64,
    /// The norm that the user asked to watch.
    pub watched: f64,
    /// (r, M r) is negative.
    pub indefinite: bool,
    /// Some entry is not zero although the norm is: its square underflowed.
    pub underflown: bool,
}

/// A method that can be run again and again on one system, and looked at in between: spoken in verbs, or compiled to
/// routines.
pub trait Attempt {
    /// Computes r = b - A x and its norms.
    fn examine(&mut self) -> Truth;
    /// Runs the method from the x of the moment.
    fn run(&mut self, stop: &Stop) -> Run;
}

/// Runs a method and accepts its "converged" only if the true residual b - A x meets the threshold of `stop`, in the
/// norm the user asked for: Euclidean, or sqrt((r, M r)) with [`Watch::Preconditioned`].
/// A start that is already good enough is returned untouched after 0 iterations.
pub fn verified<E: Engine>(
    e: &mut E,
    method: Method<E>,
    A: &dyn Operator<E>,
    M: &dyn Operator<E>,
    b: &E::Vector,
    x: &mut E::Vector,
    stop: &Stop,
) -> Verified {
    let r = e.zeros_like(b);
    verify(&mut Spoken { e, method, A, M, b, x, r, watch: stop.watch }, E::Scalar::eps(), stop)
}

/// The same for any attempt, in a precision with this unit round-off.
pub fn verify(attempt: &mut dyn Attempt, eps: f64, stop: &Stop) -> Verified {
    let (begin, mut run) = begin(attempt, stop);
    let fixed = Stop { reference: Reference::Given(run.reference), ..stop.clone() };
    let threshold = fixed.threshold(begin.watched);
    let mut past = Past { restarts: 0, breakdowns: 0, norm: begin.watched, iterations: run.iterations };
    loop {
        let truth = attempt.examine();
        let outcome = judge(&run, &truth, threshold, eps.powi(2) * begin.watched);
        if let Some(outcome) = past.end(outcome, &truth, run.iterations < stop.limit) {
            run.outcome = outcome;
            return Verified { run, true_residual: truth.norm, start: begin.norm, restarts: past.restarts };
        }
        let again = attempt.run(&resume(&fixed, run.iterations));
        past.restarts += 1;
        past.breakdowns += usize::from(outcome.is_some());
        (past.norm, past.iterations) = (truth.watched, again.iterations);
        run = join(run, again);
    }
}

/// The first start: its residual, and what came of it. Where the reference is a scalar of the program the host does not
/// look before the method has run: the residual is then the one that the method began with.
fn begin(attempt: &mut dyn Attempt, stop: &Stop) -> (Truth, Run) {
    if matches!(stop.reference, Reference::Scalar(_)) {
        let run = attempt.run(stop);
        let norm = run.history[0];
        return (Truth { norm, watched: norm, indefinite: false, underflown: false }, run);
    }
    let begin = attempt.examine();
    let reference = Reference::Given(stop.reference_norm(begin.watched));
    let run = attempt.run(&Stop { reference, ..stop.clone() });
    (begin, run)
}

/// A method spoken in an engine's verbs.
struct Spoken<'a, E: Engine> {
    e: &'a mut E,
    method: Method<'a, E>,
    A: &'a dyn Operator<E>,
    M: &'a dyn Operator<E>,
    b: &'a E::Vector,
    x: &'a mut E::Vector,
    r: E::Vector,
    watch: Watch,
}

impl<E: Engine> Attempt for Spoken<'_, E> {
    fn examine(&mut self) -> Truth {
        examine(self.e, self.A, self.M, self.b, self.x, &mut self.r, self.watch)
    }
    fn run(&mut self, stop: &Stop) -> Run {
        (self.method)(self.e, self.A, self.M, self.b, self.x, stop)
    }
}

/// What came before the moment.
struct Past {
    restarts: usize,
    /// Restarts because of a breakdown.
    breakdowns: usize,
    /// The true norm at the last start.
    norm: f64,
    /// Iterations since the last start.
    iterations: usize,
}

/// A method that breaks down again and again does not suit the matrix.
const MOST_BREAKDOWNS: usize = 5;

impl Past {
    /// How the solve ends; none if the method is to start again.
    fn end(&self, outcome: Option<Outcome>, truth: &Truth, has_iterations_left: bool) -> Option<Outcome> {
        match outcome {
            // One that breaks down at once would do so again.
            Some(Outcome::Breakdown) if self.iterations > 0 && self.breakdowns < MOST_BREAKDOWNS => {
                Some(Outcome::Breakdown).filter(|_| !has_iterations_left || !truth.watched.is_finite())
            }
            Some(outcome) => Some(outcome),
            None if self.restarts > 0 && truth.watched > self.norm / 2.0 => Some(Outcome::Stagnated),
            None if !has_iterations_left => Some(Outcome::IterationLimit),
            None => None,
        }
    }
}

/// Computes r = b - A x and its norms.
fn examine<E: Engine>(
    e: &mut E,
    A: &dyn Operator<E>,
    M: &dyn Operator<E>,
    b: &E::Vector,
    x: &E::Vector,
    r: &mut E::Vector,
    watch: Watch,
) -> Truth {
    e.residual(A, b, x, r);
    let number = e.norm(r);
    let norm = e.value(number);
    let underflown = norm == 0.0 && e.download(r).iter().any(|&value| value != E::Scalar::default());
    if watch == Watch::Residual {
        return Truth { norm, watched: norm, indefinite: false, underflown };
    }
    let mut z = e.zeros_like(r);
    e.apply(M, r, &mut z);
    let number = e.dot(r, &z);
    let square = e.value(number);
    Truth { norm, watched: square.abs().sqrt(), indefinite: square < 0.0, underflown }
}

/// The final outcome, or none if the method claims convergence and the true residual does not bear it out.
fn judge(run: &Run, truth: &Truth, threshold: f64, noise: f64) -> Option<Outcome> {
    if !exhausted(run, noise) {
        return Some(run.outcome);
    }
    if !truth.watched.is_finite() {
        Some(Outcome::NonFinite)
    } else if truth.indefinite {
        Some(Outcome::PreconditionerNotPositiveDefinite)
    } else if truth.underflown {
        Some(Outcome::Breakdown)
    } else if truth.watched <= threshold {
        Some(Outcome::Converged)
    } else {
        None
    }
}

/// Whether the recursive residual has nothing left to say: the method claims convergence, or a test of definiteness
/// failed when the residual was so small that its inner products are noise or have underflowed.
fn exhausted(run: &Run, noise: f64) -> bool {
    let last = run.history[run.history.len() - 1];
    match run.outcome {
        Outcome::Converged => true,
        Outcome::NotPositiveDefinite | Outcome::PreconditionerNotPositiveDefinite => last <= noise,
        _ => false,
    }
}

/// The criteria for what is left after `done` iterations; the observer goes on counting.
fn resume(stop: &Stop, done: usize) -> Stop {
    let observer = stop.observer.clone().map(|Observer(tell)| Observer(Arc::new(move |i, norm| tell(done + i, norm))));
    Stop { limit: stop.limit - done, observer, ..stop.clone() }
}

/// One run out of two, the second having started where the first ended.
fn join(mut first: Run, second: Run) -> Run {
    first.history.pop();
    first.history.extend(second.history);
    Run {
        outcome: second.outcome,
        iterations: first.iterations + second.iterations,
        history: first.history,
        reference: first.reference,
        elapsed: first.elapsed + second.elapsed,
    }
}
