//! The boundary of a mesh: facets of the body that one cell has alone. Cells one dimension below the body that a file
//! lists give them their tags; those that lie between two cells are interfaces.

use super::facets::{facet_nodes, facet_shape, facets};
use super::{Block, Mesh, UNTAGGED};
use crate::error::{Error, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// One side of a cell of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facet {
    /// Which block of the mesh.
    pub block: usize,
    /// Which cell of the block.
    pub cell: usize,
    /// Which of the cell's [`facets`].
    pub side: usize,
    /// The tag of the listed cell that lies there, or [`UNTAGGED`].
    pub tag: i32,
}

/// The facets of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Those that one cell has alone, cell by cell.
    pub facets: Vec<Facet>,
    /// Those between two cells that the file lists, as seen from the first of the two.
    pub interfaces: Vec<Facet>,
    /// Listed cells that are no facet of the body.
    pub strays: usize,
}

/// The corners of a facet in increasing order, with the largest number where there is none.
type Key = [u32; 4];

fn key(corners: impl Iterator<Item = u32>) -> Key {
    let mut key = [u32::MAX; 4];
    key.iter_mut().zip(corners).for_each(|(place, corner)| *place = corner);
    key.sort_unstable();
    key
}

impl Mesh {
    /// Its boundary.
    ///
    /// # Errors
    /// If three cells or more share a facet.
    pub fn boundary(&self) -> Result<Boundary> {
        let mut sides = self.sides();
        sides.par_sort_unstable();
        let listed = self.listed_tags();
        let mut boundary = Boundary::default();
        let mut found = 0;
        for same in sides.chunk_by(|a, b| a.0 == b.0) {
            let (key, block, cell, side) = same[0];
            let tag = listed.get(&key).copied();
            found += usize::from(tag.is_some());
            let [block, cell, side] = [block as usize, cell as usize, side as usize];
            let facet = Facet { block, cell, side, tag: tag.unwrap_or(UNTAGGED) };
            match (same.len(), tag) {
                (1, _) => boundary.facets.push(facet),
                (2, Some(_)) => boundary.interfaces.push(facet),
                (2, None) => {}
                (count, _) => return Err(too_many(count, facet)),
            }
        }
        boundary.facets.sort_unstable();
        boundary.interfaces.sort_unstable();
        boundary.strays = listed.len() - found;
        Ok(boundary)
    }

    /// Block, cell and side of every facet, in few bytes: there are many.
    fn sides(&self) -> Vec<(Key, u32, u32, u8)> {
        let dim = self.dim();
        let mut sides = Vec::new();
        for (block, cells) in self.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == dim) {
            for (cell, nodes) in cells.cells().enumerate() {
                for (side, corners) in facets(cells.shape).iter().enumerate() {
                    let key = key(corners.iter().map(|&corner| nodes[corner]));
                    sides.push((key, block as u32, cell as u32, side as u8));
                }
            }
        }
        sides
    }

    /// Tags of the listed cells one dimension below the body; the first counts where one is listed twice.
    fn listed_tags(&self) -> BTreeMap<Key, i32> {
        let mut listed = BTreeMap::new();
        for block in self.dim().checked_sub(1).into_iter().flat_map(|dim| self.blocks_of(dim)) {
            for (nodes, tag) in block.cells().zip(&block.tags) {
                listed.entry(key(nodes[..block.shape.corners()].iter().copied())).or_insert(*tag);
            }
        }
        listed
    }

    /// The nodes of a facet, in the order of a cell of its shape, and so that its normal points outward.
    pub fn facet_nodes(&self, facet: Facet) -> Vec<u32> {
        let block = &self.blocks[facet.block];
        let stride = block.shape.nodes(block.order);
        let cell = &block.nodes[facet.cell * stride..][..stride];
        facet_nodes(block.shape, block.order, facet.side).into_iter().map(|node| cell[node]).collect()
    }

    /// Replaces what it lists one dimension below its body by its whole boundary, each facet with the tag that `tag`
    /// gives it.
    ///
    /// # Errors
    /// If three cells or more share a facet.
    pub fn tag_boundary(&mut self, tag: impl Fn(&Self, Facet) -> i32) -> Result<()> {
        let mut facets = self.boundary()?.facets;
        facets.iter_mut().for_each(|facet| facet.tag = tag(self, *facet));
        let (dim, blocks) = (self.dim(), self.blocks_on(&facets));
        self.blocks.retain(|block| block.shape.dim() + 1 != dim);
        self.blocks.extend(blocks);
        Ok(())
    }

    /// Facets as blocks of cells.
    pub fn blocks_on(&self, sides: &[Facet]) -> Vec<Block> {
        let mut blocks: BTreeMap<_, Block> = BTreeMap::new();
        for facet in sides {
            let of = &self.blocks[facet.block];
            let shape = facet_shape(facets(of.shape)[facet.side].len());
            let empty = || Block { shape, order: of.order, nodes: Vec::new(), tags: Vec::new() };
            let block = blocks.entry((shape, of.order)).or_insert_with(empty);
            block.nodes.extend(self.facet_nodes(*facet));
            block.tags.push(facet.tag);
        }
        blocks.into_values().collect()
    }
}

fn too_many(count: usize, facet: Facet) -> Error {
    let place = format!("block {}, cell {}, side {}", facet.block, facet.cell, facet.side);
    Error::InvalidMesh {
        place,
        problem: format!("{count} cells share this facet, at most 2 can: remove duplicate cells"),
    }
}
