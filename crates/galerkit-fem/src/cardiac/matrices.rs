//! Stiffness K and mass M of linear simplices, row by row in one pattern. M = theta M_lumped + (1 - theta)
//! M_consistent; with theta = 1/2 the errors of the two in the speed of a front cancel.

use super::tissue::Tissue;
use crate::error::Result;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The share of the lumped mass.
pub const THETA: f64 = 0.5;
/// Rows that a thread takes at a time.
const ROWS: usize = 1024;
/// Parts in which elements are counted.
const PARTS: usize = 8;

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
        let (n, nodes, corners) = (tissue.points().len(), tissue.all_nodes(), tissue.corners());
        let parts = if nodes.len() < 1 << 16 { 1 } else { PARTS };
        let size = (nodes.len() / corners).div_ceil(parts).max(1) * corners;
        let parts: Vec<&[u32]> = nodes.chunks(size).collect();
        // How often each part has each node, then where its first element of that node goes.
        let mut places = parallel::values(parts.len(), &|k| {
            let mut counts = vec![0u32; n];
            parts[k].iter().for_each(|&node| counts[node as usize] += 1);
            counts
        });
        let mut start = vec![0u64; n + 1];
        for i in 0..n {
            let mut sum = 0;
            places.iter_mut().for_each(|counts| sum += std::mem::replace(&mut counts[i], sum));
            start[i + 1] = start[i] + u64::from(sum);
        }
        let mut elements: Vec<AtomicU32> = Vec::new();
        elements.resize_with(nodes.len(), AtomicU32::default);
        let places: Vec<_> = places.into_iter().enumerate().collect();
        parallel::each_piece(places, &|(k, mut next): (usize, Vec<u32>)| {
            for (at, &node) in parts[k].iter().enumerate() {
                let node = node as usize;
                let element = (k * size + at) / corners;
                elements[start[node] as usize + next[node] as usize].store(element as u32, Relaxed);
                next[node] += 1;
            }
        });
        Self { start, elements: elements.into_iter().map(AtomicU32::into_inner).collect() }
    }
    /// The elements of a node.
    pub fn of(&self, node: usize) -> &[u32] {
        &self.elements[self.start[node] as usize..self.start[node + 1] as usize]
    }
}

/// The rows of some nodes that follow each other.
#[derive(Default)]
struct Rows {
    lengths: Vec<u32>,
    columns: Vec<u32>,
    stiffness: Vec<f64>,
    mass: Vec<f64>,
    lumped: Vec<f64>,
}

impl Matrices {
    /// Assembles.
    ///
    /// # Errors
    /// If there are more nodes than columns can number.
    pub fn new(tissue: &Tissue) -> Result<Self> {
        let (incidence, n) = (Incidence::new(tissue), tissue.points().len());
        let mut parts = parallel::values(n.div_ceil(ROWS), &|k| {
            let mut rows = Rows::default();
            (k * ROWS..n.min((k + 1) * ROWS)).for_each(|i| rows.add(tissue, &incidence, i));
            rows
        });
        let mut start = Vec::with_capacity(n + 1);
        start.push(0u64);
        for length in parts.iter().flat_map(|rows| &rows.lengths) {
            start.push(start[start.len() - 1] + u64::from(*length));
        }
        let columns = parallel::concatenated(taken(&mut parts, |rows| &mut rows.columns));
        let mut numbers = |array: fn(&mut Rows) -> &mut Vec<f64>| parallel::concatenated(taken(&mut parts, array));
        let stiffness = numbers(|rows| &mut rows.stiffness);
        let (mass, lumped) = (numbers(|rows| &mut rows.mass), numbers(|rows| &mut rows.lumped));
        let K = Csr::new(n, n, start, columns, stiffness)?;
        Ok(Self { M: K.with_values(&mass), K, lumped })
    }

    /// M/dt + K/2, the matrix of a Crank-Nicolson step.
    pub fn shifted(&self, dt: f64) -> Csr<f64> {
        let values: Vec<f64> = self.M.val().iter().zip(self.K.val()).map(|(m, k)| m / dt + 0.5 * k).collect();
        self.K.with_values(&values)
    }
}

fn taken<T>(parts: &mut [Rows], array: impl Fn(&mut Rows) -> &mut Vec<T>) -> Vec<Vec<T>> {
    parts.iter_mut().map(|rows| std::mem::take(array(rows))).collect()
}

impl Rows {
    /// The next row.
    fn add(&mut self, tissue: &Tissue, incidence: &Incidence, i: usize) {
        let (around, first) = (incidence.of(i), self.columns.len());
        let mut columns: Vec<u32> = around.iter().flat_map(|&e| tissue.nodes(e as usize)).copied().collect();
        columns.sort_unstable();
        columns.dedup();
        self.stiffness.resize(first + columns.len(), 0.0);
        self.mass.resize(first + columns.len(), 0.0);
        let (stiffness, mass) = (&mut self.stiffness[first..], &mut self.mass[first..]);
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
        self.lengths.push(columns.len() as u32);
        self.lumped.push(mass.iter().sum());
        self.columns.append(&mut columns);
    }
}
