//! The scheme `strang` with steps that are halved where they fail: where the potential has left every bound the run goes back to where it was
//! last looked at, and on from there with half the length; after six times it ends.

use super::cell::Cell;
use super::crossings::Crossings;
use super::matrices::Matrices;
use super::scheme::{Counts, Machine, Scheme, Vector};
use super::strang::{Settings, Strang};
use crate::error::{Error, Result};
use galerkit_linalg::engine::{Engine, Routine};

/// Steps may become shorter by this.
const SHORTEST: f64 = 1.0 / 64.0;
/// A larger |phi| is no potential of a cell; stimuli may set more than 1.
const BOUND: f64 = 5.0;

/// A run that can go back.
pub struct Halving<C: Cell> {
    inner: Option<Strang<C>>,
    matrices: Matrices,
    settings: Settings,
    first: f64,
    keep: Routine,
    give_back: Routine,
    look: Routine,
    /// What was counted before steps became shorter, and how many of the shorter ones that would have been.
    before: Counts,
    mark: u64,
}

impl<C: Cell> Halving<C> {
    /// Compiles the scheme; the tissue is at rest.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn new(e: &mut Machine, matrices: Matrices, cell: C, settings: &Settings) -> Result<Self> {
        let mut inner = Strang::new(e, &matrices, cell, settings)?;
        let look = e.compile(|e| vec![e.norm_inf(inner.phi())]);
        let mut kept: Vec<Vector> = inner.vectors().into_iter().map(|vector| e.zeros_like(vector)).collect();
        let keep = e.compile(|e| {
            inner.vectors().into_iter().zip(&mut kept).for_each(|(vector, kept)| e.copy(vector, kept));
            Vec::new()
        });
        let give_back = e.compile(|e| {
            inner.vectors().into_iter().zip(&kept).for_each(|(vector, kept)| e.copy(kept, vector));
            Vec::new()
        });
        let (settings, first) = (settings.clone(), settings.dt);
        Ok(Self {
            inner: Some(inner),
            matrices,
            settings,
            first,
            keep,
            give_back,
            look,
            before: Counts::default(),
            mark: 0,
        })
    }

    fn inner(&self) -> &Strang<C> {
        self.inner.as_ref().expect("it is gone only while it is made anew")
    }
    fn inner_mut(&mut self) -> &mut Strang<C> {
        self.inner.as_mut().expect("it is gone only while it is made anew")
    }

    fn largest(&self, e: &mut Machine) -> f64 {
        let _ = e.run(&self.look);
        e.read_scalar(self.look.scalars[0])
    }

    /// Back to a time, and on from there with half the step.
    fn halve(&mut self, e: &mut Machine, time: f64, largest: f64) -> Result<()> {
        let counts = self.inner().counts(e);
        let _ = e.run(&self.give_back);
        self.settings.dt *= 0.5;
        if self.settings.dt < SHORTEST * self.first {
            return Err(Error::Unstable { time, largest });
        }
        let steps = |dt: f64| (time / dt).round() as u64;
        let good = steps(2.0 * self.settings.dt);
        self.before.failed_steps += counts.steps.saturating_sub(good);
        self.before.steps += good - self.mark;
        self.mark = steps(self.settings.dt);
        self.inner_mut().set_time(time);
        let Some(inner) = self.inner.take() else { return Ok(()) };
        self.inner = Some(inner.restarted(e, &self.matrices, &self.settings)?);
        self.before.cg_iterations += counts.cg_iterations;
        Ok(())
    }
}

impl<C: Cell> Scheme for Halving<C> {
    fn name(&self) -> &'static str {
        self.inner().name()
    }
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()> {
        let (begun, mut after_jump) = (self.time(), after_jump);
        let _ = e.run(&self.keep);
        loop {
            self.inner_mut().run_until(e, time, after_jump)?;
            let largest = self.largest(e);
            if largest <= BOUND {
                return Ok(());
            }
            self.halve(e, begun, largest)?;
            after_jump = true;
        }
    }
    fn refill(&mut self, e: &mut Machine, matrices: &Matrices) -> Result<bool> {
        self.matrices = matrices.clone();
        self.inner_mut().refill(e, matrices)
    }
    fn time(&self) -> f64 {
        self.inner().time()
    }
    fn phi(&mut self) -> &mut Vector {
        self.inner_mut().phi()
    }
    fn current(&mut self) -> &mut Vector {
        self.inner_mut().current()
    }
    fn crossings(&mut self) -> &mut Crossings<Machine> {
        self.inner_mut().crossings()
    }
    fn counts(&self, e: &mut Machine) -> Counts {
        let Counts { steps, cg_iterations, .. } = self.inner().counts(e);
        let steps = self.before.steps + steps.saturating_sub(self.mark);
        Counts { steps, cg_iterations: self.before.cg_iterations + cg_iterations, ..self.before }
    }
    fn vectors(&mut self) -> Vec<&mut Vector> {
        self.inner_mut().vectors()
    }
    fn set_time(&mut self, time: f64) {
        self.inner_mut().set_time(time);
    }
}
