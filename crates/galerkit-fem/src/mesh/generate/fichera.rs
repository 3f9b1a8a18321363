//! The Fichera corner (-1,1)³ without \[0,1\]³. The three faces at the corner have the tag `reentrant`.

use super::grid::grid;
use super::parameter::require_counts;
use crate::error::Result;
use crate::mesh::Mesh;

/// 7 n³ cubes.
///
/// # Errors
/// If n is zero.
pub fn fichera(n: usize) -> Result<Mesh> {
    require_counts(&[2 * n; 3], 1, "Fichera corner")?;
    grid([-1.0; 3], [1.0; 3], [2 * n; 3], |cell| cell.iter().any(|&i| i < n))
}
