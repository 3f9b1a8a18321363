//! What cells have in common that are multiplied in the same way: the degree, and how their matrix is known.

/// How the matrix of a cell is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A box with constant coefficients: the sum over the axes a of D_aa K (x) M (x) M with K at place a, and of r M
    /// (x) M (x) M. Factors: D_aa for each axis, r.
    Box,
    /// By quadrature, so many Gauss points in each direction. Factors: the entries of D on and above the diagonal, each
    /// at all points, then r at all points where the form has one; weights are included.
    Points(usize),
    /// All entries, row by row: where quadrature is graded, and where Robin terms are added.
    Stored,
}

/// Cells of one degree and rule.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The degree.
    pub p: usize,
    /// How their matrices are known.
    pub rule: Rule,
    /// Whether D follows from eight vertices and one coefficient: by quadrature alone.
    pub is_trilinear: bool,
    /// Whether there is a factor r.
    pub reacts: bool,
    /// The cells, ascending.
    pub cells: Vec<u32>,
}

impl Kind {
    /// Local functions of a cell.
    pub fn functions(&self, dim: usize) -> usize {
        (self.p + 1).pow(dim as u32)
    }
    /// Quadrature points in each direction, if it has any.
    pub fn points(&self) -> usize {
        if let Rule::Points(q) = self.rule { q } else { 0 }
    }
    /// Factors of a cell.
    pub fn factors(&self, dim: usize) -> usize {
        match self.rule {
            Rule::Box => dim + 1,
            Rule::Points(q) => q.pow(dim as u32) * (dim * (dim + 1) / 2 + usize::from(self.reacts)),
            Rule::Stored => self.functions(dim).pow(2),
        }
    }
}

/// The place of entry (a, b) of D among those on and above its diagonal, row by row.
#[inline(always)]
pub fn entry(dim: usize, a: usize, b: usize) -> usize {
    let (a, b) = (a.min(b), a.max(b));
    a * dim - a * (a + 1) / 2 + b
}
