//! Tissue of simple shape, in millimetres: a cable of segments, a sheet of triangles, a slab of Kuhn's tetrahedra, one
//! ventricle or two as truncated ellipsoids. Edges along the axes are as near to the length asked for as whole numbers
//! of cells allow.

mod stuffing;
mod ventricles;

pub use ventricles::{APEX, BASE, LEFT, SURFACES, biventricle, ventricle};

use crate::error::{Error, Result};
use crate::mesh::generate::{kuhn_box, rectangle, to_simplices};
use crate::mesh::{Block, Mesh, Shape};

/// Cells along an extent.
fn cells(extent: f64, dx: f64) -> Result<usize> {
    let count = (extent / dx).round();
    if dx > 0.0 && extent > 0.0 && count < 1e5 {
        return Ok((count as usize).max(1));
    }
    let problem = format!("an extent of {extent} mm cannot be cut into cells of {dx} mm: both must be positive");
    Err(Error::InvalidMesh { place: "built-in geometry".into(), problem })
}

/// Segments along x from 0.
///
/// # Errors
/// If an extent is not positive.
pub fn cable(length: f64, dx: f64) -> Result<Mesh> {
    let n = cells(length, dx)?;
    let points = (0..=n).map(|i| [length * i as f64 / n as f64, 0.0, 0.0]).collect();
    let nodes = (0..n as u32).flat_map(|i| [i, i + 1]).collect();
    let block = Block { shape: Shape::Line, order: 1, nodes, tags: vec![1; n] };
    Ok(Mesh { points, blocks: vec![block], ..Mesh::default() })
}

/// Triangles from the origin.
///
/// # Errors
/// If an extent is not positive.
pub fn sheet(extent: [f64; 2], dx: f64) -> Result<Mesh> {
    let n = [cells(extent[0], dx)?, cells(extent[1], dx)?];
    to_simplices(&rectangle([0.0; 2], extent, n)?)
}

/// Tetrahedra from the origin.
///
/// # Errors
/// If an extent is not positive.
pub fn slab(extent: [f64; 3], dx: f64) -> Result<Mesh> {
    let n = [cells(extent[0], dx)?, cells(extent[1], dx)?, cells(extent[2], dx)?];
    kuhn_box([0.0; 3], extent, n)
}
