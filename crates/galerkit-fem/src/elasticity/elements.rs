//! Matrices of the cells around some nodes, each computed once: K_ab = int sigma(phi_b) : eps(phi_a), a block of 3 x 3
//! for each pair of its nodes. Half of the blocks are computed, the others are their mirror images, with the same bits.

use super::cells::At;
use super::solid::Solid;
use crate::error::Result;
use crate::form::{Site, Tensor};

/// The rows of a node.
pub(super) struct NodeRows {
    /// Nodes, in ascending order.
    pub nodes: Vec<u32>,
    /// A block for each of them.
    pub blocks: Vec<Tensor>,
}

/// The cells around some nodes, with their matrices.
pub(super) struct Elements<'a> {
    solid: &'a Solid,
    /// In ascending order.
    cells: Vec<u32>,
    /// Where the blocks of each begin.
    start: Vec<usize>,
    /// By rows.
    blocks: Vec<Tensor>,
}

impl<'a> Elements<'a> {
    pub(super) fn around(solid: &'a Solid, nodes: &[u32]) -> Result<Self> {
        let mut cells: Vec<u32> = nodes.iter().flat_map(|&node| solid.cells.around(node as usize)).copied().collect();
        cells.sort_unstable();
        cells.dedup();
        let (mut start, mut blocks) = (Vec::with_capacity(cells.len()), Vec::new());
        for &e in &cells {
            start.push(blocks.len());
            add_cell(solid, e as usize, &mut blocks)?;
        }
        Ok(Self { solid, cells, start, blocks })
    }

    /// The rows of one of the nodes, summed over its cells in ascending order.
    pub(super) fn rows_of(&self, node: u32) -> NodeRows {
        let (solid, around) = (self.solid, self.solid.cells.around(node as usize));
        let of_cell = |e: u32| solid.cells.nodes(&solid.mesh, e as usize);
        let mut nodes: Vec<u32> = around.iter().flat_map(|&e| of_cell(e)).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut blocks = vec![[[0.0; 3]; 3]; nodes.len()];
        for &e in around {
            let (others, at) = (of_cell(e), self.cells.partition_point(|&known| known < e));
            let own = others.iter().position(|&other| other == node).expect("the cell is one of the node's");
            let row = &self.blocks[self.start[at] + own * others.len()..][..others.len()];
            for (other, block) in others.iter().zip(row) {
                let sum = blocks[nodes.partition_point(|known| known < other)].iter_mut().flatten();
                sum.zip(block.iter().flatten()).for_each(|(sum, value)| *sum += value);
            }
        }
        NodeRows { nodes, blocks }
    }
}

/// Appends the matrix of a cell.
fn add_cell(solid: &Solid, e: usize, blocks: &mut Vec<Tensor>) -> Result<()> {
    let (n, first) = (solid.cells.nodes(&solid.mesh, e).len(), blocks.len());
    let region = solid.cells.region(&solid.mesh, e);
    blocks.resize(first + n * n, [[0.0; 3]; 3]);
    let K = &mut blocks[first..];
    solid.cells.visit(&solid.mesh, e, At::Products, &mut |_, at| {
        let law = solid.material.at(&Site { point: at.x, region })?;
        for (a, psi) in at.gradients.iter().enumerate() {
            for (sum, phi) in K[a * n + a..(a + 1) * n].iter_mut().zip(&at.gradients[a..]) {
                let block = law.block(psi, phi); // sigma(phi e_j) : eps(psi e_i)
                let sum = sum.iter_mut().flatten();
                sum.zip(block.iter().flatten()).for_each(|(sum, value)| *sum += at.weight * value);
            }
        }
        Ok(())
    })?;
    for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let upper = K[b * n + a];
        K[a * n + b] = std::array::from_fn(|i| std::array::from_fn(|j| upper[j][i]));
    }
    Ok(())
}
