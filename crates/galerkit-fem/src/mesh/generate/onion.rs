//! Layers around a square or cube, as in an onion: the cells of a ball and of a disc. A point is known by integers:
//! where it lies on the surface of the cube (or in the cube), and its layer.

use super::grid::{BODY, KeyedPoints};
use crate::error::Result;
use crate::mesh::lattice::lattice;
use crate::mesh::{Block, Mesh, Shape};
use std::f64::consts::FRAC_PI_4;

/// Cells of one shape whose nodes are known by keys.
pub(super) struct Onion {
    points: KeyedPoints,
    block: Block,
}

impl Onion {
    /// Without cells.
    pub(super) fn new(order: usize) -> Self {
        let block = Block { shape: Shape::Hexahedron, order, nodes: Vec::new(), tags: Vec::new() };
        Self { points: KeyedPoints::default(), block }
    }

    /// Adds n[0] x n[1] x n[2] cells. `key` gives the key of a lattice point, counted in steps of 1 / order of a cell.
    pub(super) fn add(
        &mut self,
        n: [usize; 3],
        key: impl Fn([i32; 3]) -> [i32; 4],
        position: impl Fn([i32; 4]) -> [f64; 3],
    ) {
        let order = self.block.order;
        let nodes = lattice(Shape::Hexahedron, order);
        for i in 0..n[0] {
            for j in 0..n[1] {
                for l in 0..n[2] {
                    for p in &nodes {
                        let at = [i * order + p[0], j * order + p[1], l * order + p[2]].map(|x| x as i32);
                        self.block.nodes.push(self.points.number(key(at), &position));
                    }
                    self.block.tags.push(BODY);
                }
            }
        }
    }

    /// The mesh, with all cells turned to positive orientation.
    pub(super) fn finish(self) -> Result<Mesh> {
        let mut mesh = Mesh { points: self.points.points, blocks: vec![self.block], ..Mesh::default() };
        mesh.repair()?;
        Ok(mesh)
    }
}

/// The direction through a point of the surface of [-1,1]^d; equal steps of a coordinate are equal angles.
pub(super) fn direction<const D: usize>(u: [f64; D]) -> [f64; D] {
    let v = u.map(|x| (x * FRAC_PI_4).tan());
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}
