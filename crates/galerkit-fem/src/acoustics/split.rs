//! From a matrix over all functions to the rows and columns of unknowns, and the columns of fixed functions, which go
//! to the right-hand side. Functions are numbered unknowns, fixed ones, further unknowns; the last move up behind the
//! first.

use crate::error::Result;
use galerkit_linalg::c64;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Which entries go where.
#[derive(Clone, Debug, Default)]
pub struct Split {
    start: Vec<u64>,
    col: Vec<u32>,
    from: Option<Vec<u32>>, // none where nothing is fixed: every entry stays where it is
    fixed: Vec<(u32, u32)>, // row, number of the fixed function
    fixed_from: Vec<u32>,
}

impl Split {
    /// Of a matrix with so many unknowns first, and fixed functions up to `masters`.
    pub fn new(full: &Csr<f64>, unknowns: usize, masters: usize) -> Self {
        if unknowns == masters {
            let (start, col) = (full.start().to_vec(), parallel::collect(full.nnz(), &|k| full.col()[k]));
            return Self { start, col, ..Self::default() };
        }
        let (mut split, mut from) = (Self { start: vec![0], ..Self::default() }, Vec::new());
        let is_free = |i: usize| i < unknowns || i >= masters;
        for row in (0..full.rows()).filter(|&row| is_free(row)) {
            let to = split.start.len() as u32 - 1;
            for k in full.range(row) {
                let j = full.col()[k] as usize;
                if is_free(j) {
                    split.col.push(if j < unknowns { j } else { j - (masters - unknowns) } as u32);
                    from.push(k as u32);
                } else {
                    split.fixed.push((to, (j - unknowns) as u32));
                    split.fixed_from.push(k as u32);
                }
            }
            split.start.push(split.col.len() as u64);
        }
        split.from = Some(from);
        split
    }
    /// How many unknowns there are.
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
    /// The values of unknowns and of fixed functions.
    pub fn values(&self, full: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
        let taken = |from: &[u32]| parallel::collect(from.len(), &|i| full[from[i] as usize]);
        match &self.from {
            None => (full, Vec::new()),
            Some(from) => (taken(from), taken(&self.fixed_from)),
        }
    }
    /// The matrix with given values.
    pub fn matrix(&self, values: Vec<c64>) -> Result<Csr<c64>> {
        Ok(Csr::new(self.rows(), self.rows(), self.start.clone(), self.col.clone(), values)?)
    }
    /// b -= A g for fixed functions.
    pub fn subtract(&self, values: &[c64], given: &[c64], b: &mut [c64]) {
        for (&(row, function), a) in self.fixed.iter().zip(values) {
            b[row as usize] -= a * given[function as usize];
        }
    }
}
