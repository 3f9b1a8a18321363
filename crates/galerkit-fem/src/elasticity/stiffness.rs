//! Rows of the stiffness matrix, three a node. Threads take nodes in groups, whose cells they compute once; each row
//! sums over its cells in ascending order: bits do not depend on the number of threads, and K is symmetric to the last
//! of them.

use super::elements::{Elements, NodeRows};
use super::equations::BLOCK;
use super::solid::Solid;
use crate::error::Result;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Least and most nodes of a group: cells on its rim are computed by others again, so many make them few; the matrices
/// of all its cells are in memory.
const GROUP: [usize; 2] = [256, 8192];
/// Groups where there are few nodes.
const GROUPS: usize = 16;

/// Some rows, one behind the other.
#[derive(Default)]
pub(super) struct Rows {
    /// Entries of each.
    lengths: Vec<u32>,
    col: Vec<u32>,
    val: Vec<f64>,
    /// What each has beside its entries.
    pub(super) b: Vec<f64>,
}

impl Rows {
    /// Appends the rows of a node: blocks by the numbers of other nodes, which ascend.
    pub(super) fn append(&mut self, row: &NodeRows, number: &dyn Fn(u32) -> Option<u32>) {
        for i in 0..BLOCK {
            let before = self.col.len();
            for (&node, block) in row.nodes.iter().zip(&row.blocks) {
                let Some(k) = number(node) else { continue };
                self.col.extend((0..BLOCK as u32).map(|j| BLOCK as u32 * k + j));
                self.val.extend_from_slice(&block[i]);
            }
            self.lengths.push((self.col.len() - before) as u32);
        }
    }
}

impl Solid {
    /// The matrix of all nodes, as if nothing were held: rigid motions are in its kernel. Points that no cell has leave
    /// empty rows.
    ///
    /// # Errors
    /// If a cell is folded, the material is none, or there are more unknowns than columns can number.
    pub fn stiffness(&self) -> Result<Csr<f64>> {
        let nodes: Vec<u32> = (0..self.mesh.points.len() as u32).collect();
        Ok(self.rows(&nodes, &|_, row, made| made.append(row, &Some))?.0)
    }

    /// The rows of some nodes as a square matrix of as many, and what stands beside them; `add(node, row, made)`
    /// appends those of a node.
    pub(super) fn rows(
        &self,
        nodes: &[u32],
        add: &(dyn Fn(u32, &NodeRows, &mut Rows) + Sync),
    ) -> Result<(Csr<f64>, Vec<f64>)> {
        let size = nodes.len().div_ceil(GROUPS).clamp(GROUP[0], GROUP[1]);
        let groups: Vec<&[u32]> = nodes.chunks(size).collect();
        let parts = parallel::try_values(groups.len(), &|k| {
            let (elements, mut made) = (Elements::around(self, groups[k])?, Rows::default());
            groups[k].iter().for_each(|&node| add(node, &elements.rows_of(node), &mut made));
            Ok::<Rows, crate::Error>(made)
        })?;
        let (mut start, mut sum) = (Vec::with_capacity(BLOCK * nodes.len() + 1), 0);
        start.push(0);
        for length in parts.iter().flat_map(|part| &part.lengths) {
            sum += u64::from(*length);
            start.push(sum);
        }
        let b = parts.iter().flat_map(|part| &part.b).copied().collect();
        let (col, val) = parts.into_iter().map(|part| (part.col, part.val)).unzip();
        let rows = BLOCK * nodes.len();
        Ok((Csr::new(rows, rows, start, parallel::concatenated(col), parallel::concatenated(val))?, b))
    }
}
