//! Multigrid for bodies of degree 2 and more: displacements of degree 1 on the same cells are the first coarse level,
//! and algebraic multigrid with the rigid body modes of its nodes goes on from there. Aggregates of nodes of higher
//! degree would be coupled by too many entries: on hexahedra of degree 2 they take twice as many iterations.

use super::equations::{BLOCK, Equations};
use super::solid::Solid;
use crate::error::Result;
use crate::mesh::{Geometry, Mesh};
use galerkit_linalg::engine::{Engine, Operator};
use galerkit_linalg::multigrid::amg::vectors::rigid_body_modes;
use galerkit_linalg::multigrid::amg::{Amg, Summary, above};
use galerkit_linalg::multigrid::{Cycle, Hierarchy};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Csr;

/// Weights below this are rounded zeros.
const LEAST: f64 = 1e-12;

/// The hierarchy of a body, in host memory.
#[derive(Clone, Debug)]
pub struct BodyMultigrid {
    hierarchy: Hierarchy<f64>,
    below: Summary,
    precision: Precision,
}

/// A node that is no corner of a cell: the corners that it lies between, with their weights.
type Between = Vec<(u32, f64)>;

impl BodyMultigrid {
    /// For the equations of a body. Nodes of `amg` have three rows, and its precision is that of the cycle.
    ///
    /// # Errors
    /// If the matrix is none that multigrid accepts.
    pub fn new(solid: &Solid, equations: &Equations, amg: &Amg) -> Result<Self> {
        let (P, points) = equations.of_degree_1(solid.mesh())?;
        let amg = Amg { block: BLOCK, ..*amg };
        let (hierarchy, below) = above(&equations.A, P, &amg, &rigid_body_modes(&points))?;
        Ok(Self { hierarchy, below, precision: amg.precision })
    }
    /// The cycle in an engine that has A.
    pub fn load<E: Engine<Scalar = f64>, F: Operator<E>>(&self, e: &mut E, A: F) -> Cycle<E, F> {
        self.hierarchy.load(e, A, self.precision)
    }
    /// Its levels.
    pub fn hierarchy(&self) -> &Hierarchy<f64> {
        &self.hierarchy
    }
    /// The levels from degree 1 on.
    pub fn below(&self) -> &Summary {
        &self.below
    }
    /// Bytes that it takes in an engine.
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes(self.precision)
    }
    /// Its levels in words.
    pub fn describe(&self) -> String {
        let rows: Vec<String> = self.hierarchy.unknowns().iter().map(usize::to_string).collect();
        let precision = if self.precision == Precision::Single { "; in single precision" } else { "" };
        format!("levels: {} of all degrees, of degree 1 and below {}{precision}", rows[0], rows[1..].join(", "))
    }
}

impl Equations {
    /// Displacements of degree 1 on the same cells as combinations of all, for nodes that can move; and the places of
    /// their nodes.
    fn of_degree_1(&self, mesh: &Mesh) -> Result<(Csr<f64>, Vec<Vec<f64>>)> {
        let between = corners(mesh)?;
        let is_corner = |node: &&u32| between[**node as usize].is_none();
        let free: Vec<u32> = self.free().iter().filter(is_corner).copied().collect();
        let mut number = vec![u32::MAX; mesh.points.len()];
        free.iter().zip(0..).for_each(|(&node, k)| number[node as usize] = k);
        let (mut start, mut col, mut val) = (vec![0u64], Vec::new(), Vec::new());
        for &node in self.free() {
            let own = [(node, 1.0)];
            let from = between[node as usize].as_deref().unwrap_or(&own);
            let mut row: Vec<(u32, f64)> = from.iter().map(|&(corner, w)| (number[corner as usize], w)).collect();
            row.retain(|(k, _)| *k != u32::MAX);
            row.sort_unstable_by_key(|(k, _)| *k);
            for d in 0..BLOCK as u32 {
                col.extend(row.iter().map(|(k, _)| BLOCK as u32 * k + d));
                val.extend(row.iter().map(|(_, w)| w));
                start.push(col.len() as u64);
            }
        }
        let points = free.iter().map(|&node| mesh.points[node as usize].to_vec()).collect();
        Ok((Csr::new(BLOCK * self.free().len(), BLOCK * free.len(), start, col, val)?, points))
    }
}

/// For each node none where it is a corner of a cell, else the corners that it lies between.
fn corners(mesh: &Mesh) -> Result<Vec<Option<Between>>> {
    let mut between = vec![None; mesh.points.len()];
    for block in mesh.blocks_of(3) {
        let (linear, nodes) = (Geometry::new(block.shape, 1)?, Geometry::new(block.shape, block.order)?.nodes());
        let weights: Vec<Vec<f64>> = nodes.into_iter().map(|xi| linear.at(xi).values).collect();
        let corners = block.shape.corners();
        for cell in block.cells() {
            for (&node, weights) in cell.iter().zip(&weights).skip(corners) {
                let from = cell[..corners].iter().copied().zip(weights.iter().copied());
                between[node as usize].get_or_insert_with(|| from.filter(|(_, w)| w.abs() > LEAST).collect());
            }
        }
    }
    Ok(between)
}
