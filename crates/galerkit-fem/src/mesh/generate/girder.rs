//! A girder without diagonals (Vierendeel's): two chords along x, joined by posts, with rectangular windows between
//! them.
//!
//! ```text
//!   top     +------------------------+
//!           |  +----+  +----+  +----+|
//!   left    |  |    |  |    |  |    || right      a bay is as long as the girder is high: a post, a window
//!           |  +----+  +----+  +----+|            chords and posts are a fifth of the height
//!   bottom  +------------------------+
//! ```

use super::grid::grid_of_order;
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::Mesh;

/// Pieces of the height: chord, window, window, window, chord.
const PIECES: usize = 5;

/// Hexahedra of degree 1 to 4, n cells across each chord and post; so many windows in a line. It lies on 0 < x, 0 < y <
/// width, 0 < z < height. Boundary: the sides of a box, and reentrant within the windows.
///
/// # Errors
/// If a count is zero, or a length not positive.
pub fn girder(height: f64, width: f64, bays: usize, n: usize, order: usize) -> Result<Mesh> {
    let is_positive = height > 0.0 && width > 0.0 && height.is_finite() && width.is_finite();
    require(is_positive, "girder", "its height and width must be positive")?;
    let (along, across) = (PIECES * bays + 1, (width / height * (PIECES * n) as f64).round().max(1.0));
    require_counts(&[along * n, across as usize, PIECES * n, bays, n], order, "girder")?;
    let length = height * along as f64 / PIECES as f64;
    let is_window = |[i, _, l]: [usize; 3]| !(i / n).is_multiple_of(PIECES) && (1..PIECES - 1).contains(&(l / n));
    let counts = [along * n, across as usize, PIECES * n];
    grid_of_order(order, [[0.0; 3], [length, width, height]], counts, |cell| !is_window(cell))
}
