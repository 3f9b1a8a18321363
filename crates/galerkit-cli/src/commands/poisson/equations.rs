//! Spaces whose equations can be solved with a matrix, those that can do without, and those that bring a preconditioner
//! along.

use super::solve::Session;
use crate::plan::poisson::PoissonPlan;
use crate::plan::poisson::brought::Brought;
use crate::plan::poisson::operator::Operator;
use anyhow::{Result, bail};
use galerkit::fem::multigrid::{Operators, Settings};
use galerkit::fem::problem::{Discretisation, Interior, System};
use galerkit::fem::simplex::{SimplexSolution, SimplexSpace};
use galerkit::fem::{Multigrid, Problem, Solution, Space};
use galerkit::linalg::program::Precision;
use galerkit::{Device, EntityBlocks, OpenMap, Report};

/// Up to so many unknowns a matrix is made and solved with before anything else is ready.
const SMALL: usize = 3000;
/// From this degree on, by the mean, cells are smaller than their rows of a matrix.
const HIGH: usize = 3;
/// From this one on Jacobi takes longer than p-multigrid with its set-up.
const STIFF: usize = 4;

/// A space that may do without a matrix.
pub trait Equations: Discretisation {
    /// With a matrix or without, and with which preconditioner that is made of the problem, if any.
    fn chosen(plan: &PoissonPlan, space: &Self) -> (Operator, Option<Brought>);

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
        chosen: (Operator, Brought),
        words: &str,
    ) -> Result<(Self::Solution, Report, bool)>;
}

impl Equations for Space {
    fn chosen(plan: &PoissonPlan, space: &Self) -> (Operator, Option<Brought>) {
        if let Some(operator) = plan.operator {
            return (operator, plan.brought);
        }
        let degrees = space.degrees();
        let is_at_least = |degree: usize| degrees.iter().sum::<usize>() >= degree * degrees.len();
        if space.dim() < 3 || space.unknowns() <= SMALL || !is_at_least(HIGH) {
            return (Operator::Assembled, plan.brought);
        }
        let is_on_host = || !matches!(plan.place.device.resolve_for_map(space.unknowns()).0, Device::Cuda(_));
        let multigrid =
            (plan.is_open && is_at_least(STIFF) && is_on_host()).then_some(Brought::Multigrid(Precision::Full));
        (Operator::MatrixFree, plan.brought.or(multigrid))
    }

    fn solve_matrix_free(session: &Session<'_>, problem: &Problem, words: &str) -> Result<(Solution, Report, bool)> {
        let system = session.during_with("assembly", words, || problem.matrix_free())?;
        let (x, report) = session.linear_solve(&system.b, |solver| solver.solve_operator(&system))?;
        let solution = session.during("solve", || problem.solution(&system, &x))?;
        Ok((solution, report, system.is_mean_free()))
    }

    fn solve_brought(
        session: &Session<'_>,
        problem: &Problem,
        (operator, brought): (Operator, Brought),
        words: &str,
    ) -> Result<(Solution, Report, bool)> {
        let solve = |A: OpenMap<f64>, b: &[f64], system: Option<&System>| {
            let A = conditioned(session, problem, brought, (A, system))?;
            session.linear_solve(b, |solver| solver.solve_map(A, b).map(|solution| (solution.x, solution.report)))
        };
        match operator {
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
    fn chosen(plan: &PoissonPlan, _: &Self) -> (Operator, Option<Brought>) {
        (Operator::Assembled, plan.brought)
    }

    fn solve_matrix_free(_: &Session<'_>, _: &Problem<Self>, _: &str) -> Result<(SimplexSolution, Report, bool)> {
        bail!("--operator matrix-free needs quadrilaterals or hexahedra: use --operator assembled")
    }

    fn solve_brought(
        _: &Session<'_>,
        _: &Problem<Self>,
        _: (Operator, Brought),
        _: &str,
    ) -> Result<(SimplexSolution, Report, bool)> {
        bail!(
            "--precond multigrid and block-jacobi:entities need quadrilaterals or hexahedra: choose another --precond"
        )
    }
}
