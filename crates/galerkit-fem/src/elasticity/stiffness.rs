//! Rows of the stiffness matrix K_ab = int sigma(phi_b) : eps(phi_a), a block of 3 x 3 for each pair of nodes. Threads take nodes, each sums
//! over its cells in ascending order: bits do not depend on their number, and K is symmetric to the last of them.

use super::cells::At;
use super::solid::Solid;
use crate::error::Result;
use crate::form::{Site, Tensor};
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// The rows of a node.
pub(super) struct NodeRows {
    /// Nodes, in ascending order.
    pub nodes: Vec<u32>,
    /// A block for each of them.
    pub blocks: Vec<Tensor>,
}

impl Solid {
    /// The matrix of all nodes, as if nothing were held: rigid motions are in its kernel. Points that no cell has leave empty rows.
    ///
    /// # Errors
    /// If a cell is folded, the material is none, or there are more unknowns than columns can number.
    pub fn stiffness(&self) -> Result<Csr<f64>> {
        let nodes = self.mesh.points.len();
        let rows = parallel::try_values(nodes, &|i| self.rows_of(i))?;
        let (mut start, mut col, mut val) = (vec![0u64], Vec::new(), Vec::new());
        for row in &rows {
            for i in 0..3 {
                for (&node, block) in row.nodes.iter().zip(&row.blocks) {
                    col.extend((0..3).map(|j| 3 * node + j));
                    val.extend_from_slice(&block[i]);
                }
                start.push(col.len() as u64);
            }
        }
        Ok(Csr::new(3 * nodes, 3 * nodes, start, col, val)?)
    }

    /// The rows of a node.
    pub(super) fn rows_of(&self, node: usize) -> Result<NodeRows> {
        let around = self.cells.around(node);
        let mut nodes: Vec<u32> =
            around.iter().flat_map(|&e| self.cells.nodes(&self.mesh, e as usize)).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut blocks = vec![[[0.0; 3]; 3]; nodes.len()];
        for &e in around {
            self.add_cell(e as usize, node, (&nodes, &mut blocks))?;
        }
        Ok(NodeRows { nodes, blocks })
    }

    fn add_cell(&self, e: usize, node: usize, (nodes, blocks): (&[u32], &mut [Tensor])) -> Result<()> {
        let of_cell = self.cells.nodes(&self.mesh, e);
        let own = of_cell.iter().position(|&other| other as usize == node).expect("the cell is one of the node's");
        let places: Vec<usize> = of_cell.iter().map(|other| nodes.partition_point(|known| known < other)).collect();
        let region = self.cells.region(&self.mesh, e);
        self.cells.visit(&self.mesh, e, At::Products, &mut |_, at| {
            let law = self.material.at(&Site { point: at.x, region })?;
            for (&place, gradient) in places.iter().zip(at.gradients) {
                let block = law.block(&at.gradients[own], gradient); // sigma(phi_b e_j) : eps(phi_a e_i)
                let sum = blocks[place].iter_mut().flatten();
                sum.zip(block.iter().flatten()).for_each(|(sum, value)| *sum += at.weight * value);
            }
            Ok(())
        })
    }
}
