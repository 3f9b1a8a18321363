//! The L-shape (-1,1)² without \[0,1\] x \[-1,0\], and its prism of height 1. The two edges or faces at the corner have
//! the tag `reentrant`.

use super::grid::grid;
use super::parameter::require_counts;
use crate::error::Result;
use crate::mesh::Mesh;

/// 3 n² quadrilaterals.
///
/// # Errors
/// If n is zero.
pub fn l_shape(n: usize) -> Result<Mesh> {
    require_counts(&[2 * n, 2 * n], 1, "L-shape")?;
    grid([-1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [2 * n, 2 * n, 0], |[i, j, _]| i < n || j >= n)
}

/// 3 n³ hexahedra, 0 < z < 1.
///
/// # Errors
/// If n is zero.
pub fn l_prism(n: usize) -> Result<Mesh> {
    require_counts(&[2 * n, 2 * n, n], 1, "L-shaped prism")?;
    grid([-1.0, -1.0, 0.0], [1.0; 3], [2 * n, 2 * n, n], |[i, j, _]| i < n || j >= n)
}
