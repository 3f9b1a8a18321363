//! Quadrature on the reference cell [-1, 1]^d: Gauss rules, and rules graded towards a corner for data that are
//! singular there.

mod gauss;
mod graded;
mod line;
mod lobatto;
mod patch;

pub use gauss::gauss;
pub use graded::{GRADED_LEVELS, graded};
pub use line::Line;
pub use lobatto::lobatto;
pub use patch::Patch;
