//! The scheme `strang` with steps that are halved where they fail: where a potential is no cell's any more. Launches
//! are long, failures rare: a launch that ends well costs nothing more. One that does not is undone and taken again a
//! millisecond at a time, until the one that fails is found; that is undone, and the run goes on from there with half
//! the step. So where it happens does not depend on how long launches are. After six times it ends.

use super::cell::Cell;
use super::crossings::Crossings;
use super::matrices::Matrices;
use super::scheme::{Counts, Machine, Recovery, Scheme, Vector};
use super::strang::{Diffusion, Settings, Strang};
use crate::error::{Error, Result};
use std::sync::Arc;

/// Steps may become shorter by this.
const SHORTEST: f64 = 1.0 / 64.0;
/// What is taken again at a time where something has failed, in ms.
const BLOCK: f64 = 1.0;

/// A run that can go back.
pub struct Halving<C: Cell> {
    inner: Option<Strang<C>>,
    matrices: Arc<Matrices>,
    settings: Settings,
    first: f64,
    /// What was counted before steps became shorter, and how many of the shorter ones that would have been.
    before: Counts,
    mark: u64,
}

impl<C: Cell> Halving<C> {
    /// Compiles the scheme; the tissue is at rest.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn new(e: &mut Machine, matrices: Arc<Matrices>, cell: C, settings: &Settings) -> Result<Self> {
        let inner = Some(Strang::new(e, &matrices, cell, settings)?);
        let (settings, first) = (settings.clone(), settings.dt);
        Ok(Self { inner, matrices, settings, first, before: Counts::default(), mark: 0 })
    }

    fn inner(&self) -> &Strang<C> {
        self.inner.as_ref().expect("it is gone only while it is made anew")
    }
    fn inner_mut(&mut self) -> &mut Strang<C> {
        self.inner.as_mut().expect("it is gone only while it is made anew")
    }

    /// Steps to the end of the block that this time is in.
    fn block(&self) -> u64 {
        let steps = ((BLOCK / self.settings.dt + 1e-9) as u64).max(1);
        steps - self.steps_of(self.time()) % steps
    }

    fn steps_of(&self, time: f64) -> u64 {
        (time / self.settings.dt).round() as u64
    }

    /// On from here with half the step.
    fn halve(&mut self, e: &mut Machine) -> Result<()> {
        let (time, counts) = (self.time(), self.inner().counts(e));
        if 0.5 * self.settings.dt < SHORTEST * self.first {
            return Err(Error::Unstable { time, largest: 0.5 + self.inner().reach() });
        }
        self.before.steps += counts.steps - self.mark;
        self.before.cg_iterations += counts.cg_iterations;
        self.settings.dt *= 0.5;
        self.mark = self.steps_of(time);
        self.renew(e)
    }

    /// Compiles for steps of another length, where it is.
    fn renew(&mut self, e: &mut Machine) -> Result<()> {
        let Some(inner) = self.inner.take() else { return Ok(()) };
        self.inner = Some(inner.restarted(e, &self.matrices, &self.settings)?);
        Ok(())
    }
}

impl<C: Cell> Scheme for Halving<C> {
    fn name(&self) -> &'static str {
        self.inner().name()
    }
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()> {
        let (mut is_damped, mut careful_until) = (after_jump, f64::NEG_INFINITY);
        loop {
            let left = self.inner().steps_until(time);
            if left == 0 {
                return Ok(());
            }
            let block = if self.time() < careful_until { self.block().min(left) } else { left };
            let (steps, how) =
                if is_damped { (1, Diffusion::BackwardEuler) } else { (block, Diffusion::CrankNicolson) };
            if self.inner_mut().advance(e, steps, how).is_finite() {
                is_damped = false;
                continue;
            }
            careful_until = self.time();
            self.inner_mut().go_back(e, steps, how);
            if steps <= self.block() {
                self.before.failed_steps += steps;
                self.halve(e)?;
                is_damped = true;
            }
        }
    }
    fn refill(&mut self, e: &mut Machine, matrices: &Arc<Matrices>) -> Result<bool> {
        self.matrices = matrices.clone();
        self.inner_mut().refill(e, matrices)
    }
    fn time(&self) -> f64 {
        self.inner().time()
    }
    fn phi(&mut self) -> &mut Vector {
        self.inner_mut().phi()
    }
    fn recovery(&mut self, e: &mut Machine) -> Recovery {
        self.inner_mut().recovery(e)
    }
    fn current(&mut self) -> &mut Vector {
        self.inner_mut().current()
    }
    fn crossings(&mut self) -> &mut Crossings<Machine> {
        self.inner_mut().crossings()
    }
    fn allow(&mut self, reach: f64) {
        self.inner_mut().allow(reach);
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
    /// The step, and what was counted before it became so.
    fn numbers(&self) -> Vec<f64> {
        vec![self.settings.dt, self.before.steps as f64, self.before.failed_steps as f64, self.mark as f64]
    }
    fn set_numbers(&mut self, e: &mut Machine, numbers: &[f64]) -> Result<bool> {
        let [dt, steps, failed_steps, mark] = *numbers else { return Ok(false) };
        let halvings = (self.first / dt).log2();
        if halvings.fract() != 0.0 || !(0.0..=6.0).contains(&halvings) {
            return Ok(false);
        }
        self.before = Counts { steps: steps as u64, failed_steps: failed_steps as u64, ..Counts::default() };
        self.mark = mark as u64;
        if dt != self.settings.dt {
            self.settings.dt = dt;
            self.renew(e)?;
        }
        Ok(true)
    }
}
