//! Small dense matrices, stored by rows.

/// A dense matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Entries, row after row.
    pub val: Vec<f64>,
}

impl Dense {
    /// A matrix whose entries a function gives.
    pub fn new(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut val = Vec::with_capacity(rows * cols);
        for i in 0..rows {
            for j in 0..cols {
                val.push(entry(i, j));
            }
        }
        Self { rows, cols, val }
    }
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, val: vec![0.0; rows * cols] }
    }
    /// Its transpose.
    pub fn transposed(&self) -> Self {
        Self::new(self.cols, self.rows, |i, j| self[(j, i)])
    }
    /// Row i.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.val[i * self.cols..(i + 1) * self.cols]
    }
    /// A x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| self.row(i).iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }
    /// The Cholesky factor L of a symmetric positive definite matrix, L L^T = A; none if it is not definite.
    pub fn cholesky(&self) -> Option<Self> {
        let mut L = self.clone();
        for j in 0..L.rows {
            for k in 0..j {
                let l = L[(j, k)];
                (j..L.rows).for_each(|i| L[(i, j)] -= L[(i, k)] * l);
            }
            let pivot = L[(j, j)];
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            let scale = 1.0 / pivot.sqrt();
            (j..L.rows).for_each(|i| L[(i, j)] *= scale);
            (0..j).for_each(|i| L[(i, j)] = 0.0);
        }
        Some(L)
    }
    /// The solution of L L^T x = b, where this is L.
    pub fn cholesky_solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.rows;
        let mut x = b.to_vec();
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| self[(i, k)] * x[k]).sum();
            x[i] = (x[i] - sum) / self[(i, i)];
        }
        for i in (0..n).rev() {
            x[i] /= self[(i, i)];
            (0..i).for_each(|k| x[k] -= self[(i, k)] * x[i]);
        }
        x
    }
}

impl std::ops::Index<(usize, usize)> for Dense {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.val[i * self.cols + j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.val[i * self.cols + j]
    }
}
