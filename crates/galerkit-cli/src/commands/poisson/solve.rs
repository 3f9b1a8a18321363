//! One problem: its equations made, solved, measured; phase by phase.

use super::equations::Equations;
use super::figures::{Figures, errors_up_to_a_constant};
use crate::interrupt;
use crate::output::Output;
use crate::output::phases::Phases;
use crate::output::progress::Progress;
use crate::plan::poisson::PoissonPlan;
use crate::plan::poisson::data::Boundary;
use crate::plan::poisson::operator::Operator;
use anyhow::Result;
use galerkit::fem::norm::Norms;
use galerkit::fem::problem::Discretisation;
use galerkit::fem::{self, Problem};
use galerkit::{Go, Report, Solver};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

/// A run of the command: the plan, where it speaks, and the time it takes.
pub struct Session<'a> {
    pub plan: &'a PoissonPlan,
    pub output: Output,
    pub begun: Instant,
    phases: RefCell<Phases>,
}

/// A solution and what is known of it.
pub struct Solved<V: Discretisation> {
    pub solution: V::Solution,
    pub figures: Figures,
    pub is_mean_free: bool,
    pub report: Report,
}

impl<'a> Session<'a> {
    /// Begins.
    pub fn new(plan: &'a PoissonPlan, output: Output) -> Self {
        let phases = RefCell::new(Phases::new(output.watched && !plan.quiet));
        Self { plan, output, begun: Instant::now(), phases }
    }
    /// Runs and times a phase.
    pub fn during<T>(&self, name: &'static str, words: &str, work: impl FnOnce() -> T) -> T {
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
    /// Says something on the side, unless it should be quiet.
    pub fn note(&self, text: &str) {
        if !self.plan.quiet {
            self.output.note(text);
        }
    }

    /// Solves the problem of the plan on a space.
    pub fn solve<V: Equations>(&self, space: V, boundary: &Boundary) -> Result<Solved<V>> {
        let problem = self.plan.data.problem(Arc::new(space), boundary);
        let (solution, report, is_mean_free) = self.equations_of(&problem)?;
        let (energy, errors) = self.during("errors", "", || {
            Ok::<_, fem::Error>((V::energy(&problem, &solution)?, self.errors(&problem, &solution, is_mean_free)?))
        })?;
        let figures = Figures::new::<V>(problem.space(), energy, errors, &report);
        Ok(Solved { solution, figures, is_mean_free, report })
    }

    /// Makes the equations and solves them; u_h, how it was found, and whether it is determined up to a constant.
    pub fn equations_of<V: Equations>(&self, problem: &Problem<V>) -> Result<(V::Solution, Report, bool)> {
        let words = format!("of {} unknowns", problem.space().unknowns());
        if self.plan.operator == Operator::MatrixFree {
            return V::solve_matrix_free(self, problem, &words);
        }
        let system = self.during("assembly", &words, || V::assemble(problem, self.plan.interior))?;
        let solve = |solver: &Solver| solver.solve_equations::<V>(&system);
        let (x, report) = self.linear_solve(V::equations(&system).1, solve)?;
        let solution = self.during("solve", "", || V::solution(problem, &system, &x))?;
        Ok((solution, report, V::is_mean_free(&system)))
    }

    /// Norms of u - u_h where u is known.
    pub fn errors<V: Discretisation>(
        &self,
        problem: &Problem<V>,
        solution: &V::Solution,
        is_mean_free: bool,
    ) -> fem::Result<Option<Norms>> {
        let Some(exact) = &self.plan.data.exact else { return Ok(None) };
        let errors = if is_mean_free {
            errors_up_to_a_constant(problem, solution, exact)
        } else {
            V::errors(problem, solution, exact)
        };
        errors.map(Some)
    }

    /// The linear solve, under a progress bar that Ctrl-C can stop.
    pub fn linear_solve(
        &self,
        b: &[f64],
        solve: impl FnOnce(&Solver) -> galerkit::Result<(Vec<f64>, Report)>,
    ) -> Result<(Vec<f64>, Report)> {
        let begun = Instant::now();
        let start = b.iter().map(|b| b * b).sum::<f64>().sqrt();
        let target = self.plan.solver.rtol_for::<f64>() * start;
        let progress = Arc::new(Progress::new(start, target, self.output.watched && !self.plan.quiet));
        let watching = progress.clone();
        let solver = self.plan.solver.clone().observer(move |progress| {
            watching.update(progress.iteration, progress.residual_norm);
            if interrupt::goes_on() { Go::On } else { Go::Stop }
        });
        let solved = solve(&solver);
        interrupt::iteration_is_over();
        progress.finish();
        self.spend("solve", begun.elapsed().as_secs_f64());
        Ok(solved?)
    }
}
