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
use galerkit::Solution;
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
    let mut solver = plan.solver.clone();
    if plan.modes == Modes::Rigid {
        solver = solver.near_null(&equations.rigid_body_modes());
    }
    let Solution { x, report } =
        session.watched(&solver, &equations.b, |solver| solver.solve(&equations.A, &equations.b))?;
    let displacement = equations.displacement(&solid, &x)?;
    let von_mises = session.during("stresses", || displacement.von_mises())?;
    report::finish(&session, Solved { load: equations.load, unknowns: x.len(), displacement, von_mises, report })
}
