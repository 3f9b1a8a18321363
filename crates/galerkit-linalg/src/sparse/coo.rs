//! Coordinates: one (row, column, value) triple for each stored entry, in any order. The format in which
//! matrices are collected; everything that computes wants another one.
//!
//! ```text
//! [ 1 -2  0  0 ]    row  0  0  1  1  2  2  2  3  3
//! [ 0  3  1  0 ]    col  0  1  1  2  0  2  3  1  3
//! [ 2  0 -5  1 ]    val  1 -2  3  1  2 -5  1  2  4
//! [ 0  2  0  4 ]
//! ```

use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::{Csr, index, slots};

/// A sparse matrix as triples. Duplicates are allowed and mean their sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Coo<S> {
    rows: usize,
    cols: usize,
    row: Vec<u32>,
    col: Vec<u32>,
    val: Vec<S>,
}

impl<S: Scalar> Coo<S> {
    /// Takes the three arrays, after checking lengths and index ranges.
    pub fn new(rows: usize, cols: usize, row: Vec<u32>, col: Vec<u32>, val: Vec<S>) -> Result<Self> {
        index::check_shape(rows, cols)?;
        check_length("the row array", val.len(), row.len())?;
        check_length("the column array", val.len(), col.len())?;
        for (k, (&i, &j)) in row.iter().zip(&col).enumerate() {
            if i as usize >= rows || j as usize >= cols {
                let problem = format!("({}, {}) lies outside the {rows} x {cols} matrix", i as u64 + 1, j as u64 + 1);
                return Err(Error::InvalidStructure { place: format!("entry {}", k + 1), problem });
            }
        }
        Ok(Self { rows, cols, row, col, val })
    }

    /// Collects triples.
    pub fn from_triples(rows: usize, cols: usize, triples: &[(usize, usize, S)]) -> Result<Self> {
        index::check_shape(rows, cols)?;
        let narrow = |v: usize| u32::try_from(v).unwrap_or(u32::MAX);
        let row = triples.iter().map(|t| narrow(t.0)).collect();
        let col = triples.iter().map(|t| narrow(t.1)).collect();
        Self::new(rows, cols, row, col, triples.iter().map(|t| t.2).collect())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        self.row.len()
    }
    /// Row of each entry.
    pub fn row(&self) -> &[u32] {
        &self.row
    }
    /// Column of each entry.
    pub fn col(&self) -> &[u32] {
        &self.col
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    /// Value of each entry.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// Values, to be changed in place; the pattern stays.
    pub fn val_mut(&mut self) -> &mut [S] {
        &mut self.val
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        self.nnz() * (8 + size_of::<S>())
    }

    /// Sorts by row and column and sums duplicates; the second result says how many entries were merged away.
    pub fn to_csr(&self) -> (Csr<S>, usize) {
        let mut start = vec![0u64; self.rows + 1];
        for &i in &self.row {
            start[i as usize + 1] += 1;
        }
        for i in 0..self.rows {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut sorted = vec![(0u32, S::zero()); self.nnz()];
        for ((&i, &j), &v) in self.row.iter().zip(&self.col).zip(&self.val) {
            let slot = &mut next[i as usize];
            sorted[*slot as usize] = (j, v);
            *slot += 1;
        }
        Csr::from_unsorted_rows(self.cols, &start, sorted)
    }

    /// The triple of every entry of a CSR pattern; triples may stand in any order, but without duplicates.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        let (sorted, merged) = self.to_csr();
        slots::require_same_pattern(&sorted, pattern)?;
        if merged > 0 {
            let problem = format!("{merged} duplicates: convert to CSR and back to sum them");
            return Err(Error::InvalidStructure { place: "a COO matrix to be refilled".into(), problem });
        }
        Ok(sorted_places(&self.row, &self.col))
    }
}

/// The places of triples in the order of their rows and columns.
fn sorted_places(row: &[u32], col: &[u32]) -> Vec<u64> {
    let mut places: Vec<u64> = (0..row.len() as u64).collect();
    places.sort_by_key(|&k| (row[k as usize], col[k as usize]));
    places
}

impl<S: Scalar> Csr<S> {
    /// The same matrix as sorted triples.
    pub fn to_coo(&self) -> Coo<S> {
        let row = (0..self.rows()).flat_map(|i| std::iter::repeat_n(i as u32, self.row_length(i))).collect();
        Coo::new(self.rows(), self.cols(), row, self.col().to_vec(), self.val().to_vec())
            .expect("a valid CSR matrix has valid triples")
    }
}
