//! Source 004 (Wong, Kuhl, Darve 2015): formats of sparse matrices on its 15 matrices and on hearts, what reordering
//! costs, assembly against solve, speed-ups; and the checks of its model: one cell, fronts, fibres, a spiral, the slab
//! of Niederer and others 2011.
//!
//! | module | what it holds |
//! |---|---|
//! | [`published`] | what the source and the benchmark print |
//! | [`formats`] | products in every format, and what reordering costs |
//! | [`assembly`] | Newton's method: what assembly takes, what solves take |
//! | [`physics`] | what the model does |

pub mod assembly;
pub mod formats;
pub mod physics;
pub mod published;

use crate::Result;
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::{Conductivity, Tissue, geometry};
use galerkit::linalg::sparse::Csr;

/// Edges of two ventricles with about as many nodes as the source's hearts: 3,129, 4,563, 28,639 and 50,000.
pub const HEARTS: [(&str, f64); 4] = [("Heart 3K", 3.6), ("Heart 5K", 3.2), ("Heart 30K", 1.72), ("Heart 50K", 1.43)];

/// Two ventricles with edges of this length; the source's meshes are not published.
///
/// # Errors
/// If the edges are too short.
pub fn ventricles(dx: f64) -> Result<Tissue> {
    let mesh = geometry::biventricle(dx).map_err(galerkit::Error::from)?;
    Ok(Tissue::new(&mesh, Conductivity { iso: 1.0, ani: 0.0 }).map_err(galerkit::Error::from)?)
}

/// The matrix of a diffusion step in it.
///
/// # Errors
/// If there are too many nodes.
pub fn heart_matrix(tissue: &Tissue) -> Result<Csr<f64>> {
    Ok(Matrices::new(tissue).map_err(galerkit::Error::from)?.shifted(0.25))
}
