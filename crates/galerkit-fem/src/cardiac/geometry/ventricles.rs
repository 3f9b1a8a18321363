//! Ventricles as truncated ellipsoids, of human size: the apex at the lowest z, the base a plane. The left ventricle lies between two
//! ellipsoids; the right one, thinner, is what a third and a fourth, moved along x, leave of a shell beside it.

use super::voxels::body;
use crate::error::Result;
use crate::mesh::Mesh;

/// Where the base cuts, above the middle of the ellipsoids.
const BASE: f64 = 10.0;
/// Semi-axes of the left ventricle, inside and outside.
const LEFT: [[f64; 3]; 2] = [[18.0, 18.0, 42.0], [26.0, 26.0, 50.0]];
/// Semi-axes of the right ventricle, inside and outside.
const RIGHT: [[f64; 3]; 2] = [[30.0, 23.0, 37.0], [35.0, 28.0, 42.0]];
/// How far the right ventricle is off.
const OFFSET: f64 = 14.0;

/// The lowest point of the tissue: the tip of the left ventricle.
pub const APEX: [f64; 3] = [0.0, 0.0, -50.0];

/// About the distance to an ellipsoid around a point of the x axis, negative inside.
fn ellipsoid([x, y, z]: [f64; 3], centre: f64, [a, b, c]: [f64; 3]) -> f64 {
    let scaled = ((x - centre) / a).hypot(y / b).hypot(z / c);
    let slope = ((x - centre) / (a * a)).hypot(y / (b * b)).hypot(z / (c * c));
    if slope == 0.0 { -a.min(b).min(c) } else { scaled * (scaled - 1.0) / slope }
}

fn left(x: [f64; 3]) -> f64 {
    ellipsoid(x, 0.0, LEFT[1]).max(-ellipsoid(x, 0.0, LEFT[0]))
}

fn both(x: [f64; 3]) -> f64 {
    let [inside, outside] = RIGHT.map(|axes| ellipsoid(x, OFFSET, axes));
    let cavity = inside.max(-ellipsoid(x, 0.0, LEFT[1]));
    left(x).min(outside.max(-inside)).max(-ellipsoid(x, 0.0, LEFT[0])).max(-cavity)
}

/// The left ventricle.
///
/// # Errors
/// If the edges are too short or not positive.
pub fn ventricle(dx: f64) -> Result<Mesh> {
    let [a, b, c] = LEFT[1];
    body(&|x| left(x).max(x[2] - BASE), [-a - 2.0, -b - 2.0, -c - 2.0], [a + 2.0, b + 2.0, BASE], dx)
}

/// Both ventricles.
///
/// # Errors
/// If the edges are too short or not positive.
pub fn biventricle(dx: f64) -> Result<Mesh> {
    let ([a, b, c], width) = (LEFT[1], OFFSET + RIGHT[1][0]);
    let depth = b.max(RIGHT[1][1]) + 2.0;
    body(&|x| both(x).max(x[2] - BASE), [-a - 2.0, -depth, -c - 2.0], [width + 2.0, depth, BASE], dx)
}
