//! `galerkit helmholtz`: mesh, space, assembly, one k or many, errors, files.
//!
//! | file | what |
//! |---|---|
//! | [`problem`] | conditions on pieces of the boundary, and the problem they make on a space |
//! | [`resolution`] | cells a wavelength |
//! | [`shifted`] | the shifted Laplacian as preconditioner |
//! | [`sweep`] | a prepared system that is given new values |
//! | [`solve`] | one system after the other |
//! | [`open`] | systems with the shifted Laplacian, in every precision |
//! | [`open_sweep`] | one that goes on with another k |
//! | [`notes`] | warnings |
//! | [`pictures`] | levels, real parts, phases, films |
//! | [`report`] | what is said and written |

mod notes;
mod open;
mod open_sweep;
mod pictures;
mod problem;
mod report;
mod resolution;
mod shifted;
mod solve;
mod sweep;

use super::Ending;
use super::solve::check_writable;
use crate::args::Helmholtz;
use crate::output::Output;
use crate::plan::helmholtz::geometry::Geometry;
use crate::plan::helmholtz::{HelmholtzPlan, Source};
use crate::plan::poisson::operator::Operator;
use anyhow::{Result, bail};
use galerkit::fem::acoustics::WaveSpace;
use galerkit::fem::acoustics::layer::Begin;
use galerkit::fem::mesh::{Mesh, Shape, generate};
use galerkit::fem::simplex::SimplexSpace;
use galerkit::fem::{Forest, Space, io};
use problem::Pieces;
use std::sync::Arc;

/// A run of the command.
type Session<'a> = super::session::Session<'a, HelmholtzPlan>;

/// Computes.
pub fn run(arguments: Helmholtz, output: Output) -> Result<Ending> {
    let plan = HelmholtzPlan::new(arguments)?;
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    let session = Session::new(&plan, output);
    let (mesh, begin) = session.during("mesh", || mesh(&session))?;
    let pieces = Pieces::new(&plan, &mesh)?;
    if is_simplicial(&mesh) {
        if plan.degree > 4 {
            bail!("--degree {} is not allowed: triangles and tetrahedra have 1 to 4", plan.degree);
        }
        let space = session.during("space", || SimplexSpace::new(&mesh, plan.degree, &pieces.soft(&plan)))?;
        return on_space(&session, Arc::new(space), &mesh, &pieces, begin);
    }
    let forest = session.during("mesh", || Forest::new(&mesh))?;
    let degrees = vec![plan.degree; forest.cells().len()];
    let space = session.during("space", || Space::new(forest, &degrees, &pieces.soft(&plan)))?;
    on_space(&session, Arc::new(space), &mesh, &pieces, begin)
}

fn on_space<V: WaveSpace>(
    session: &Session<'_>,
    space: Arc<V>,
    mesh: &Mesh,
    pieces: &Pieces,
    begin: Option<Begin>,
) -> Result<Ending> {
    let resolution = resolution::Resolution::new(session.plan, mesh);
    resolution.check(session)?;
    let problem = problem::problem(session.plan, space, pieces, (begin, resolution.size))?;
    let equations = session.during("assembly", || match session.plan.operator {
        Operator::Assembled => problem.assemble(),
        Operator::MatrixFree => problem.assemble_boundary(),
    })?;
    let drives = pieces.excitations(session.plan, equations.problem());
    let solved = solve::all(session, &equations, &drives, resolution.cells)?;
    report::finish(session, &equations, &solved, &resolution)
}

fn is_simplicial(mesh: &Mesh) -> bool {
    let is_simplex = |shape: Shape| matches!(shape, Shape::Triangle | Shape::Tetrahedron);
    mesh.blocks_of(mesh.dim()).filter(|block| !block.is_empty()).all(|block| is_simplex(block.shape))
}

/// The mesh, and where a layer begins in it.
fn mesh(session: &Session<'_>) -> Result<(Mesh, Option<Begin>)> {
    let plan = session.plan;
    match &plan.source {
        Source::Geometry(geometry, cells) => {
            let (mesh, begin) = geometry.mesh(*cells, plan.truncation)?;
            match (plan.simplices, geometry) {
                (false, _) => Ok((mesh, begin)),
                (true, Geometry::Square | Geometry::Cube | Geometry::Duct) => {
                    Ok((generate::to_simplices(&mesh)?, begin))
                }
                (true, _) => bail!("--simplices needs --geometry square, cube or duct, or a file with --mesh"),
            }
        }
        Source::File(path) => {
            let mut mesh = io::read(path)?;
            if mesh.dim() < 2 {
                bail!("{}: there are no cells of dimension 2 or 3", path.display());
            }
            let found = mesh.repair()?;
            if !found.inverted.is_empty() {
                session.note(&format!(
                    "note: {}: {} inverted cells were turned round",
                    path.display(),
                    found.inverted.len()
                ));
            }
            Ok((mesh, None))
        }
    }
}
