//! Meshes as files and generators give them: points, and blocks of cells of one shape and order. Cells of the mesh's dimension are its
//! body, with a region each; cells one dimension lower that a file lists are tagged pieces of its boundary.

mod shape;

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
    /// Points of the cells, one cell after the other: corners first, in the order of VTK, then edges, faces and the interior.
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
}
