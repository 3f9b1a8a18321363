//! Meshes as files and generators give them: points, and blocks of cells of one shape and order. Cells of the mesh's
//! dimension are its body, with a region each; cells one dimension lower that a file lists are tagged pieces of its
//! boundary.

//!
//! | module | what it holds |
//! |---|---|
//! | [`lattice`] | where the nodes of a cell stand, by shape and degree |
//! | [`geometry`] | the map from the reference cell, its Jacobian |
//! | [`facets`] | the sides of a cell, with outward normals |
//! | [`boundary`] | facets that one cell has alone, with the tags a file lists |
//! | [`orientation`] | cells turned inside out, and their repair |
//! | [`check`] | what is wrong with a mesh |
//! | [`components`] | parts that share no point |
//! | [`volume`], [`quality`] | lengths, areas, volumes; statistics of shape |
//! | [`subdivide`] | cells cut into straight ones, for pictures |
//! | [`generate`] | box, L, Fichera corner, thick shell, ball, cylinder |

pub mod boundary;
pub mod check;
pub mod components;
pub mod facets;
pub mod generate;
pub mod geometry;
pub mod lattice;
pub mod orientation;
pub mod quality;
mod shape;
pub mod subdivide;
pub mod volume;

pub use boundary::{Boundary, Facet};
pub use check::Findings;
pub use geometry::Geometry;
pub use quality::{Quality, Spread};
pub use shape::Shape;

use std::collections::BTreeMap;

/// The tag of a cell that no file or generator has given one.
pub const UNTAGGED: i32 = 0;

/// Points and cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Coordinates; in the plane the third is zero.
    pub points: Vec<[f64; 3]>,
    /// Cells, by shape and order.
    pub blocks: Vec<Block>,
    /// Names of tags, by dimension and tag.
    pub names: BTreeMap<(usize, i32), String>,
}

/// Cells of one shape and one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What each cell is.
    pub shape: Shape,
    /// Degree of its geometry: 1 has corners alone.
    pub order: usize,
    /// Points of the cells, one cell after the other, in the order of VTK's Lagrange cells: corners, edges, faces,
    /// interior. [`lattice`] says where each of them stands.
    pub nodes: Vec<u32>,
    /// Region or boundary piece of each cell.
    pub tags: Vec<i32>,
}

impl Block {
    /// How many cells it has.
    pub fn len(&self) -> usize {
        self.tags.len()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }
    /// The points of each cell.
    pub fn cells(&self) -> std::slice::ChunksExact<'_, u32> {
        self.nodes.chunks_exact(self.shape.nodes(self.order))
    }
}

impl Mesh {
    /// The dimension of its body: that of its highest cells.
    pub fn dim(&self) -> usize {
        self.blocks.iter().filter(|block| !block.is_empty()).map(|block| block.shape.dim()).max().unwrap_or(0)
    }
    /// Blocks of cells of a dimension.
    pub fn blocks_of(&self, dim: usize) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| block.shape.dim() == dim)
    }
    /// The tags of cells of a dimension, with how many cells have each: regions of the body, pieces of the boundary.
    pub fn tags(&self, dim: usize) -> BTreeMap<i32, usize> {
        let mut counts = BTreeMap::new();
        for tag in self.blocks_of(dim).flat_map(|block| &block.tags) {
            *counts.entry(*tag).or_insert(0) += 1;
        }
        counts
    }
    /// The tag of a name, or of a number written out, among cells of a dimension.
    pub fn tag_named(&self, dim: usize, name: &str) -> Option<i32> {
        let named = self.names.iter().find(|((of, _), known)| *of == dim && *known == name).map(|((_, tag), _)| *tag);
        named.or_else(|| name.parse().ok().filter(|tag| self.tags(dim).contains_key(tag)))
    }
    /// How many cells there are of a shape and degree.
    pub fn count(&self, shape: Shape, order: usize) -> usize {
        self.blocks.iter().filter(|block| (block.shape, block.order) == (shape, order)).map(Block::len).sum()
    }
    /// Whether its body lies in a plane of constant z, so that its cells have an orientation, or fills space.
    pub fn is_flat_or_solid(&self) -> bool {
        match self.dim() {
            3 => true,
            2 => self.points.iter().all(|point| point[2] == self.points[0][2]),
            _ => false,
        }
    }
}
