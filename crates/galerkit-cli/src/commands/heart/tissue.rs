//! From the plan to tissue: meshes generated or read, checked against what a heart can be.

use crate::plan::heart::{Geometry, HeartPlan, Shape};
use anyhow::{Result, bail};
use galerkit::fem::cardiac::cell::Kind;
use galerkit::fem::cardiac::front::Front;
use galerkit::fem::cardiac::{Tissue, geometry};
use galerkit::fem::io;
use galerkit::fem::mesh::Mesh;

/// Sizes of hearts in mm, and of parts of them.
const SIZES: [f64; 2] = [5.0, 300.0];

/// The tissue of a plan; warnings are said.
pub fn tissue(plan: &HeartPlan, say: &dyn Fn(&str)) -> Result<Tissue> {
    let mesh = mesh(&plan.geometry)?;
    let tissue = Tissue::new(&mesh, plan.conductivity)?;
    let fibres = vec![plan.fibre; tissue.elements()];
    let tissue = tissue.with_fibres(fibres)?;
    if let Geometry::File { is_given: false, .. } = plan.geometry {
        let extent = tissue.extent();
        if !(SIZES[0]..=SIZES[1]).contains(&extent) {
            bail!(
                "the mesh is {extent} mm large, hearts are from {} to {} mm: say its unit, as in --unit um, or --unit mm if it is \
                 meant so",
                SIZES[0],
                SIZES[1]
            );
        }
    }
    warn_of_long_edges(plan, &tissue, say);
    Ok(tissue)
}

fn mesh(from: &Geometry) -> Result<Mesh> {
    Ok(match from {
        Geometry::BuiltIn { shape: Shape::Cable, size, dx } => geometry::cable(size[0], *dx)?,
        Geometry::BuiltIn { shape: Shape::Sheet, size, dx } => geometry::sheet([size[0], size[1]], *dx)?,
        Geometry::BuiltIn { shape: Shape::Slab, size, dx } => geometry::slab(*size, *dx)?,
        Geometry::BuiltIn { shape: Shape::Ventricle, dx, .. } => geometry::ventricle(*dx)?,
        Geometry::BuiltIn { shape: Shape::Biventricle, dx, .. } => geometry::biventricle(*dx)?,
        Geometry::File { path, unit, .. } => {
            let mut mesh = io::read(path)?;
            mesh.points.iter_mut().flatten().for_each(|x| *x *= unit);
            mesh
        }
    })
}

/// Edges longer than the front is wide make it travel at a wrong speed, or not at all.
fn warn_of_long_edges(plan: &HeartPlan, tissue: &Tissue, say: &dyn Fn(&str)) {
    let Kind::AlievPanfilov(cell) = &plan.model.kind else { return };
    let (edge, width) = (tissue.mean_edge(), Front::new(cell, plan.conductivity.iso).width);
    if edge > width {
        let error = 0.06 * (edge / width / 1.114).powi(2); // measured: 0.06 % at h = 2 mm, where h/w = 1.114, growing as h²
        say(&format!(
            "warning: edges are {edge:.2} mm on average, the front across fibres is {width:.2} mm wide: expect its speed to be wrong by \
             about {error:.1} % or more, or the front to stop"
        ));
    }
}
