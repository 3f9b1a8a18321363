//! The system of the nodes that can move: A x = b, three unknowns a node, one after the other. What held nodes
//! contribute stands in b.

use super::displacement::Displacement;
use super::elements::NodeRows;
use super::solid::Solid;
use crate::error::{Error, Result};
use galerkit_linalg::error::check_length;
use galerkit_linalg::multigrid::amg::vectors::rigid_body_modes;
use galerkit_linalg::sparse::Csr;

/// Unknowns of a node.
pub const BLOCK: usize = 3;

/// A x = b.
#[derive(Clone, Debug)]
pub struct Equations {
    /// Symmetric and positive definite.
    pub A: Csr<f64>,
    /// Loads, and what held nodes contribute.
    pub b: Vec<f64>,
    /// All that acts on the body, nodes that are held included.
    pub load: [f64; 3],
    /// The nodes that can move, in the order of the unknowns.
    free: Vec<u32>,
    held: Vec<Option<[f64; 3]>>,
    points: Vec<Vec<f64>>,
}

impl Solid {
    /// Assembles.
    ///
    /// # Errors
    /// If a part of the body is not held, a tag is none of the boundary's, a cell is folded, or data are not allowed.
    pub fn assemble(&self) -> Result<Equations> {
        let held = self.held()?;
        self.check_held(&held)?;
        let loads = self.loads()?;
        let is_free = |&node: &usize| held[node].is_none() && !self.cells.around(node).is_empty();
        let free: Vec<u32> = (0..held.len()).filter(is_free).map(|node| node as u32).collect();
        let mut number = vec![u32::MAX; held.len()];
        free.iter().enumerate().for_each(|(k, &node)| number[node as usize] = k as u32);
        let number = |node: u32| held[node as usize].is_none().then(|| number[node as usize]);
        let (A, b) = self.rows(&free, &|node, row, made| {
            made.append(row, &number);
            made.b.extend(right_hand_side(loads[node as usize], row, &held));
        })?;
        let load = loads.iter().fold([0.0; 3], |sum, f| std::array::from_fn(|d| sum[d] + f[d]));
        let points = free.iter().map(|&node| self.mesh.points[node as usize].to_vec()).collect();
        Ok(Equations { A, b, load, free, held, points })
    }
}

/// What acts on a node, less what held ones contribute.
fn right_hand_side(mut b: [f64; BLOCK], row: &NodeRows, held: &[Option<[f64; 3]>]) -> [f64; BLOCK] {
    for (&other, block) in row.nodes.iter().zip(&row.blocks) {
        if let Some(u) = held[other as usize] {
            (0..3).for_each(|i| b[i] -= (0..3).map(|j| block[i][j] * u[j]).sum::<f64>());
        }
    }
    b
}

impl Equations {
    /// The nodes that can move, in the order of the unknowns.
    pub fn free(&self) -> &[u32] {
        &self.free
    }
    /// Translations and rotations, which nearly cost nothing: near-null vectors for algebraic multigrid with nodes of
    /// [`BLOCK`] rows.
    pub fn rigid_body_modes(&self) -> Vec<Vec<f64>> {
        rigid_body_modes(&self.points)
    }
    /// The displacement of all nodes, by that of those which can move.
    ///
    /// # Errors
    /// If x has not an entry for each unknown.
    pub fn displacement(&self, solid: &Solid, x: &[f64]) -> Result<Displacement> {
        check_length("the displacement", 3 * self.free.len(), x.len()).map_err(Error::Linalg)?;
        let mut u: Vec<[f64; 3]> = self.held.iter().map(|held| held.unwrap_or([0.0; 3])).collect();
        for (&node, x) in self.free.iter().zip(x.chunks_exact(3)) {
            u[node as usize] = [x[0], x[1], x[2]];
        }
        Ok(Displacement::new(solid.clone(), u))
    }
}
