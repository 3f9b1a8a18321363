//! Names of mesh entities. An entity lies in the interior of one coarse entity (vertex, edge, face or cell of the
//! coarse mesh), which has axes of its own; its coordinates along those axes are the same for every cell around it,
//! whatever tree the cell belongs to.

use super::cell::{MAX_LEVEL, SIDE};

/// A mesh entity: the coarse entity that it lies in, its level, the axes it extends along, and its lowest corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Number of the coarse entity.
    pub coarse: u32,
    /// Lowest corner, on the finest lattice, along the axes of the coarse entity.
    pub corner: [u32; 3],
    /// Level of its edges; of a vertex 0, because cells of several levels share it.
    pub level: u8,
    /// Bit k: it extends along axis k of the coarse entity.
    pub along: u8,
}

impl Key {
    /// How many axes it extends along.
    pub fn dim(&self) -> usize {
        self.along.count_ones() as usize
    }
    /// Whether it extends along an axis of the coarse entity.
    pub fn is_along(&self, axis: usize) -> bool {
        self.along >> axis & 1 == 1
    }
    /// The level of the lattice that it belongs to: of a vertex the lowest one that has it.
    pub fn lattice_level(&self) -> u8 {
        if self.along != 0 {
            return self.level;
        }
        let zeros = self.corner.iter().map(|c| (c | SIDE).trailing_zeros()).min().expect("three coordinates");
        MAX_LEVEL - zeros as u8
    }
    /// The smallest entity one level up that contains it; none at level 0.
    pub fn parent(&self) -> Option<Self> {
        let level = self.lattice_level().checked_sub(1)?;
        let side = SIDE >> level;
        let along = (0..3).fold(0, |along, k| {
            let inside = self.is_along(k) || !self.corner[k].is_multiple_of(side);
            along | u8::from(inside) << k
        });
        Some(Self { coarse: self.coarse, corner: self.corner.map(|c| c - c % side), level, along })
    }
    /// All entities of lower levels that contain it and extend along something, from its parent up.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), Self::parent)
    }
    /// As one number, in the same order.
    pub fn packed(&self) -> u128 {
        let [x, y, z] = self.corner.map(u128::from);
        (u128::from(self.coarse) << 96)
            | (x << 75)
            | (y << 54)
            | (z << 33)
            | (u128::from(self.level) << 8)
            | u128::from(self.along)
    }
}
