//! Ventricles as truncated ellipsoids, of human size: the apex at the lowest z, the base a plane. The left ventricle
//! lies between two ellipsoids; the right one, thinner, is what a third and a fourth, moved along x, leave of a shell
//! beside it. The boundary is tagged.

use super::stuffing::body;
use crate::error::Result;
use crate::mesh::Mesh;

/// Where the base cuts, above the middle of the ellipsoids.
pub const BASE: f64 = 10.0;
/// Semi-axes of the left ventricle, inside and outside.
pub const LEFT: [[f64; 3]; 2] = [[18.0, 18.0, 42.0], [26.0, 26.0, 50.0]];
/// Semi-axes of the right ventricle, inside and outside.
const RIGHT: [[f64; 3]; 2] = [[30.0, 23.0, 37.0], [35.0, 28.0, 42.0]];
/// How far the right ventricle is off.
const OFFSET: f64 = 14.0;

/// The lowest point of the tissue: the tip of the left ventricle.
pub const APEX: [f64; 3] = [0.0, 0.0, -50.0];
/// What the boundary consists of, by tag, from 1 on.
pub const SURFACES: [&str; 4] = ["epi", "lv", "rv", "base"];

/// About the distance to an ellipsoid around a point of the x axis, negative inside.
fn ellipsoid([x, y, z]: [f64; 3], centre: f64, [a, b, c]: [f64; 3]) -> f64 {
    let scaled = ((x - centre) / a).hypot(y / b).hypot(z / c);
    let slope = ((x - centre) / (a * a)).hypot(y / (b * b)).hypot(z / (c * c));
    if slope == 0.0 { -a.min(b).min(c) } else { scaled * (scaled - 1.0) / slope }
}

fn left(x: [f64; 3]) -> f64 {
    ellipsoid(x, 0.0, LEFT[1]).max(-ellipsoid(x, 0.0, LEFT[0]))
}

/// The cavity of the right ventricle.
fn cavity(x: [f64; 3]) -> f64 {
    ellipsoid(x, OFFSET, RIGHT[0]).max(-ellipsoid(x, 0.0, LEFT[1]))
}

fn both(x: [f64; 3]) -> f64 {
    outside(x).max(-ellipsoid(x, 0.0, LEFT[0])).max(-cavity(x))
}

fn outside(x: [f64; 3]) -> f64 {
    ellipsoid(x, 0.0, LEFT[1]).min(ellipsoid(x, OFFSET, RIGHT[1]))
}

/// The left ventricle.
///
/// # Errors
/// If the edges are too short or not positive.
pub fn ventricle(dx: f64) -> Result<Mesh> {
    let [a, b, c] = LEFT[1];
    let mesh = body(&left, [-a - 2.0, -b - 2.0, -c - 2.0], [a + 2.0, b + 2.0, BASE], dx)?;
    tagged(mesh, [&|x| ellipsoid(x, 0.0, LEFT[1]), &|x| ellipsoid(x, 0.0, LEFT[0]), &|_| f64::INFINITY])
}

/// Both ventricles.
///
/// # Errors
/// If the edges are too short or not positive.
pub fn biventricle(dx: f64) -> Result<Mesh> {
    let ([a, b, c], width) = (LEFT[1], OFFSET + RIGHT[1][0]);
    let depth = b.max(RIGHT[1][1]) + 2.0;
    let mesh = body(&both, [-a - 2.0, -depth, -c - 2.0], [width + 2.0, depth, BASE], dx)?;
    tagged(mesh, [&outside, &|x| ellipsoid(x, 0.0, LEFT[0]), &cavity])
}

/// With the boundary in pieces: the base, and else the surface that is nearest: outside, left or right cavity.
fn tagged(mut mesh: Mesh, surfaces: [&dyn Fn([f64; 3]) -> f64; 3]) -> Result<Mesh> {
    mesh.tag_boundary(|mesh, facet| {
        let corners: Vec<[f64; 3]> = mesh.facet_nodes(facet).iter().map(|&node| mesh.points[node as usize]).collect();
        if corners.iter().all(|x| (x[2] - BASE).abs() < 1e-9) {
            return SURFACES.len() as i32;
        }
        let off = surfaces.map(|surface| corners.iter().map(|x| surface(*x).abs()).fold(0.0, f64::max));
        let nearest = (0..surfaces.len()).min_by(|a, b| off[*a].total_cmp(&off[*b])).unwrap_or(0);
        1 + nearest as i32
    })?;
    mesh.names.extend(SURFACES.iter().zip(1..).map(|(name, tag)| ((2, tag), (*name).to_string())));
    Ok(mesh)
}
