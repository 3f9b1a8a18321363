//! Which cells are affine images of the reference cell: their Jacobian is the same everywhere.

use super::Geometry;

/// How far the Jacobian of an affine cell may vary, relative to its largest entry: a few roundings of coordinates.
const ROUNDING: f64 = 1e-12;

impl Geometry {
    /// Whether J is constant on the cell with these nodes, to rounding.
    pub fn is_affine(&self, points: &[[f64; 3]], cell: &[u32]) -> bool {
        let centre = self.at(self.centre()).map(points, cell).columns;
        let size = centre.iter().flatten().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let like_the_centre = |xi: [f64; 3]| {
            let columns = self.at(xi).map(points, cell).columns;
            let differences = columns.iter().flatten().zip(centre.iter().flatten()).map(|(a, b)| (a - b).abs());
            differences.fold(0.0, f64::max) <= ROUNDING * size
        };
        self.nodes().into_iter().all(like_the_centre)
    }
}
