//! The pattern of the matrix and the fixed maps S of `values = S k`: contributions of cells, one after the other, to
//! slots. Products of hierarchical functions are sparse already in a cell; places of its block that are 0 whatever the
//! coefficients are left out.

use super::scatter::Scatter;
use crate::basis::dense::Dense;
use crate::error::Result;
use galerkit_linalg::LinearMap;
use galerkit_linalg::map::GatherSums;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::sparse::index::check_u32;
use std::ops::Range;

/// Rows that one task collects.
const ROWS: usize = 1 << 10;

/// What a cell contributes: its unknowns, and which places of its block can differ from 0.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// C_e.
    pub scatter: Scatter,
    /// Places in C_e^T K_e C_e, ascending.
    pub entries: Vec<u32>,
}

impl Contribution {
    /// Its entries of C_e^T K_e C_e.
    pub fn write(&self, K: &Dense, block: &mut [f64]) {
        let mut whole = vec![0.0; self.scatter.unknowns.len().pow(2)];
        self.scatter.matrix(K, &mut whole);
        block.iter_mut().zip(&self.entries).for_each(|(value, &at)| *value = whole[at as usize]);
    }

    /// The entries in a row of the block.
    fn of_row(&self, r: usize) -> Range<usize> {
        let m = self.scatter.unknowns.len();
        let first = |r: usize| self.entries.partition_point(|&at| (at as usize) < r * m);
        first(r)..first(r + 1)
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
        check_u32("the number of contributions", blocks[cells.len()])?;
        let (first, around) = around(rows, cells);
        let places = |&(e, r): &(u32, u32)| (segments[e as usize] + r as usize) as u32;
        let to_rows = GatherSums::new(segments[cells.len()], first.clone(), around.iter().map(places).collect())?;
        let of_rows = |part: usize| {
            let mut made = Collected::default();
            for i in part * ROWS..rows.min((part + 1) * ROWS) {
                made.add(cells, &blocks, &around[first[i] as usize..first[i + 1] as usize]);
            }
            made
        };
        let (start, col, to_slots) = joined(parallel::values(rows.div_ceil(ROWS), &of_rows), blocks[cells.len()])?;
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
    /// Adds what one cell contributes to values.
    pub fn add(&self, cell: &Contribution, K: &Dense, values: &mut [f64]) {
        let unknowns = &cell.scatter.unknowns;
        let mut block = vec![0.0; unknowns.len().pow(2)];
        cell.scatter.matrix(K, &mut block);
        for &at in &cell.entries {
            let [i, j] = [at as usize / unknowns.len(), at as usize % unknowns.len()].map(|place| unknowns[place]);
            let row = self.matrix.range(i as usize);
            let slot = row.start + self.matrix.col()[row].partition_point(|&col| col < j); // the pattern has it
            values[slot] += block[at as usize];
        }
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

/// For each row the cells that it is in, with its place among their unknowns; and where those of a row begin.
fn around(rows: usize, cells: &[Contribution]) -> (Vec<u64>, Vec<(u32, u32)>) {
    let mut first = vec![0u64; rows + 1];
    cells.iter().flat_map(|cell| &cell.scatter.unknowns).for_each(|&i| first[i as usize + 1] += 1);
    (0..rows).for_each(|i| first[i + 1] += first[i]);
    let (mut next, mut around) = (first.clone(), vec![(0, 0); first[rows] as usize]);
    for (e, cell) in cells.iter().enumerate() {
        for (r, &i) in cell.scatter.unknowns.iter().enumerate() {
            around[next[i as usize] as usize] = (e as u32, r as u32);
            next[i as usize] += 1;
        }
    }
    (first, around)
}

/// Some rows of the matrix: each has what it couples to in all cells that it is in.
#[derive(Default)]
struct Collected {
    entries: Vec<u64>, // of a row, contributions and all: column above contribution
    lengths: Vec<u32>,
    col: Vec<u32>,
    /// How many contributions each entry sums, and which, in the order of cells.
    counts: Vec<u32>,
    index: Vec<u32>,
}

impl Collected {
    /// Adds a row, of which it is known where it is among cells, whose entries begin there.
    fn add(&mut self, cells: &[Contribution], blocks: &[usize], around: &[(u32, u32)]) {
        self.entries.clear();
        for &(e, r) in around {
            let (cell, r) = (&cells[e as usize], r as usize);
            let (unknowns, row) = (&cell.scatter.unknowns, cell.of_row(r));
            let column = |at: u32| u64::from(unknowns[at as usize - r * unknowns.len()]);
            let contributions = blocks[e as usize] as u64 + row.start as u64..;
            self.entries.extend(cell.entries[row].iter().zip(contributions).map(|(&at, k)| column(at) << 32 | k));
        }
        self.entries.sort_unstable();
        let before = self.col.len();
        for of_column in self.entries.chunk_by(|a, b| a >> 32 == b >> 32) {
            self.col.push((of_column[0] >> 32) as u32);
            self.counts.push(of_column.len() as u32);
        }
        self.lengths.push((self.col.len() - before) as u32);
        self.index.extend(self.entries.iter().map(|&entry| entry as u32));
    }
}

/// Row starts, columns, and the sums of so many contributions.
fn joined(made: Vec<Collected>, contributions: usize) -> Result<(Vec<u64>, Vec<u32>, GatherSums)> {
    let starts = |lengths: &dyn Fn(&Collected) -> &[u32]| {
        let mut starts = vec![0u64];
        let mut sum = 0;
        for &length in made.iter().flat_map(lengths) {
            sum += u64::from(length);
            starts.push(sum);
        }
        starts
    };
    let (start, groups) = (starts(&|made| &made.lengths), starts(&|made| &made.counts));
    let (col, index) = made.into_iter().map(|made| (made.col, made.index)).unzip();
    let to_slots = GatherSums::new(contributions, groups, parallel::concatenated(index))?;
    Ok((start, parallel::concatenated(col), to_slots))
}
