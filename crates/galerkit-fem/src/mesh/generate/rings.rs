//! What lies between ellipses or ellipsoids around the origin, ring by ring: the exterior of an obstacle, cut off, with
//! layers of its own where waves are absorbed. Nodes lie on the curves, between them they are blended linearly.

use super::grid::{KeyedPoints, name_boundary};
use super::onion::{Onion, direction};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::lattice::lattice;
use crate::mesh::{Block, Mesh, Shape};
use std::f64::consts::TAU;

/// A curve or surface, and the cells between it and the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Its half axes; in the plane the first two.
    pub axes: [f64; 3],
    /// Layers of cells up to it; of the first ring they do not count.
    pub layers: usize,
    /// The region of these cells.
    pub region: i32,
}

/// Axes and regions layer by layer, the innermost surface first.
fn layered(rings: &[Ring], order: usize) -> (Vec<[f64; 3]>, Vec<i32>) {
    let (mut axes, mut regions) = (vec![rings[0].axes], Vec::new());
    for pair in rings.windows(2) {
        let steps = pair[1].layers * order;
        for step in 1..=steps {
            let t = step as f64 / steps as f64;
            axes.push(std::array::from_fn(|d| pair[0].axes[d] * (1.0 - t) + pair[1].axes[d] * t));
        }
        regions.resize(regions.len() + pair[1].layers, pair[1].region);
    }
    (axes, regions)
}

fn check(rings: &[Ring], dim: usize, name: &str) -> Result<()> {
    require(rings.len() >= 2, name, "it needs an inner and an outer boundary")?;
    let positive = rings[0].axes[..dim].iter().all(|&a| a > 0.0);
    let grows = rings.windows(2).all(|pair| (0..dim).all(|d| pair[0].axes[d] < pair[1].axes[d]));
    let finite = rings.iter().all(|ring| ring.axes[..dim].iter().all(|a| a.is_finite()));
    require(positive && grows && finite, name, "its half axes must be positive, finite, and grow outward")
}

/// `around` quadrilaterals in each layer, with geometry of degree 1 to 4. Boundary: 1 inner, 2 outer.
///
/// # Errors
/// If a parameter is out of range.
pub fn annulus(rings: &[Ring], around: usize, order: usize) -> Result<Mesh> {
    check(rings, 2, "annulus")?;
    require(around >= 3, "annulus", "it needs at least three cells around")?;
    let (axes, regions) = layered(rings, order);
    require_counts(&[around, regions.len()], order, "annulus")?;
    let turns = (around * order) as i32;
    let position = |[turn, layer, _, _]: [i32; 4]| {
        let (angle, axes) = (TAU * f64::from(turn) / f64::from(turns), axes[layer as usize]);
        [axes[0] * angle.cos(), axes[1] * angle.sin(), 0.0]
    };
    let (mut points, nodes) = (KeyedPoints::default(), lattice(Shape::Quadrilateral, order));
    let mut block = Block { shape: Shape::Quadrilateral, order, nodes: Vec::new(), tags: Vec::new() };
    for turn in 0..around {
        for (layer, &region) in regions.iter().enumerate() {
            for p in &nodes {
                let key = [(turn * order + p[1]) as i32 % turns, (layer * order + p[0]) as i32, 0, 0];
                block.nodes.push(points.number(key, position));
            }
            block.tags.push(region);
        }
    }
    tagged(Mesh { points: points.points, blocks: vec![block], ..Mesh::default() }, rings)
}

/// 6 n^2 hexahedra in each layer, with geometry of degree 1 to 4. Boundary: 1 inner, 2 outer.
///
/// # Errors
/// If a parameter is out of range.
pub fn shell(rings: &[Ring], n: usize, order: usize) -> Result<Mesh> {
    check(rings, 3, "shell")?;
    let (axes, regions) = layered(rings, order);
    require_counts(&[3 * n, 2 * n, regions.len()], order, "shell")?;
    let m = (n * order) as i32;
    let position = |[a, b, c, layer]: [i32; 4]| {
        let outward = direction([a, b, c].map(|x| f64::from(x) / f64::from(m)));
        std::array::from_fn(|d| axes[layer as usize][d] * outward[d])
    };
    let mut onion = Onion::new(order);
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
        let on_cap = |[i, j, l]: [i32; 3]| {
            let mut key = [sign * m, sign * m, sign * m, l];
            key[(axis + 1) % 3] = 2 * i - m;
            key[(axis + 2) % 3] = 2 * j - m;
            key
        };
        onion.add([n, n, regions.len()], on_cap, position);
    }
    let mut mesh = onion.finish()?;
    let of_cell = |e: usize| regions[e % regions.len()]; // layers are the fastest
    mesh.blocks[0].tags.iter_mut().enumerate().for_each(|(e, tag)| *tag = of_cell(e));
    tagged(mesh, rings)
}

fn tagged(mut mesh: Mesh, rings: &[Ring]) -> Result<Mesh> {
    let (dim, outer) = (mesh.dim(), rings[rings.len() - 1].axes);
    let is_outer = |x: [f64; 3]| (0..dim).map(|d| (x[d] / outer[d]).powi(2)).sum::<f64>() > 1.0 - 1e-6;
    mesh.tag_boundary(|mesh, facet| {
        let nodes = mesh.facet_nodes(facet);
        if nodes.iter().all(|&node| is_outer(mesh.points[node as usize])) { 2 } else { 1 }
    })?;
    name_boundary(&mut mesh, &["inner", "outer"]);
    Ok(mesh)
}
