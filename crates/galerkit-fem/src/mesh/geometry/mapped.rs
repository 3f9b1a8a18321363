//! A reference point carried to a cell: where it lies, and how lengths, areas and volumes change there.

/// A reference point carried to a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapped {
    /// x(xi).
    pub point: [f64; 3],
    /// Columns of J: dx / dxi_j, the first `dim` of them.
    pub columns: [[f64; 3]; 3],
    pub(super) dim: usize,
}

impl Mapped {
    /// det J, with its sign, where the cell fills the space of its dimension: the line, the plane of x and y, or space.
    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.columns;
        match self.dim {
            0 => 1.0,
            1 => a[0],
            2 => a[0] * b[1] - a[1] * b[0],
            _ => dot(cross(a, b), c),
        }
    }
    /// sqrt(det Jᵀ J): how a length, an area or a volume grows, for curves and surfaces in space too.
    pub fn measure(&self) -> f64 {
        let [a, b, _] = self.columns;
        match self.dim {
            0 => 1.0,
            1 => dot(a, a).sqrt(),
            2 => dot(cross(a, b), cross(a, b)).sqrt(),
            _ => self.determinant().abs(),
        }
    }
    /// The vector orthogonal to a surface, as long as its measure; to the right of a curve in the plane; none for
    /// solids and points.
    pub fn normal(&self) -> Option<[f64; 3]> {
        let [a, b, _] = self.columns;
        match self.dim {
            1 => Some([a[1], -a[0], 0.0]),
            2 => Some(cross(a, b)),
            _ => None,
        }
    }
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
