//! Rectangle and box. Sides: 1 left, 2 right (x), then bottom and top (y) in the plane, front and back (y), bottom and
//! top (z) in space.

use super::grid::grid;
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
