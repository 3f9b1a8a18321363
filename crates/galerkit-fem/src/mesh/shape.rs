//! What cells there are.

/// The shape of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A point.
    Vertex,
    /// Two corners.
    Line,
    /// Three corners.
    Triangle,
    /// Four corners, around.
    Quadrilateral,
    /// Four corners; the fourth is on the side to which the first three turn counter-clockwise.
    Tetrahedron,
    /// Eight corners: four around the bottom, four above them.
    Hexahedron,
    /// Six corners: a triangle, and one above it.
    Prism,
    /// Five corners: four around the bottom, and the apex.
    Pyramid,
}

impl Shape {
    /// Its dimension.
    pub fn dim(self) -> usize {
        match self {
            Self::Vertex => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quadrilateral => 2,
            Self::Tetrahedron | Self::Hexahedron | Self::Prism | Self::Pyramid => 3,
        }
    }
    /// Points of a cell whose geometry has degree k.
    pub fn nodes(self, k: usize) -> usize {
        match self {
            Self::Vertex => 1,
            Self::Line => k + 1,
            Self::Triangle => (k + 1) * (k + 2) / 2,
            Self::Quadrilateral => (k + 1) * (k + 1),
            Self::Tetrahedron => (k + 1) * (k + 2) * (k + 3) / 6,
            Self::Hexahedron => (k + 1) * (k + 1) * (k + 1),
            Self::Prism => (k + 1) * (k + 1) * (k + 2) / 2,
            Self::Pyramid => (k + 1) * (k + 2) * (2 * k + 3) / 6,
        }
    }
    /// Corners of a cell.
    pub fn corners(self) -> usize {
        self.nodes(1)
    }
    /// The highest degree of geometry that is known for it.
    pub fn max_order(self) -> usize {
        match self {
            Self::Vertex => 1,
            Self::Pyramid => 2,
            _ => 4,
        }
    }
    /// Its name, in the singular.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Line => "line",
            Self::Triangle => "triangle",
            Self::Quadrilateral => "quadrilateral",
            Self::Tetrahedron => "tetrahedron",
            Self::Hexahedron => "hexahedron",
            Self::Prism => "prism",
            Self::Pyramid => "pyramid",
        }
    }
}
