//! What is wrong with a mesh, found once after reading it: indices out of range, coordinates that are no numbers, cells
//! inside out or degenerate, points that no cell uses, cells listed twice.

use super::orientation::{CellId, Orientation};
use super::{Mesh, components};
use crate::error::{Error, Result};
use rayon::prelude::*;

/// What a check has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Cells of the body that are inside out.
    pub inverted: Vec<CellId>,
    /// Cells of the body without a volume, or whose Jacobian changes its sign.
    pub degenerate: Vec<CellId>,
    /// Cells of the body with the corners of an earlier one.
    pub duplicates: Vec<CellId>,
    /// How many points no cell has.
    pub unused_points: usize,
    /// Parts of the body that share no point, by their number of cells, the largest first.
    pub components: Vec<usize>,
}

/// Degenerate cells that an error names.
const NAMED: usize = 5;

impl Mesh {
    /// Looks at everything and changes nothing.
    ///
    /// # Errors
    /// If the mesh has no cells, or its arrays contradict each other.
    pub fn check(&self) -> Result<Findings> {
        self.check_arrays()?;
        let misoriented = self.misoriented()?;
        let those = |which| misoriented.iter().filter(move |(_, found)| *found == which).map(|(id, _)| *id).collect();
        Ok(Findings {
            inverted: those(Orientation::Inverted),
            degenerate: those(Orientation::Degenerate),
            duplicates: self.duplicates(),
            unused_points: self.points.len() - self.used_points(),
            components: components::sizes(self),
        })
    }

    /// Turns inverted cells round and refuses degenerate ones by number. What it returns is as it was found.
    ///
    /// # Errors
    /// As [`check`](Self::check), and for degenerate cells.
    pub fn repair(&mut self) -> Result<Findings> {
        let findings = self.check()?;
        if !findings.degenerate.is_empty() {
            return Err(refused(&findings.degenerate));
        }
        self.mirror(findings.inverted.iter().copied());
        Ok(findings)
    }

    pub(crate) fn check_arrays(&self) -> Result<()> {
        let invalid = |place: String, problem: String| Err(Error::InvalidMesh { place, problem });
        if self.blocks.iter().all(super::Block::is_empty) {
            return invalid("its list of cells".into(), "there are none: a space needs at least one".into());
        }
        if let Some(i) = self.points.iter().position(|point| point.iter().any(|x| !x.is_finite())) {
            return invalid(format!("point {i}"), format!("its coordinates {:?} are not all finite", self.points[i]));
        }
        for (b, block) in self.blocks.iter().enumerate() {
            let stride = block.shape.nodes(block.order);
            if block.nodes.len() != stride * block.len() {
                let problem = format!("{} cells of {stride} nodes, but {} nodes", block.len(), block.nodes.len());
                return invalid(format!("block {b}"), problem);
            }
            if let Some(k) = block.nodes.iter().position(|node| *node as usize >= self.points.len()) {
                let problem = format!("its node {} is none of the {} points", block.nodes[k], self.points.len());
                return invalid(format!("block {b}, cell {}", k / stride), problem);
            }
        }
        Ok(())
    }

    fn used_points(&self) -> usize {
        let mut used = vec![false; self.points.len()];
        self.blocks.iter().flat_map(|block| &block.nodes).for_each(|node| used[*node as usize] = true);
        used.into_iter().filter(|used| *used).count()
    }

    fn duplicates(&self) -> Vec<CellId> {
        let dim = self.dim();
        let mut cells = Vec::new();
        for (number, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == dim) {
            for (cell, nodes) in block.cells().enumerate() {
                let mut key = [u32::MAX; 8];
                key.iter_mut().zip(&nodes[..block.shape.corners()]).for_each(|(place, node)| *place = *node);
                key.sort_unstable();
                cells.push((key, CellId { block: number, cell }));
            }
        }
        cells.par_sort_unstable();
        let mut later: Vec<_> = cells.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
        later.sort_unstable();
        later
    }
}

fn refused(degenerate: &[CellId]) -> Error {
    let name = |id: &CellId| format!("block {} cell {}", id.block, id.cell);
    let mut place = degenerate.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ");
    if degenerate.len() > NAMED {
        place += &format!(" and {} more", degenerate.len() - NAMED);
    }
    let problem = "degenerate: the Jacobian vanishes or changes its sign; move the cells' points, or remove the cells";
    Error::InvalidMesh { place, problem: problem.into() }
}
