//! Stiffness K and mass M of linear simplices, row by row in one pattern. M = theta M_lumped + (1 - theta) M_consistent; with theta = 1/2 the
//! errors of the two in the speed of a front cancel.

use super::tissue::Tissue;
use crate::error::Result;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// The share of the lumped mass.
pub const THETA: f64 = 0.5;

/// The matrices of a tissue.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// Stiffness.
    pub K: Csr<f64>,
    /// Mass, half lumped, in the pattern of K.
    pub M: Csr<f64>,
    /// Row sums of M: the volume that belongs to each node.
    pub lumped: Vec<f64>,
}

/// Which elements have each node, in ascending order.
#[derive(Clone, Debug)]
pub struct Incidence {
    /// Where the elements of each node begin.
    pub start: Vec<u64>,
    /// Elements, node after node.
    pub elements: Vec<u32>,
}

impl Incidence {
    /// Of a tissue.
    pub fn new(tissue: &Tissue) -> Self {
        let mut start = vec![0u64; tissue.points().len() + 1];
        tissue.all_nodes().iter().for_each(|&node| start[node as usize + 1] += 1);
        (1..start.len()).for_each(|i| start[i] += start[i - 1]);
        let (mut next, mut elements) = (start.clone(), vec![0; tissue.all_nodes().len()]);
        for (k, &node) in tissue.all_nodes().iter().enumerate() {
            elements[next[node as usize] as usize] = (k / tissue.corners()) as u32;
            next[node as usize] += 1;
        }
        Self { start, elements }
    }
    /// The elements of a node.
    pub fn of(&self, node: usize) -> &[u32] {
        &self.elements[self.start[node] as usize..self.start[node + 1] as usize]
    }
}

/// The rows of a few nodes.
struct Rows {
    columns: Vec<u32>,
    stiffness: Vec<f64>,
    mass: Vec<f64>,
}

impl Matrices {
    /// Assembles.
    ///
    /// # Errors
    /// If there are more nodes than columns can number.
    pub fn new(tissue: &Tissue) -> Result<Self> {
        let (incidence, n) = (Incidence::new(tissue), tissue.points().len());
        let rows: Vec<Rows> = parallel::values(n, &|i| row(tissue, &incidence, i));
        let mut start = vec![0u64; n + 1];
        (0..n).for_each(|i| start[i + 1] = start[i] + rows[i].columns.len() as u64);
        let columns: Vec<u32> = rows.iter().flat_map(|row| &row.columns).copied().collect();
        let stiffness = rows.iter().flat_map(|row| &row.stiffness).copied().collect();
        let mass = rows.iter().flat_map(|row| &row.mass).copied().collect();
        let lumped = rows.iter().map(|row| row.mass.iter().sum()).collect();
        let K = Csr::new(n, n, start.clone(), columns.clone(), stiffness)?;
        Ok(Self { K, M: Csr::new(n, n, start, columns, mass)?, lumped })
    }

    /// M/dt + K/2, the matrix of a Crank-Nicolson step.
    pub fn shifted(&self, dt: f64) -> Csr<f64> {
        let values: Vec<f64> = self.M.val().iter().zip(self.K.val()).map(|(m, k)| m / dt + 0.5 * k).collect();
        self.K.with_values(&values)
    }
}

fn row(tissue: &Tissue, incidence: &Incidence, i: usize) -> Rows {
    let around = incidence.of(i);
    let mut columns: Vec<u32> = around.iter().flat_map(|&e| tissue.nodes(e as usize)).copied().collect();
    columns.sort_unstable();
    columns.dedup();
    let (mut stiffness, mut mass) = (vec![0.0; columns.len()], vec![0.0; columns.len()]);
    for &e in around {
        let (nodes, element) = (tissue.nodes(e as usize), tissue.element(e as usize));
        let (conductivity, fibre) = (tissue.conductivity(e as usize), tissue.fibre(e as usize));
        let Some(own) = nodes.iter().position(|&node| node as usize == i) else { continue };
        let d = nodes.len() as f64;
        let consistent = (1.0 - THETA) * element.volume / (d * (d + 1.0));
        for (k, node) in nodes.iter().enumerate() {
            let Ok(place) = columns.binary_search(node) else { continue };
            stiffness[place] += element.stiffness(own, k, conductivity, fibre);
            mass[place] += if k == own { 2.0 * consistent + THETA * element.volume / d } else { consistent };
        }
    }
    Rows { columns, stiffness, mass }
}
