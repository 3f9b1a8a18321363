//! From the plan to a mesh, a forest and degrees.

use crate::plan::poisson::data::Boundary;
use crate::plan::poisson::{Source, SpacePlan};
use anyhow::{Result, bail};
use galerkit::fem::forest::grading::{Target, grade, slope};
use galerkit::fem::{Forest, Mesh, Space, io};

/// The mesh; what a file has that a user would want to know is noted.
pub fn mesh(plan: &SpacePlan, note: &dyn Fn(&str)) -> Result<Mesh> {
    let path = match &plan.source {
        Source::Domain(domain, cells) => {
            domain.size(*cells).cut(plan.refine).with_degrees(&plan.degrees).check()?; // before anything is made
            return Ok(domain.mesh(*cells)?);
        }
        Source::File(path) => path,
    };
    let mut mesh = io::read(path)?;
    if mesh.dim() < 2 {
        bail!("{}: there are no cells of dimension 2 or 3", path.display());
    }
    let found = mesh.repair()?;
    let name = path.display();
    if !found.inverted.is_empty() {
        note(&format!("note: {name}: {} inverted cells were turned round", found.inverted.len()));
    }
    if found.components.len() > 1 {
        let count = found.components.len();
        note(&format!("note: {name}: {count} parts share no point; each is solved by itself"));
    }
    Ok(mesh)
}

/// The forest with its uniform and chosen cuts.
pub fn forest(plan: &SpacePlan, mesh: &Mesh) -> Result<Forest> {
    let mut forest = Forest::new(mesh)?;
    forest.refine_all(plan.refine)?;
    forest.refine(&plan.refine_cells)?;
    Ok(forest)
}

/// The space on a forest with so many layers towards the corner.
pub fn space(plan: &SpacePlan, forest: &Forest, layers: usize, boundary: &Boundary) -> Result<Space> {
    let mut forest = forest.clone();
    let degrees = match plan.geometric {
        None => cyclic(&plan.degrees, forest.cells().len()),
        Some(geometric) => {
            let layer = grade(&mut forest, &[target(plan)?], layers)?;
            match plan.degrees[..] {
                [lowest] => slope(lowest, geometric.slope, &layer),
                _ => cyclic(&plan.degrees, layer.len()),
            }
        }
    };
    Ok(Space::new(forest, &degrees, &boundary.dirichlet())?)
}

/// Degrees repeated over the cells.
pub fn cyclic(degrees: &[usize], cells: usize) -> Vec<usize> {
    degrees.iter().copied().cycle().take(cells).collect()
}

fn target(plan: &SpacePlan) -> Result<Target> {
    match &plan.source {
        Source::Domain(domain, _) => match domain.target() {
            Some(target) => Ok(target),
            None => bail!("--layers needs a domain with a corner or an edge: {domain} has none"),
        },
        Source::File(_) => bail!("--layers needs a domain: which corner of a file is meant is not known"),
    }
}
