//! Spaces whose equations can be solved with a matrix, and those that can do without.

use super::solve::Session;
use anyhow::{Result, bail};
use galerkit::Report;
use galerkit::fem::problem::Discretisation;
use galerkit::fem::simplex::{LagrangeSolution, LagrangeSpace};
use galerkit::fem::{Problem, Solution, Space};

/// A space that may do without a matrix.
pub trait Equations: Discretisation {
    /// Solves without a matrix; u_h, how it was found, and whether it is determined up to a constant.
    fn solve_matrix_free(
        session: &Session<'_>,
        problem: &Problem<Self>,
        words: &str,
    ) -> Result<(Self::Solution, Report, bool)>;
}

impl Equations for Space {
    fn solve_matrix_free(session: &Session<'_>, problem: &Problem, words: &str) -> Result<(Solution, Report, bool)> {
        let system = session.during("assembly", words, || problem.matrix_free())?;
        let (x, report) = session.linear_solve(&system.b, |solver| solver.solve_operator(&system))?;
        let solution = session.during("solve", "", || problem.solution(&system, &x))?;
        Ok((solution, report, system.is_mean_free()))
    }
}

impl Equations for LagrangeSpace {
    fn solve_matrix_free(_: &Session<'_>, _: &Problem<Self>, _: &str) -> Result<(LagrangeSolution, Report, bool)> {
        bail!("--operator matrix-free needs quadrilaterals or hexahedra: use --operator assembled")
    }
}
