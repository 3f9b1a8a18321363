//! Parts of a cube: its vertices, edges, faces and interior. A part tells for each axis whether it lies at the low end,
//! at the high end, or extends along it; 3^d parts in all.

/// Where a part lies along an axis: at the low end.
pub const LOW: u8 = 0;
/// At the high end.
pub const HIGH: u8 = 1;
/// All along it.
pub const FREE: u8 = 2;

/// A vertex, edge, face or the interior of a cube or square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(pub [u8; 3]);

impl Part {
    /// All parts of the cube of a dimension, by index; the last is its interior.
    pub fn all(dim: usize) -> impl Iterator<Item = Self> {
        (0..3u8.pow(dim as u32)).map(Self::from_index)
    }
    /// The parts of the boundary that have one dimension less than the cube.
    pub fn facets(dim: usize) -> impl Iterator<Item = Self> {
        Self::all(dim).filter(move |part| part.dim() + 1 == dim)
    }
    /// The interior of the cube.
    pub fn interior(dim: usize) -> Self {
        Self([0, 1, 2].map(|a| if a < dim { FREE } else { LOW }))
    }
    /// The part with an index.
    pub fn from_index(index: u8) -> Self {
        Self([index % 3, index / 3 % 3, index / 9])
    }
    /// Its index among the parts.
    pub fn index(self) -> usize {
        let Self([x, y, z]) = self;
        x as usize + 3 * y as usize + 9 * z as usize
    }
    /// Its dimension.
    pub fn dim(self) -> usize {
        self.0.iter().filter(|&&side| side == FREE).count()
    }
    /// The axes along which it extends, ascending.
    pub fn axes(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..3).filter(move |&a| self.0[a] == FREE)
    }
    /// Whether the closure of this part contains another.
    pub fn contains(self, other: Self) -> bool {
        (0..3).all(|a| self.0[a] == FREE || self.0[a] == other.0[a])
    }
    /// The axis on which a facet has its normal, and whether it is the high end.
    pub fn normal(self, dim: usize) -> (usize, bool) {
        let axis = (0..dim).find(|&a| self.0[a] != FREE).expect("a facet");
        (axis, self.0[axis] == HIGH)
    }
}
