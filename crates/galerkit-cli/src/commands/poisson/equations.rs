//! Spaces whose equations can be solved with a matrix, those that can do without, and those that bring a preconditioner
//! along.

use super::solve::Session;
use crate::plan::poisson::brought::Brought;
use crate::plan::poisson::operator::Operator;
use anyhow::{Result, bail};
use galerkit::fem::multigrid::{Operators, Settings};
use galerkit::fem::problem::{Discretisation, Interior, System};
use galerkit::fem::simplex::{SimplexSolution, SimplexSpace};
use galerkit::fem::{Multigrid, Problem, Solution, Space};
use galerkit::{EntityBlocks, OpenMap, Report};

/// A space that may do without a matrix.
pub trait Equations: Discretisation {
    /// Solves without a matrix; u_h, how it was found, and whether it is determined up to a constant.
    fn solve_matrix_free(
        session: &Session<'_>,
        problem: &Problem<Self>,
        words: &str,
    ) -> Result<(Self::Solution, Report, bool)>;

    /// The same with a preconditioner that is made of the problem, with a matrix or without.
    fn solve_brought(
        session: &Session<'_>,
        problem: &Problem<Self>,
        brought: Brought,
        words: &str,
    ) -> Result<(Self::Solution, Report, bool)>;
}

impl Equations for Space {
    fn solve_matrix_free(session: &Session<'_>, problem: &Problem, words: &str) -> Result<(Solution, Report, bool)> {
        let system = session.during_with("assembly", words, || problem.matrix_free())?;
        let (x, report) = session.linear_solve(&system.b, |solver| solver.solve_operator(&system))?;
        let solution = session.during("solve", || problem.solution(&system, &x))?;
        Ok((solution, report, system.is_mean_free()))
    }

    fn solve_brought(
        session: &Session<'_>,
        problem: &Problem,
        brought: Brought,
        words: &str,
    ) -> Result<(Solution, Report, bool)> {
        let solve = |A: OpenMap<f64>, b: &[f64], system: Option<&System>| {
            let A = conditioned(session, problem, brought, (A, system))?;
            session.linear_solve(b, |solver| solver.solve_map(A, b).map(|solution| (solution.x, solution.report)))
        };
        match session.plan.operator {
            Operator::Assembled => {
                let system =
                    session.during_with("assembly", words, || problem.assemble_semidefinite(Interior::Kept))?;
                let (x, report) = solve(OpenMap::assembled(&system), &system.b, Some(&system))?;
                Ok((problem.solution(&system, &x)?, report, system.is_mean_free()))
            }
            Operator::MatrixFree => {
                let system = session.during_with("assembly", words, || problem.matrix_free())?;
                let (x, report) = solve(OpenMap::matrix_free(&system), &system.b, None)?;
                Ok((problem.solution(&system, &x)?, report, system.is_mean_free()))
            }
        }
    }
}

/// An operator with its preconditioner.
fn conditioned(
    session: &Session<'_>,
    problem: &Problem,
    brought: Brought,
    (A, system): (OpenMap<f64>, Option<&System>),
) -> Result<OpenMap<f64>> {
    session.during_with("set-up", "of the preconditioner", || {
        Ok(match brought {
            Brought::Multigrid(precision) => A.preconditioned_by(match system {
                Some(system) => Multigrid::of_system(problem, system, &Settings { precision, ..Settings::default() })?,
                None => {
                    let operators = Operators::MatrixFree;
                    Multigrid::new(problem, &Settings { precision, operators, ..Settings::default() })?
                }
            }),
            Brought::Entities => A.preconditioned_by(EntityBlocks::new(problem)?),
        })
    })
}

impl Equations for SimplexSpace {
    fn solve_matrix_free(_: &Session<'_>, _: &Problem<Self>, _: &str) -> Result<(SimplexSolution, Report, bool)> {
        bail!("--operator matrix-free needs quadrilaterals or hexahedra: use --operator assembled")
    }

    fn solve_brought(
        _: &Session<'_>,
        _: &Problem<Self>,
        _: Brought,
        _: &str,
    ) -> Result<(SimplexSolution, Report, bool)> {
        bail!(
            "--precond multigrid and block-jacobi:entities need quadrilaterals or hexahedra: choose another --precond"
        )
    }
}
