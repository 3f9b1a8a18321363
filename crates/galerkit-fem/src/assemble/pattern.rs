//! The pattern of the matrix and the fixed maps S of `values = S k`: contributions of cells, one after the other, to
//! slots. Products of hierarchical functions are sparse already in a cell; places of its block that are 0 whatever the
//! coefficients are left out.

use super::scatter::Scatter;
use crate::error::Result;
use galerkit_linalg::LinearMap;
use galerkit_linalg::map::GatherSums;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// What a cell contributes: its unknowns, and which places of its block can differ from 0.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// C_e.
    pub scatter: Scatter,
    /// Places in C_e^T K_e C_e, ascending.
    pub entries: Vec<u32>,
}

impl Contribution {
    /// The places in a row of the block.
    fn row(&self, r: usize) -> impl Iterator<Item = u32> + '_ {
        let m = self.scatter.unknowns.len();
        let first = self.entries.partition_point(|&at| (at as usize) < r * m);
        let of_row = self.entries[first..].iter().take_while(move |&&at| (at as usize) < (r + 1) * m);
        of_row.map(move |&at| self.scatter.unknowns[at as usize % m])
    }
}

/// Where contributions go.
#[derive(Clone, Debug)]
pub struct Pattern {
    matrix: Csr<f64>,
    to_slots: GatherSums,
    to_rows: GatherSums,
    blocks: Vec<usize>,   // where the entries of each cell begin
    segments: Vec<usize>, // and its part of the right-hand side
}

impl Pattern {
    /// The pattern of a matrix with so many rows, of what cells contribute.
    pub fn new(rows: usize, cells: &[Contribution]) -> Result<Self> {
        let (mut blocks, mut segments) = (vec![0], vec![0]);
        for (e, cell) in cells.iter().enumerate() {
            blocks.push(blocks[e] + cell.entries.len());
            segments.push(segments[e] + cell.scatter.unknowns.len());
        }
        let (start, col) = compressed_rows(rows, cells);
        let of_cell = |cell: &Contribution| {
            let mut slots = Vec::with_capacity(cell.entries.len());
            for (r, &i) in cell.scatter.unknowns.iter().enumerate() {
                let (mut next, end) = (start[i as usize] as usize, start[i as usize + 1] as usize);
                for j in cell.row(r) {
                    next += col[next..end].partition_point(|&col| col < j); // the pattern has it
                    slots.push(next as u32);
                }
            }
            slots
        };
        let slots = parallel::concatenated(parallel::values(cells.len(), &|e| of_cell(&cells[e])));
        let targets: Vec<u32> = cells.iter().flat_map(|cell| cell.scatter.unknowns.iter().copied()).collect();
        let to_slots = GatherSums::into_slots(col.len(), &slots)?;
        let to_rows = GatherSums::into_slots(rows, &targets)?;
        let val = vec![0.0; col.len()];
        Ok(Self { matrix: Csr::new(rows, rows, start, col, val)?, to_slots, to_rows, blocks, segments })
    }
    /// Contributions in all, and those of the right-hand side.
    pub fn contributions(&self) -> (usize, usize) {
        (self.blocks[self.blocks.len() - 1], self.segments[self.segments.len() - 1])
    }
    /// Cuts arrays of contributions into those of each cell.
    pub fn split<'a>(&self, k: &'a mut [f64], f: &'a mut [f64]) -> Vec<(&'a mut [f64], &'a mut [f64])> {
        let (mut k, mut f, mut pieces) = (k, f, Vec::with_capacity(self.blocks.len() - 1));
        for (block, segment) in self.blocks.windows(2).zip(self.segments.windows(2)) {
            let (block, later) = k.split_at_mut(block[1] - block[0]);
            let (segment, rest) = f.split_at_mut(segment[1] - segment[0]);
            (k, f) = (later, rest);
            pieces.push((block, segment));
        }
        pieces
    }
    /// The matrix of contributions: values = S k.
    pub fn matrix(&self, k: &[f64]) -> Csr<f64> {
        self.matrix.with_values(&self.values(k))
    }
    /// Its values alone.
    pub fn values(&self, k: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.matrix.nnz()];
        LinearMap::<f64>::apply_on_threads(&self.to_slots, &[], k, &mut values);
        values
    }
    /// The pattern, with zeros.
    pub fn zeros(&self) -> &Csr<f64> {
        &self.matrix
    }
    /// The right-hand side of contributions.
    pub fn vector(&self, f: &[f64]) -> Vec<f64> {
        let mut b = vec![0.0; self.matrix.rows()];
        LinearMap::<f64>::apply_on_threads(&self.to_rows, &[], f, &mut b);
        b
    }
    /// S, for engines that assemble by themselves.
    pub fn to_slots(&self) -> &GatherSums {
        &self.to_slots
    }
}

/// Row starts and columns: a row has what it couples to in all cells that it is in.
fn compressed_rows(rows: usize, cells: &[Contribution]) -> (Vec<u64>, Vec<u32>) {
    let mut first = vec![0usize; rows + 1];
    cells.iter().flat_map(|cell| &cell.scatter.unknowns).for_each(|&i| first[i as usize + 1] += 1);
    (0..rows).for_each(|i| first[i + 1] += first[i]);
    let (mut next, mut around) = (first.clone(), vec![(0u32, 0u32); first[rows]]); // cell, and place among its unknowns
    for (e, cell) in cells.iter().enumerate() {
        for (r, &i) in cell.scatter.unknowns.iter().enumerate() {
            around[next[i as usize]] = (e as u32, r as u32);
            next[i as usize] += 1;
        }
    }
    let columns = |i: usize| {
        let cells_around = &around[first[i]..first[i + 1]];
        let mut columns: Vec<u32> = cells_around.iter().flat_map(|&(e, r)| cells[e as usize].row(r as usize)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    };
    let lists = parallel::values(rows, &columns);
    let mut start = vec![0u64];
    lists.iter().for_each(|list| start.push(start[start.len() - 1] + list.len() as u64));
    (start, parallel::concatenated(lists))
}
