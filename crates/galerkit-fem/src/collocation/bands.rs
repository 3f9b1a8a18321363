//! Matrices of collocation in one dimension: rows 2e and 2e+1 have columns 2e-1 to 2e+2, so there are five diagonals,
//! and elimination without pivoting leaves no fill.

use galerkit_linalg::Result;
use galerkit_linalg::precond::Factorisation;
use galerkit_linalg::sparse::Csr;

/// Five diagonals, by rows: `entry[i][k]` stands in column i + k - 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    entry: Vec<[f64; 5]>,
}

impl Bands {
    /// A zero matrix of so many rows, an even number.
    pub fn zero(rows: usize) -> Self {
        Self { entry: vec![[0.0; 5]; rows] }
    }
    /// Rows.
    pub fn rows(&self) -> usize {
        self.entry.len()
    }
    /// The identity with one row: what stands for a dimension that is not there.
    pub fn unit() -> Self {
        Self { entry: vec![[0.0, 0.0, 1.0, 0.0, 0.0]] }
    }
    /// Adds to an entry inside of the bands.
    pub fn add(&mut self, i: usize, j: usize, a: f64) {
        self.entry[i][j + 2 - i] += a;
    }
    /// The columns of a row, those with a zero in them included.
    pub fn columns(&self, i: usize) -> std::ops::Range<usize> {
        let e = i / 2;
        (2 * e).saturating_sub(1)..(2 * e + 3).min(self.rows())
    }
    /// An entry inside of the bands.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.entry[i][j + 2 - i]
    }
    /// What stands in columns 2e-1 to 2e+2 of row 2e or 2e+1.
    pub fn slots(&self, i: usize) -> [f64; 4] {
        let [a, b, c, d, e] = self.entry[i];
        if i.is_multiple_of(2) { [b, c, d, e] } else { [a, b, c, d] }
    }
    /// Columns and entries of a row.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.columns(i).map(move |j| (j, self.get(i, j)))
    }

    /// sum_k a_k A_k of matrices with a factor for each row.
    pub fn combination(terms: &[(&dyn Fn(usize) -> f64, &Bands)]) -> Self {
        let mut sum = Self::zero(terms[0].1.rows());
        for (factor, term) in terms {
            for (i, (row, other)) in sum.entry.iter_mut().zip(&term.entry).enumerate() {
                (0..5).for_each(|k| row[k] += factor(i) * other[k]);
            }
        }
        sum
    }

    /// A x
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows()).map(|i| self.row(i).map(|(j, a)| a * x[j]).sum()).collect()
    }
    /// A^T x
    pub fn transposed_product(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.rows()];
        for (i, x) in x.iter().enumerate() {
            self.row(i).for_each(|(j, a)| y[j] += a * x);
        }
        y
    }

    /// A = L U on the same bands: L below the diagonal, U above it, its diagonal inverted.
    ///
    /// # Errors
    /// If a pivot is zero or not finite.
    pub fn factor(mut self) -> Result<Self> {
        for i in 0..self.rows() {
            for k in i.saturating_sub(2)..i {
                let l = self.get(i, k) * self.entry[k][2]; // l_ik = a_ik / u_kk
                self.entry[i][k + 2 - i] = l;
                for j in k + 1..(k + 3).min(self.rows()) {
                    self.entry[i][j + 2 - i] -= l * self.get(k, j);
                }
            }
            self.entry[i][2] = Factorisation::Ilu.invert(self.entry[i][2], i)?;
        }
        Ok(self)
    }

    /// Overwrites b by the solution of A x = b, for a matrix that was factored.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.rows();
        for i in 0..n {
            b[i] -= (i.saturating_sub(2)..i).map(|j| self.get(i, j) * b[j]).sum::<f64>();
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..(i + 3).min(n)).map(|j| self.get(i, j) * b[j]).sum();
            b[i] = self.entry[i][2] * (b[i] - known);
        }
    }

    /// A sum of Kronecker products of matrices of two sizes, the index of the first slow.
    ///
    /// # Errors
    /// If there are more rows than indices count.
    pub fn kronecker<const N: usize>(terms: [(&Bands, &Bands); N]) -> Result<Csr<f64>> {
        let (first, second) = terms[0];
        let (slow, fast) = (first.rows(), second.rows());
        let (mut start, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
        for i in 0..slow * fast {
            let (ix, iy) = (i / fast, i % fast);
            for jx in first.columns(ix) {
                for jy in second.columns(iy) {
                    col.push((jx * fast + jy) as u32);
                    val.push(terms.iter().map(|(x, y)| x.get(ix, jx) * y.get(iy, jy)).sum());
                }
            }
            start.push(col.len() as u64);
        }
        Csr::new(slow * fast, slow * fast, start, col, val)
    }
}
