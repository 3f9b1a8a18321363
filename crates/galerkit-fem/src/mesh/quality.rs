//! Statistics of a body's cells: volume, ratio of the longest to the shortest edge, smallest angle (between faces in
//! space, between edges in the plane), scaled Jacobian of quadrilaterals and hexahedra (1 for a cube, 0 where a corner
//! is flat).

use super::facets::facets;
use super::geometry::{Evaluated, Geometry, cross, dot};
use super::lattice::VTK;
use super::{Block, Mesh, Shape};
use crate::error::Result;
use galerkit_linalg::parallel;

/// Least, mean and largest of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The mean over cells.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// Statistics of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Volumes in space, areas in the plane and on surfaces, lengths of curves.
    pub volume: Spread,
    /// The sum of these.
    pub total_volume: f64,
    /// Longest edge over shortest, straight from corner to corner.
    pub edge_ratio: Spread,
    /// The smallest angle of each cell in degrees; none for lines.
    pub angle: Option<Spread>,
    /// Of quadrilaterals and hexahedra; none where there are none.
    pub scaled_jacobian: Option<Spread>,
}

impl Spread {
    /// Of these values; none if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        Some(Self { min, mean: values.iter().sum::<f64>() / values.len() as f64, max })
    }
}

impl Mesh {
    /// Statistics of its body; none if it has no cells.
    ///
    /// # Errors
    /// If the degree of a block's geometry is unknown.
    pub fn quality(&self) -> Result<Option<Quality>> {
        let (dim, signed) = (self.dim(), self.is_flat_or_solid());
        let volumes = self.volumes(dim)?;
        let (mut ratios, mut angles, mut scaled) = (Vec::new(), Vec::new(), Vec::new());
        for block in self.blocks_of(dim) {
            let (corners, pairs) = (corner_evaluations(block)?, adjacent_faces(block.shape));
            let of_cell = |cell: &[u32]| {
                let x: Vec<_> = cell[..block.shape.corners()].iter().map(|&node| self.points[node as usize]).collect();
                let jacobians = corners.iter().map(|at| scaled_jacobian(at, &self.points, cell, signed));
                let angle = if dim == 3 { smallest_dihedral(block.shape, &pairs, &x) } else { smallest_angle(&x) };
                (edge_ratio(block.shape, &x), angle, jacobians.reduce(f64::min))
            };
            let each = block.shape.nodes(block.order);
            let of_cells = parallel::values(block.nodes.len() / each, &|k| of_cell(&block.nodes[k * each..][..each]));
            for (ratio, angle, jacobian) in of_cells {
                ratios.push(ratio);
                angles.extend(angle);
                scaled.extend(jacobian);
            }
        }
        let Some((volume, edge_ratio)) = Spread::of(&volumes).zip(Spread::of(&ratios)) else { return Ok(None) };
        let (angle, scaled_jacobian) = (Spread::of(&angles), Spread::of(&scaled));
        Ok(Some(Quality { volume, total_volume: volumes.iter().sum(), edge_ratio, angle, scaled_jacobian }))
    }
}

/// The functions at the corners of quadrilaterals and hexahedra.
fn corner_evaluations(block: &Block) -> Result<Vec<Evaluated>> {
    let geometry = Geometry::new(block.shape, block.order)?;
    let is_tensor = matches!(block.shape, Shape::Quadrilateral | Shape::Hexahedron);
    let corners = if is_tensor { block.shape.corners() } else { 0 };
    Ok(geometry.nodes().into_iter().take(corners).map(|node| geometry.at(node)).collect())
}

fn scaled_jacobian(at: &Evaluated, points: &[[f64; 3]], cell: &[u32], signed: bool) -> f64 {
    let mapped = at.map(points, cell);
    let size: f64 = mapped.columns.iter().map(|c| dot(*c, *c).sqrt()).filter(|length| *length > 0.0).product();
    let measure = if signed { mapped.determinant() } else { mapped.measure() };
    if size > 0.0 { measure / size } else { 0.0 }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn edge_ratio(shape: Shape, x: &[[f64; 3]]) -> f64 {
    let lengths = (VTK.edges)(shape).iter().map(|&[a, b]| dot(minus(x[b], x[a]), minus(x[b], x[a])).sqrt());
    let (short, long) = lengths.fold((f64::INFINITY, 0.0_f64), |(s, l), length| (s.min(length), l.max(length)));
    if long > 0.0 { long / short } else { 1.0 }
}

fn degrees_between(a: [f64; 3], b: [f64; 3]) -> f64 {
    dot(cross(a, b), cross(a, b)).sqrt().atan2(dot(a, b)).to_degrees()
}

/// Between the edges at each corner of a polygon; none for lines.
fn smallest_angle(x: &[[f64; 3]]) -> Option<f64> {
    let n = x.len();
    let at = |i: usize| degrees_between(minus(x[(i + 1) % n], x[i]), minus(x[(i + n - 1) % n], x[i]));
    if n < 3 { None } else { (0..n).map(at).reduce(f64::min) }
}

/// Faces with a common edge.
fn adjacent_faces(shape: Shape) -> Vec<[usize; 2]> {
    let faces = facets(shape);
    let common = |a: usize, b: usize| faces[a].iter().filter(|corner| faces[b].contains(corner)).count();
    let all = (0..faces.len()).flat_map(|a| (0..a).map(move |b| [a, b]));
    all.filter(|&[a, b]| common(a, b) == 2).collect()
}

/// Two faces with outward normals m and n enclose the angle pi - angle(m, n) at their edge.
fn smallest_dihedral(shape: Shape, pairs: &[[usize; 2]], x: &[[f64; 3]]) -> Option<f64> {
    let normal = |face: &&[usize]| match **face {
        [a, b, c] => cross(minus(x[b], x[a]), minus(x[c], x[a])),
        [a, b, c, d] => cross(minus(x[c], x[a]), minus(x[d], x[b])),
        _ => [0.0; 3],
    };
    let normals: Vec<_> = facets(shape).iter().map(normal).collect();
    pairs.iter().map(|&[a, b]| 180.0 - degrees_between(normals[a], normals[b])).reduce(f64::min)
}
