//! Compiled routines under the verified driver: the method is run, and its true residual is there when it has ended.

use super::super::machine::Engine as Recorded;
use super::super::routines::Routines;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held};
use galerkit_linalg::krylov::{Attempt, Run, Stop, Truth};
use galerkit_linalg::program::Vector;

/// The routines of a prepared method, as the verified driver sees them.
pub(in crate::solver) struct Driven<'a, S: Scalar> {
    pub(super) engine: &'a mut Recorded<S>,
    pub(super) compiled: &'a Routines,
    /// The norm of the first residual, if it is known.
    pub(super) known: Option<f64>,
    /// The method is to begin from zero, whatever x is.
    pub(super) from_zero: bool,
    /// The residual of the moment was computed behind the method.
    pub(super) examined: bool,
}

impl<'a, S: Scalar> Driven<'a, S> {
    /// Nothing is known yet; the method will begin from the x of the moment.
    pub(in crate::solver) fn new(engine: &'a mut Recorded<S>, compiled: &'a Routines) -> Self {
        Self { engine, compiled, known: None, from_zero: false, examined: false }
    }
    /// It will begin from x = 0, whose residual is b, of this norm if that is known.
    pub(in crate::solver) fn from_zero(
        engine: &'a mut Recorded<S>,
        compiled: &'a Routines,
        rhs_norm: Option<f64>,
        x: &mut Held<Vector>,
    ) -> Self {
        if rhs_norm == Some(0.0) {
            // Whether b is zero or its squares vanish is seen by looking at the residual first.
            engine.write(x, &vec![S::default(); x.name().length]);
        }
        let known = rhs_norm.filter(|norm| *norm > 0.0);
        Self { known, from_zero: true, ..Self::new(engine, compiled) }
    }
}

impl<S: Scalar> Attempt for Driven<'_, S> {
    fn examine(&mut self) -> Truth {
        if let Some(norm) = self.known.take() {
            return Truth { norm, watched: norm, indefinite: false, underflown: false };
        }
        let routine = if std::mem::take(&mut self.examined) {
            &self.compiled.solve
        } else {
            let _ = self.engine.run(&self.compiled.examine);
            &self.compiled.examine
        };
        let norm = self.engine.read_scalar(routine.scalars[0]);
        let underflown = norm == 0.0 && {
            let (r, zero) = (self.engine.download(&self.compiled.r), S::default());
            r.iter().any(|&value| value != zero)
        };
        Truth { norm, watched: norm, indefinite: false, underflown }
    }
    fn run(&mut self, stop: &Stop) -> Run {
        let from_zero = std::mem::take(&mut self.from_zero);
        let routine = if from_zero { &self.compiled.solve_from_zero } else { &self.compiled.solve };
        let mut runs = self.engine.run_until(routine, Some(stop));
        self.examined = true;
        runs.swap_remove(0)
    }
}
