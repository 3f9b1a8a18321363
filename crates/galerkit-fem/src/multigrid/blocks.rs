//! Unknowns by mesh entity: each vertex, edge, face and cell interior has a range of them, the bubbles of one degree in
//! tensor order.

use crate::space::Space;
use std::ops::Range;

/// The unknowns of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first.
    pub first: u32,
    /// Degree of the entity.
    pub degree: u8,
    /// Its dimension.
    pub dim: u8,
}

impl Block {
    /// Bubbles along each axis.
    pub fn bubbles(&self) -> usize {
        self.degree as usize - 1
    }
    /// How many unknowns it has.
    pub fn len(&self) -> usize {
        self.bubbles().pow(u32::from(self.dim))
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Its unknowns.
    pub fn unknowns(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.len()
    }
}

/// All entities that have unknowns, in the order of those.
pub fn blocks(space: &Space) -> Vec<Block> {
    let (entities, numbering) = (space.entities(), space.numbering());
    let is_free = |&entity: &usize| !entities.hangs(entity) && space.fixed_by(entity).is_none();
    let of_entity = |entity: usize| {
        let dim = entities.keys[entity].dim() as u8;
        Block { first: numbering.of_entity[entity], degree: entities.degree[entity], dim }
    };
    let dim = space.dim() as u8;
    let of_cell = |e: usize| Block { first: numbering.of_interior[e], degree: space.degree(e) as u8, dim };
    let mut blocks: Vec<Block> = (0..entities.len()).filter(is_free).map(of_entity).collect();
    blocks.extend((0..space.cells()).map(of_cell));
    blocks.retain(|block| !block.is_empty());
    blocks.sort_by_key(|block| block.first);
    blocks
}

/// The block that an unknown belongs to.
pub fn block_of(blocks: &[Block], unknown: u32) -> usize {
    blocks.partition_point(|block| block.first <= unknown) - 1
}
