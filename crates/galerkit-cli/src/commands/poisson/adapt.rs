//! The automatic loop, with the linear solver of the plan.

use super::curve::Curve;
use super::figures::Figures;
use super::report::{Finished, finish};
use super::solve::{Session, Solved};
use super::{Ending, space};
use crate::interrupt::{self, Looping};
use crate::plan::poisson::data::Boundary;
use anyhow::{Result, bail};
use galerkit::Report;
use galerkit::fem::adapt::{Adapted, Cycle, Refinement};
use galerkit::fem::norm::Norms;
use galerkit::fem::{self, Forest, Problem, Space};
use std::cell::RefCell;
use std::time::Instant;

/// Curves for comparison end with so many times the unknowns of the first.
const LONGER: usize = 4;

/// What is kept of each solve of the loop.
struct Attempt {
    report: Report,
    errors: Option<Norms>,
    degrees: (usize, usize),
    dimension: usize,
    is_mean_free: bool,
    elapsed: f64,
}

/// Solves, estimates and refines until the tolerance is met.
pub fn run(session: &Session<'_>, forest: Forest, boundary: &Boundary) -> Result<Ending> {
    let plan = session.plan;
    let Some(adapt) = plan.adapt else { bail!("--adapt is missing") };
    let layers = plan.space.geometric.map_or(0, |geometric| geometric.layers);
    let first = space::space(&plan.space, &forest, layers, boundary)?;
    let cycle = |refinement, unknowns| Cycle { tolerance: adapt.tolerance, unknowns, refinement, ..Cycle::default() };
    let Some((adapted, attempts)) = refine(session, &first, boundary, cycle(Refinement::Hp, adapt.unknowns))? else {
        return Ok(Ending::Interrupted);
    };
    let mut curves = vec![Curve { name: "hp", points: points(&adapted, &attempts) }];
    if plan.compare && !adapted.is_stopped {
        let limit = LONGER * adapted.solution.space().unknowns();
        for (name, refinement) in [("h", Refinement::H), ("p", Refinement::P)] {
            let Some((adapted, attempts)) = refine(session, &first, boundary, cycle(refinement, limit))? else { break };
            curves.push(Curve { name, points: points(&adapted, &attempts) });
            if adapted.is_stopped {
                break;
            }
        }
    }
    let (Some(last), Some(figures)) = (attempts.into_iter().next_back(), curves[0].points.last()) else {
        bail!("the loop has solved nothing")
    };
    let (figures, reached) = (figures.clone(), Some(adapted.reached));
    let Attempt { report, is_mean_free, .. } = last;
    let solved = Solved::<Space> { solution: adapted.solution, figures, is_mean_free, report };
    finish(session, Finished { solved, curves, reached })
}

/// The loop from a space, and all its solves: two a pass, that of the answer last. Ctrl-C leaves the passes that were
/// done, none if the first was not.
fn refine(
    session: &Session<'_>,
    first: &Space,
    boundary: &Boundary,
    cycle: Cycle,
) -> Result<Option<(Adapted, Vec<Attempt>)>> {
    let _looping = Looping::begin();
    let attempts = RefCell::new(Vec::new());
    let (begun, before) = (Instant::now(), total(session));
    let state = |space| session.plan.data.problem(space, boundary);
    let solve = |problem: &Problem| {
        let failed = |error: anyhow::Error| match error.downcast::<fem::Error>() {
            Ok(error) => error,
            Err(error) => fem::Error::NotSolved { problem: format!("{error:#}") },
        };
        if interrupt::was_asked() {
            return Err(fem::Error::Stopped);
        }
        let (solution, report, is_mean_free) = session.equations_of(problem).map_err(failed)?;
        if interrupt::was_asked() {
            return Err(fem::Error::Stopped);
        }
        if !report.converged {
            return Err(fem::Error::NotSolved { problem: report.to_string() });
        }
        let is_answer = attempts.borrow().len() % 2 == 1; // the first of a pass is only estimated against
        let errors = match is_answer {
            true => session.during("errors", || session.errors(problem, &solution, is_mean_free))?,
            false => None,
        };
        let space = problem.space();
        let (degrees, dimension) = (fem::problem::Discretisation::degrees(&**space), space.dimension());
        let elapsed = session.begun.elapsed().as_secs_f64();
        attempts.borrow_mut().push(Attempt { report, errors, degrees, dimension, is_mean_free, elapsed });
        Ok(solution)
    };
    let looped = cycle.run_with(first.forest().clone(), first.degrees(), &boundary.dirichlet(), &state, &solve);
    session.spend("estimates", begun.elapsed().as_secs_f64() - (total(session) - before));
    let adapted = match looped {
        Err(fem::Error::Stopped) => return Ok(None),
        looped => looped?,
    };
    let mut attempts = attempts.into_inner();
    attempts.truncate(2 * adapted.steps.len()); // that of a pass which was stopped belongs to nothing
    Ok(Some((adapted, attempts)))
}

fn total(session: &Session<'_>) -> f64 {
    session.seconds().iter().map(|(_, seconds)| seconds).sum()
}

/// One point a pass.
fn points(adapted: &Adapted, attempts: &[Attempt]) -> Vec<Figures> {
    let dim = adapted.solution.space().dim();
    let of_pass = |(step, solves): (&fem::adapt::Step, &[Attempt])| {
        let Attempt { report, errors, degrees, dimension, elapsed, .. } = &solves[solves.len() - 1];
        Figures {
            dim,
            cells: step.cells,
            degree_min: degrees.0,
            degree_max: degrees.1,
            unknowns: step.unknowns,
            dimension: *dimension,
            energy: step.energy,
            energy_error: errors.map(|errors| errors.energy),
            l2_error: errors.map(|errors| errors.l2),
            estimate: Some(step.estimate),
            elapsed: Some(*elapsed),
            iterations: report.iterations,
            true_residual: report.true_residual,
        }
    };
    adapted.steps.iter().zip(attempts.chunks(2)).map(of_pass).collect()
}
