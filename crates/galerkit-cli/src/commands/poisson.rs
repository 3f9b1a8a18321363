//! `galerkit poisson`: mesh, space, assembly, solve, errors, files.
//!
//! | file | what |
//! |---|---|
//! | [`space`] | from the plan to a mesh, a forest and degrees |
//! | [`solve`] | one problem: assembled, solved, measured |
//! | [`equations`] | with a matrix or without |
//! | [`curve`] | errors over unknowns: layers, cuts alone, degrees alone |
//! | [`adapt`] | the automatic loop |
//! | [`figures`] | what is known of a solution |
//! | [`report`] | what is said and written |

mod adapt;
mod curve;
mod equations;
mod figures;
mod report;
mod solve;
mod space;

use super::Ending;
use super::solve::check_writable;
use crate::args::Poisson;
use crate::output::Output;
use crate::plan::poisson::PoissonPlan;
use crate::plan::poisson::operator::Operator;
use anyhow::{Result, bail};
use galerkit::fem::mesh::{Mesh, Shape};
use galerkit::fem::simplex::SimplexSpace;
use report::Finished;
use solve::Session;

/// Solves.
pub fn run(arguments: Poisson, output: Output) -> Result<Ending> {
    let plan = PoissonPlan::new(arguments)?;
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    let session = Session::new(&plan, output);
    let mesh = session.during("mesh", || space::mesh(&plan.space, &|text| session.note(text)))?;
    if let Some(words) = plan.data.disagreement(&mesh) {
        session.note(&words);
    }
    if is_simplicial(&mesh) {
        return on_simplices(&session, &mesh);
    }
    if plan.basis.is_some() {
        bail!("--basis needs triangles or tetrahedra: functions on quadrilaterals and hexahedra are hierarchical");
    }
    let forest = session.during_with("mesh", "refined", || space::forest(&plan.space, &mesh))?;
    let boundary = plan.data.boundary(&mesh)?;
    match (plan.adapt, plan.space.geometric.filter(|_| plan.has_curve())) {
        (Some(_), _) => adapt::run(&session, forest, &boundary),
        (None, Some(geometric)) => curve::run(&session, &forest, geometric, &boundary),
        (None, None) => {
            let layers = plan.space.geometric.map_or(0, |geometric| geometric.layers);
            let build = || space::space(&plan.space, &forest, layers, &boundary);
            let solved = session.solve(session.during("space", build)?, &boundary)?;
            report::finish(&session, Finished { solved, curves: Vec::new(), reached: None })
        }
    }
}

fn is_simplicial(mesh: &Mesh) -> bool {
    let is_simplex = |shape: Shape| matches!(shape, Shape::Triangle | Shape::Tetrahedron);
    mesh.blocks_of(mesh.dim()).filter(|block| !block.is_empty()).all(|block| is_simplex(block.shape))
}

/// Triangles and tetrahedra: one degree, and the mesh as it is.
fn on_simplices(session: &Session<'_>, mesh: &Mesh) -> Result<Ending> {
    let (plan, space) = (session.plan, &session.plan.space);
    let asked = [
        ("--operator matrix-free", plan.operator == Some(Operator::MatrixFree)),
        ("--adapt", plan.adapt.is_some()),
        ("--layers", space.geometric.is_some()),
        ("--refine", space.refine > 0),
        ("--refine-cells", !space.refine_cells.is_empty()),
    ];
    if let Some((option, _)) = asked.iter().find(|(_, is_asked)| *is_asked) {
        bail!("{option} needs quadrilaterals or hexahedra: triangles and tetrahedra are taken as they are");
    }
    let [degree] = space.degrees[..] else {
        bail!("a list of degrees needs quadrilaterals or hexahedra: triangles and tetrahedra have one degree")
    };
    let boundary = plan.data.boundary(mesh)?;
    let kind = plan.basis.unwrap_or_default();
    let build = || SimplexSpace::with_functions(mesh, degree, kind, &boundary.dirichlet());
    let built = session.during("space", build)?;
    let solved = session.solve(built, &boundary)?;
    report::finish(session, Finished { solved, curves: Vec::new(), reached: None })
}
