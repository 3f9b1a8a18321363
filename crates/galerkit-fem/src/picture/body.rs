//! What can be drawn: cells of known shapes, each with a point and a value at every reference point. Cells come in
//! kinds, so that shape functions are evaluated once for all cells of a kind.

use crate::error::Result;
use crate::mesh::Shape;

/// A point of a cell and the value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where.
    pub point: [f64; 3],
    /// The field.
    pub value: f64,
}

/// Cells that are sampled alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Their shape.
    pub shape: Shape,
    /// Pieces along each edge that show their geometry and field well.
    pub cuts: usize,
    /// Whether their corners do not bound them.
    pub is_curved: bool,
}

/// A side of a cell that lies on the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The cell.
    pub cell: usize,
    /// Which of its [`facets`](crate::mesh::facets::facets).
    pub side: usize,
    /// Its tag.
    pub tag: i32,
}

/// The samples of a cell at reference points that were fixed before, appended to a list.
pub type Sampler<'a> = Box<dyn Fn(usize, &mut Vec<Sample>) + Sync + 'a>;

/// Cells that can be drawn. Reference points are those of [`geometry`](crate::mesh::geometry).
pub trait Body: Sync {
    /// 2 or 3.
    fn dim(&self) -> usize;
    /// Whether it lies in a plane of constant z.
    fn is_flat(&self) -> bool;
    /// Its kinds of cells.
    fn kinds(&self) -> Vec<Kind>;
    /// How many cells it has.
    fn cells(&self) -> usize;
    /// The kind of a cell.
    fn kind_of(&self, cell: usize) -> usize;
    /// The region of a cell.
    fn region(&self, cell: usize) -> i32;
    /// The sides of its boundary.
    ///
    /// # Errors
    /// If it has no boundary, because three cells share a facet.
    fn sides(&self) -> Result<Vec<Side>>;
    /// What gives the samples of any cell of a kind at these reference points.
    ///
    /// # Errors
    /// If the kind's geometry is not known.
    fn sampler(&self, kind: usize, at: &[[f64; 3]]) -> Result<Sampler<'_>>;
}
