//! One problem: its equations made, solved, measured; phase by phase.

use super::equations::Equations;
use super::figures::{Figures, errors_up_to_a_constant};
use crate::plan::poisson::PoissonPlan;
use crate::plan::poisson::data::Boundary;
use crate::plan::poisson::operator::Operator;
use anyhow::Result;
use galerkit::fem::norm::Norms;
use galerkit::fem::problem::Discretisation;
use galerkit::fem::{self, Problem};
use galerkit::{Report, Solver};
use std::sync::Arc;

/// What is said of an exact solution between whose peaks cells are too large.
const UNRESOLVED: &str = "note: the cells do not resolve the exact solution: errors are at least those shown, the \
                          true ones are unknown; refine, or raise degrees";

/// A run of the command.
pub type Session<'a> = crate::commands::session::Session<'a, PoissonPlan>;

/// A solution and what is known of it.
pub struct Solved<V: Discretisation> {
    pub solution: V::Solution,
    pub figures: Figures,
    pub is_mean_free: bool,
    pub report: Report,
}

impl Session<'_> {
    /// Solves the problem of the plan on a space.
    pub fn solve<V: Equations>(&self, space: V, boundary: &Boundary) -> Result<Solved<V>> {
        let problem = self.plan.data.problem(Arc::new(space), boundary);
        let (solution, report, is_mean_free) = self.equations_of(&problem)?;
        let (energy, errors) = self.during("errors", || {
            Ok::<_, fem::Error>((V::energy(&problem, &solution)?, self.errors(&problem, &solution, is_mean_free)?))
        })?;
        let figures = Figures::new::<V>(problem.space(), energy, errors, &report);
        Ok(Solved { solution, figures, is_mean_free, report })
    }

    /// Makes the equations and solves them; u_h, how it was found, and whether it is determined up to a constant.
    pub fn equations_of<V: Equations>(&self, problem: &Problem<V>) -> Result<(V::Solution, Report, bool)> {
        let words = format!("of {} unknowns", problem.space().unknowns());
        match V::chosen(self.plan, problem.space()) {
            (operator, Some(brought)) => return V::solve_brought(self, problem, (operator, brought), &words),
            (Operator::MatrixFree, None) => return V::solve_matrix_free(self, problem, &words),
            (Operator::Assembled, None) => {}
        }
        let system = self.during_with("assembly", &words, || V::assemble(problem, self.plan.interior))?;
        let solve = |solver: &Solver| solver.solve_equations::<V>(&system);
        let (x, report) = self.linear_solve(V::equations(&system).1, solve)?;
        let solution = self.during("solve", || V::solution(problem, &system, &x))?;
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
        let measured = if is_mean_free {
            errors_up_to_a_constant(problem, solution, exact)?
        } else {
            V::measured(problem, solution, exact)?
        };
        if !measured.is_resolved {
            self.note(UNRESOLVED);
        }
        Ok(Some(measured.norms))
    }

    /// The linear solve, under a progress bar that Ctrl-C can stop.
    pub fn linear_solve(
        &self,
        b: &[f64],
        solve: impl FnOnce(&Solver) -> galerkit::Result<(Vec<f64>, Report)>,
    ) -> Result<(Vec<f64>, Report)> {
        Ok(self.watched(&self.plan.solver, b, |solver| solve(&solver))?)
    }
}
