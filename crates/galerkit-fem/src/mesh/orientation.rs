//! Which way round cells are: det J > 0 is right, det J < 0 everywhere is inside out and is mended by a mirrored order
//! of nodes, anything else is degenerate.

use super::geometry::{Evaluated, Geometry, dot};
use super::{Block, Mesh, Shape, lattice};
use crate::error::Result;
use galerkit_linalg::parallel;

/// A cell, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId {
    /// Which block of the mesh.
    pub block: usize,
    /// Which cell of the block.
    pub cell: usize,
}

/// How a cell lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// det J > 0 at every node.
    Positive,
    /// det J < 0 at every node.
    Inverted,
    /// det J vanishes or changes its sign.
    Degenerate,
}

/// Below this share of the product of its columns, det J is zero: far below any sliver that a mesher makes, far above
/// rounding.
const FLAT: f64 = 1e-12;

impl Mesh {
    /// Cells of the body that are not positive, by number. A surface in space has no orientation: there only degenerate
    /// cells count.
    ///
    /// # Errors
    /// If the degree of a block's geometry is unknown.
    pub fn misoriented(&self) -> Result<Vec<(CellId, Orientation)>> {
        let (dim, signed) = (self.dim(), self.is_flat_or_solid());
        let mut found = Vec::new();
        for (number, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == dim) {
            let samples = samples(block)?;
            let each = block.shape.nodes(block.order);
            let of_cell = |cell: usize| {
                let nodes = &block.nodes[cell * each..][..each];
                let orientation = orientation(&samples, &self.points, nodes, signed);
                let id = CellId { block: number, cell };
                (orientation != Orientation::Positive).then_some((id, orientation))
            };
            found.extend(parallel::values(block.nodes.len() / each, &of_cell).into_iter().flatten());
        }
        Ok(found)
    }

    /// Turns cells round, by mirroring the order of their nodes.
    pub fn mirror(&mut self, cells: impl IntoIterator<Item = CellId>) {
        let orders: Vec<_> = self.blocks.iter().map(|block| lattice::mirrored(block.shape, block.order)).collect();
        for CellId { block, cell } in cells {
            let order = &orders[block];
            let nodes = &mut self.blocks[block].nodes[cell * order.len()..][..order.len()];
            let old = nodes.to_vec();
            nodes.iter_mut().zip(order).for_each(|(node, &from)| *node = old[from]);
        }
    }
}

/// Where det J is looked at: once where it is constant, else at the nodes; not at a pyramid's apex, where it vanishes.
fn samples(block: &Block) -> Result<Vec<Evaluated>> {
    let geometry = Geometry::new(block.shape, block.order)?;
    let constant = block.order == 1 && matches!(block.shape, Shape::Line | Shape::Triangle | Shape::Tetrahedron);
    let mut nodes = if constant { vec![geometry.centre()] } else { geometry.nodes() };
    nodes.retain(|node| block.shape != Shape::Pyramid || node[2] < 1.0);
    Ok(nodes.into_iter().map(|node| geometry.at(node)).collect())
}

fn orientation(samples: &[Evaluated], points: &[[f64; 3]], cell: &[u32], signed: bool) -> Orientation {
    let (mut positive, mut negative) = (true, true);
    for sample in samples {
        let mapped = sample.map(points, cell);
        let size: f64 = mapped.columns.iter().map(|c| dot(*c, *c).sqrt()).filter(|length| *length > 0.0).product();
        let measure = if signed { mapped.determinant() } else { mapped.measure() };
        positive &= measure > FLAT * size;
        negative &= measure < -FLAT * size;
    }
    match (positive, negative) {
        (true, _) => Orientation::Positive,
        (_, true) => Orientation::Inverted,
        _ => Orientation::Degenerate,
    }
}
