//! `galerkit elasticity`: mesh, body, assembly, solve, stresses, files.
//!
//! | file | what |
//! |---|---|
//! | [`body`] | from the plan to a mesh, and a body with its supports and loads |
//! | [`solved`] | what came out |
//! | [`picture`] | the deformed body |
//! | [`report`] | what is said and written |

mod body;
mod picture;
mod report;
mod solved;

use super::Ending;
use super::solve::check_writable;
use crate::args::Elasticity;
use crate::output::Output;
use crate::plan::elasticity::{ElasticityPlan, Modes};
use anyhow::Result;
use galerkit::fem::elasticity::{BodyMultigrid, Equations, Solid};
use galerkit::{Choice, OpenMap, Solution};
use solved::Solved;

/// A run of the command.
type Session<'a> = super::session::Session<'a, ElasticityPlan>;

/// Computes.
pub fn run(arguments: &Elasticity, output: Output) -> Result<Ending> {
    let plan = ElasticityPlan::new(arguments)?;
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    let session = Session::new(&plan, output);
    let mesh = session.during("mesh", || body::mesh(&session))?;
    let solid = session.during("body", || body::solid(&plan, mesh))?;
    let equations = session.during("assembly", || solid.assemble())?;
    let Solution { x, report } = solve(&session, &solid, &equations)?;
    let displacement = equations.displacement(&solid, &x)?;
    let von_mises = session.during("stresses", || displacement.von_mises())?;
    report::finish(&session, Solved { load: equations.load, unknowns: x.len(), displacement, von_mises, report })
}

/// By what the plan says; cells of a higher degree have those of degree 1 as the first level of multigrid.
fn solve(session: &Session<'_>, solid: &Solid, equations: &Equations) -> Result<Solution<f64>> {
    let (plan, b) = (session.plan, &equations.b);
    let degree = solid.mesh().blocks_of(3).map(|block| block.order).max().unwrap_or(1);
    if let Some(amg) = plan.coarsens.filter(|_| degree > 1) {
        let multigrid = session.during("set-up", || BodyMultigrid::new(solid, equations, &amg))?;
        let (solver, map) = (plan.solver.clone().preconditioner(Choice::Auto), OpenMap::of_matrix(&equations.A));
        return Ok(session.watched(&solver, b, |solver| solver.solve_map(map.preconditioned_by(multigrid), b))?);
    }
    let solver = match plan.modes {
        Modes::Rigid if plan.takes_modes => plan.solver.clone().near_null(&equations.rigid_body_modes()),
        _ => plan.solver.clone(),
    };
    Ok(session.watched(&solver, b, |solver| solver.solve(&equations.A, b))?)
}
