//! Rectangle and box. Sides: 1 left, 2 right (x), then bottom and top (y) in the plane, front and back (y), bottom and
//! top (z) in space.

use super::grid::{grid, grid_of_order};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::Mesh;

/// Quadrilaterals.
///
/// # Errors
/// If a count is zero, or the rectangle is empty.
pub fn rectangle(low: [f64; 2], high: [f64; 2], n: [usize; 2]) -> Result<Mesh> {
    require_counts(&n, 1, "rectangle")?;
    require(
        low[0] < high[0] && low[1] < high[1],
        "rectangle",
        "its corners must be finite, the first below the second",
    )?;
    grid([low[0], low[1], 0.0], [high[0], high[1], 0.0], [n[0], n[1], 0], |_| true)
}

/// Hexahedra.
///
/// # Errors
/// If a count is zero, or the box is empty.
pub fn brick(low: [f64; 3], high: [f64; 3], n: [usize; 3]) -> Result<Mesh> {
    require_counts(&n, 1, "box")?;
    require((0..3).all(|d| low[d] < high[d]), "box", "its corners must be finite, the first below the second")?;
    grid(low, high, n, |_| true)
}

/// Hexahedra whose geometry has degree 1 to 4, with evenly spaced nodes: as [`brick`], for functions of that degree.
///
/// # Errors
/// If a count is zero, or the box is empty.
pub fn brick_of_order(low: [f64; 3], high: [f64; 3], n: [usize; 3], order: usize) -> Result<Mesh> {
    require_counts(&n, order, "box")?;
    require((0..3).all(|d| low[d] < high[d]), "box", "its corners must be finite, the first below the second")?;
    grid_of_order(order, [low, high], n, |_| true)
}
