//! What came out of a solve.

use galerkit::Report;
use galerkit::fem::elasticity::Displacement;

/// A displacement and what is known of it.
pub struct Solved {
    /// All that acts on the body.
    pub load: [f64; 3],
    pub unknowns: usize,
    pub displacement: Displacement,
    /// At each point of the mesh.
    pub von_mises: Vec<f64>,
    pub report: Report,
}
