//! A tumour that evolves: its state lives in an engine, steps are compiled once for each scheme and run by the hundred
//! without the host, which afterwards reads what was measured after each of them.

use super::equations::{Equations, Recipe};
use super::krylov::{Effort, StepEngine, StepVector};
use super::layers::invalid;
use super::measure::Measures;
use super::method::Method;
use super::refactor::{Refactoring, by_the_host};
use super::scheme::Scheme;
use super::space::Collocation;
use crate::error::{Error, Result};
use galerkit_linalg::engine::{
    AnyExecutor, Counters, Engine, Entry, EntrySymbol, Executor, Number, Register, Routine, SlotRegister,
};
use galerkit_linalg::krylov::{Outcome, Run, Stop};

/// Steps that run without the host; what was measured after each fits this.
pub const MOST_STEPS: usize = 256;

/// What is solved, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Rate of growth.
    pub rho: f64,
    /// How systems are solved.
    pub method: Method,
    /// Tolerance of iterations, relative to right-hand sides.
    pub rtol: f64,
    /// The concentration from which on imaging shows a tumour; none: not measured.
    pub threshold: Option<f64>,
}

/// What was measured after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The mass.
    pub mass: f64,
    /// Length or area above the threshold.
    pub visible: f64,
    /// Iterations of all solves.
    pub iterations: usize,
    /// The largest true residual of a solve, relative to its right-hand side.
    pub residual: f64,
}

/// A step of some length by some scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The scheme.
    pub scheme: Scheme,
    /// Its length.
    pub dt: f64,
}

/// A state in an engine.
pub struct Evolution {
    settings: Settings,
    e: StepEngine,
    equations: Equations,
    measures: Measures,
    a: StepVector,
    effort: Effort,
    done: SlotRegister,
    /// What was measured after each step of a run, and the number of the step.
    lists: [StepVector; 4],
    numbers: StepVector,
    current: Option<Step>,
    renewals: usize,
    routines: Vec<(Scheme, Routine)>,
    estimated: Option<(Routine, SlotRegister)>,
    /// What keeps the state, and what brings it back.
    kept: Option<[Routine; 2]>,
    /// Steps and time so far, for errors.
    so_far: (usize, f64),
}

impl Evolution {
    /// Begins with coefficients. The host factors what depends on the step.
    ///
    /// # Errors
    /// If parameters are out of range or the method does not suit the mesh.
    pub fn new(
        executor: AnyExecutor<f64>,
        space: &Collocation,
        settings: Settings,
        coefficients: &[f64],
    ) -> Result<Self> {
        Self::with(executor, by_the_host, space, settings, coefficients)
    }

