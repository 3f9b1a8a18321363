//! A leaf of a tree: level l and integer coordinates in 0..2^l.

/// The most cuts from a tree to a leaf.
pub const MAX_LEVEL: u8 = 20;
/// Length of a tree's edge on the finest lattice.
pub const SIDE: u32 = 1 << MAX_LEVEL;

/// A cell of the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The coarse cell in which it lies.
    pub tree: u32,
    /// How often that was cut.
    pub level: u8,
    /// Its place among the 2^level cells along each axis.
    pub place: [u32; 3],
}

impl Cell {
    /// A whole tree.
    pub fn root(tree: u32) -> Self {
        Self { tree, level: 0, place: [0; 3] }
    }
    /// Length of its edge on the finest lattice.
    pub fn side(&self) -> u32 {
        SIDE >> self.level
    }
    /// The cell that it is a child of; none for a whole tree.
    pub fn parent(&self) -> Option<Self> {
        Some(Self { tree: self.tree, level: self.level.checked_sub(1)?, place: self.place.map(|place| place / 2) })
    }
    /// Its children: x slow, the last axis fast.
    pub fn children(self, dim: usize) -> impl Iterator<Item = Self> {
        (0..1u32 << dim).map(move |child| {
            let place = [0, 1, 2].map(|a| if a < dim { 2 * self.place[a] + (child >> (dim - 1 - a) & 1) } else { 0 });
            Self { tree: self.tree, level: self.level + 1, place }
        })
    }
}