    /// The same with somebody who factors where steps run.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with(
        executor: AnyExecutor<f64>,
        refactoring: Refactoring,
        space: &Collocation,
        settings: Settings,
        coefficients: &[f64],
    ) -> Result<Self> {
        if !settings.rho.is_finite() {
            return Err(invalid("rho", settings.rho.to_string(), "the rate of growth is a finite number"));
        }
        if !(settings.rtol > 0.0 && settings.rtol < 1.0) {
            return Err(invalid("rtol", settings.rtol.to_string(), "above 0 and below 1"));
        }
        let mut e = StepEngine::over(executor);
        let Settings { rho, method, rtol, .. } = settings;
        let equations = Equations::new(&mut e, space, Recipe { method, rho, rtol, refactoring })?;
        let measures = Measures::new(&mut e, space, &equations, settings.threshold.unwrap_or(0.0))?;
        let a = e.upload(&equations.state(coefficients));
        let effort = Effort::new(&mut e);
        let none = e.number(0.0);
        let done = e.carry(none);
        let numbers: Vec<f64> = (0..MOST_STEPS).map(|k| k as f64).collect();
        let numbers = e.upload(&numbers);
        let lists = e.vectors_like(&numbers);
        let (current, renewals, routines) = (None, 0, Vec::new());
        Ok(Self {
            settings,
            e,
            equations,
            measures,
            a,
            effort,
            done,
            lists,
            numbers,
            current,
            renewals,
            routines,
            estimated: None,
            kept: None,
            so_far: (0, 0.0),
        })
    }

    /// How often what depends on the step was made.
    pub fn renewals(&self) -> usize {
        self.renewals
    }
    /// What the engine has done so far.
    pub fn counters(&self) -> Counters {
        self.e.executor().counters()
    }
    /// What runs the steps.
    pub fn executor(&self) -> &AnyExecutor<f64> {
        self.e.executor()
    }

    /// The state as the engine has it: what a checkpoint must hold to go on with equal bits.
    pub fn state(&mut self) -> Vec<f64> {
        self.e.download(&self.a)
    }
    /// Goes on from a state.
    ///
    /// # Errors
    /// If it has another length.
    pub fn restore(&mut self, state: &[f64]) -> Result<()> {
        let expected = self.e.length(&self.a);
        galerkit_linalg::error::check_length("the state", expected, state.len())?;
        self.e.write(&mut self.a, state);
        Ok(())
    }
    /// Keeps the state where it is, for [`go_back`](Self::go_back).
    pub fn keep(&mut self) {
        let Self { e, a, kept, .. } = self;
        let [keep, _] = kept.get_or_insert_with(|| {
            let mut copy = e.zeros_like(a);
            let keep = e.compile(|e| {
                e.copy(a, &mut copy);
                Vec::new()
            });
            let back = e.compile(|e| {
                e.copy(&copy, a);
                Vec::new()
            });
            [keep, back]
        });
        let _ = e.run(keep);
    }
    /// Goes back to the state that was kept last, if one was.
    pub fn go_back(&mut self) {
        if let Some([_, back]) = &self.kept {
            let _ = self.e.run(back);
        }
    }
    /// Coefficients of the spline.
    pub fn coefficients(&mut self) -> Vec<f64> {
        let state = self.state();
        self.equations.coefficients(&state)
    }

    /// Measures the state as it is.
    pub fn measure(&mut self) -> Measured {
        let mass = self.measures.mass(&mut self.e, &self.a);
        let mass = self.e.value(mass);
        let visible = match self.settings.threshold {
            Some(_) => {
                let visible = self.measures.visible(&mut self.e, &self.a);
                self.e.value(visible)
            }
            None => 0.0,
        };
        Measured { mass, visible, iterations: 0, residual: 0.0 }
    }

    /// Takes steps of one kind. What was measured after each.
    ///
    /// # Errors
    /// If a step is too long for the growth, or its systems are not solved.
    pub fn advance(&mut self, step: Step, count: usize) -> Result<Vec<Measured>> {
        self.prepare(step)?;
        let mut all = Vec::with_capacity(count);
        while all.len() < count {
            let some = (count - all.len()).min(MOST_STEPS);
            all.extend(self.run(step, some)?);
        }
        Ok(all)
    }

    /// Makes what depends on the step, where it is another one.
    fn prepare(&mut self, step: Step) -> Result<()> {
        let Step { scheme, dt } = step;
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(invalid("dt", dt.to_string(), "a step is a finite number above 0"));
        }
        let (rate, weight) = (self.settings.rho, scheme.weight());
        let product = rate * dt * weight;
        if product >= 1.0 {
            return Err(Error::StepTooLong { rate, step: dt, weight, product });
        }
        if self.current != Some(step) {
            if self.equations.renew(&mut self.e, rate, weight * dt, dt)? {
                self.routines.clear();
                self.estimated = None;
            }
            (self.current, self.renewals) = (Some(step), self.renewals + 1);
        }
        Ok(())
    }

    fn run(&mut self, step: Step, count: usize) -> Result<Vec<Measured>> {
        let known = self.routines.iter().position(|(scheme, _)| *scheme == step.scheme);
        let known = known.unwrap_or_else(|| {
            let routine = self.record(step.scheme);
            self.routines.push((step.scheme, routine));
            self.routines.len() - 1
        });
        let runs = self.e.run_until(&self.routines[known].1, Some(&steps(count)));
        let ended = runs.first().map(|run: &Run| (run.outcome, run.iterations));
        let (outcome, taken) = ended.unwrap_or((Outcome::NonFinite, 0));
        if outcome != Outcome::IterationLimit || taken != count {
            let (step_number, time) = (self.so_far.0 + taken + 1, self.so_far.1 + taken as f64 * step.dt);
            return Err(Error::StepFailed { step: step_number, time, problem: outcome.advice().into() });
        }
        self.so_far = (self.so_far.0 + count, self.so_far.1 + count as f64 * step.dt);
        let lists: Vec<Vec<f64>> = self.lists.iter().map(|list| self.e.download(list)).collect();
        let measured = |k: usize| Measured {
            mass: lists[0][k],
            visible: lists[1][k],
            iterations: lists[2][k] as usize,
            residual: lists[3][k],
        };
        Ok((0..count).map(measured).collect())
    }

    /// Steps of a scheme as a routine.
    fn record(&mut self, scheme: Scheme) -> Routine {
        let Self { settings, e, equations, measures, a, effort, done, lists, numbers, .. } = self;
        e.compile(|e| {
            let (none, one) = (e.number(0.0), e.number(1.0));
            done.set(none);
            let _ = e.iterate(&steps(MOST_STEPS), one, |e| {
                effort.reset(e);
                equations.step(e, scheme, *effort, a);
                let visible = match settings.threshold {
                    Some(_) => measures.visible(e, a),
                    None => e.number(0.0),
                };
                let found = [measures.mass(e, a), visible, effort.iterations.get(), effort.residual.get()];
                let now = done.get();
                let [mass, area, iterations, residual] = &mut *lists;
                e.pointwise([mass, area, iterations, residual], [numbers], |listed, [number]| {
                    let now = EntrySymbol::scalar(now);
                    let is_this = EntrySymbol::both(number.at_most(now), now.at_most(number));
                    std::array::from_fn(|k| EntrySymbol::select(is_this, EntrySymbol::scalar(found[k]), listed[k]))
                });
                let one = e.number(1.0);
                done.set(now + one);
                e.number(1.0).abs()
            });
            Vec::new()
        })
    }

    /// Tries a step of DIRK; the estimate of its error relative to the state. The state has taken it.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn attempt(&mut self, dt: f64) -> Result<f64> {
        self.prepare(Step { scheme: Scheme::Dirk, dt })?;
        if self.estimated.is_none() {
            let Self { e, equations, a, effort, .. } = self;
            let none = e.number(0.0);
            let kept = e.carry(none);
            let routine = e.compile(|e| {
                let one = e.number(1.0);
                let _ = e.iterate(&steps(1), one, |e| {
                    effort.reset(e);
                    let estimate = equations.step_estimated(e, *effort, a);
                    kept.set(estimate);
                    e.number(1.0).abs()
                });
                Vec::new()
            });
            self.estimated = Some((routine, kept));
        }
        let Some((routine, estimate)) = &self.estimated else { unreachable!("just made") };
        let runs = self.e.run(routine);
        let estimate = self.e.read(*estimate);
        match runs.first().map(|run| run.outcome) {
            Some(Outcome::IterationLimit) => Ok(estimate),
            other => {
                let problem = other.map_or("nothing ran", Outcome::advice).into();
                Err(Error::StepFailed { step: self.so_far.0 + 1, time: self.so_far.1, problem })
            }
        }
    }
}

/// So many steps, whatever happens.
fn steps(count: usize) -> Stop {
    Stop { rtol: 0.0, atol: 0.0, limit: count, replacement: 0, patience: 0, ..Stop::default() }
}
