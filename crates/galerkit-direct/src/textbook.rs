//! Dense elimination and Cholesky as textbooks print them (spec 02, section 3): small, sequential, for cross-checks
//! and for showing what pivoting is for. L has a unit diagonal in every row, the last one included, and forward
//! elimination updates b with the multiplier a_ik / a_kk; source 000 misprints both.

use galerkit_linalg::Scalar;
use galerkit_linalg::error::check_length;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error, Result};
use num_traits::Zero;

/// Whether elimination may exchange rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pivoting {
    /// The entry of largest modulus in the column becomes the pivot.
    #[default]
    Partial,
    /// The diagonal entry is the pivot: only for definite or diagonally dominant matrices.
    Never,
}

/// A square dense matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense<S> {
    n: usize,
    val: Vec<S>,
}

impl<S: Scalar> Dense<S> {
    /// Takes n * n entries by rows.
    pub fn new(n: usize, val: Vec<S>) -> Result<Self> {
        let slots = galerkit_linalg::sparse::index::slots("the number of entries of the dense matrix", n, n)?;
        check_length("the array of a dense matrix", slots, val.len())?;
        Ok(Self { n, val })
    }
    /// Fills in the zeros of a sparse matrix.
    pub fn from_csr(A: &Csr<S>) -> Result<Self> {
        A.require_square("a dense factorisation")?;
        let n = A.rows();
        let slots = galerkit_linalg::sparse::index::slots("the number of entries of the dense matrix", n, n)?;
        let mut val = vec![S::zero(); slots];
        for i in 0..n {
            A.row(i).for_each(|(j, a)| val[i * n + j] = a);
        }
        Ok(Self { n, val })
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.n
    }
    /// The entry (i, j).
    pub fn get(&self, i: usize, j: usize) -> S {
        self.val[i * self.n + j]
    }
    fn at(&mut self, i: usize, j: usize) -> &mut S {
        &mut self.val[i * self.n + j]
    }
}

/// P A = L U: the multipliers below the diagonal, U on and above it, and the exchanges.
#[derive(Clone, Debug)]
pub struct Lu<S> {
    LU: Dense<S>,
    row: Vec<usize>,
    odd: bool,
}

impl<S: Scalar> Lu<S> {
    /// Factorises A.
    pub fn new(A: Dense<S>, pivoting: Pivoting) -> Result<Self> {
        let n = A.n;
        let mut lu = Self { LU: A, row: (0..n).collect(), odd: false };
        for k in 0..n {
            let pivot = match pivoting {
                Pivoting::Partial => lu.largest(k),
                Pivoting::Never => k,
            };
            if lu.LU.get(pivot, k) == S::zero() || !lu.LU.get(pivot, k).finite() {
                let diagnosis = match pivoting {
                    Pivoting::Partial => "singular",
                    Pivoting::Never => "singular or in need of pivoting",
                };
                return Err(Error::Factorisation { factorisation: "textbook LU", pivot: k, diagnosis });
            }
            lu.exchange(k, pivot);
            for i in k + 1..n {
                let factor = lu.LU.get(i, k) / lu.LU.get(k, k); // l_ik = a_ik / a_kk
                *lu.LU.at(i, k) = factor;
                for j in k + 1..n {
                    let product = factor * lu.LU.get(k, j);
                    *lu.LU.at(i, j) -= product; // a_ij = a_ij - l_ik a_kj
                }
            }
        }
        Ok(lu)
    }

    /// The row from k on with the largest entry in column k, the first of equals.
    fn largest(&self, k: usize) -> usize {
        let modulus = |i: usize| self.LU.get(i, k).modulus();
        (k + 1..self.LU.n).fold(k, |best, i| if modulus(i) > modulus(best) { i } else { best })
    }

    fn exchange(&mut self, k: usize, pivot: usize) {
        if k != pivot {
            (0..self.LU.n).for_each(|j| self.LU.val.swap(k * self.LU.n + j, pivot * self.LU.n + j));
            self.row.swap(k, pivot);
            self.odd = !self.odd;
        }
    }

    /// The solution of A x = b.
    pub fn solve(&self, b: &[S]) -> Result<Vec<S>> {
        let n = self.LU.n;
        check_length("the right-hand side", n, b.len())?;
        let mut x: Vec<S> = self.row.iter().map(|&i| b[i]).collect();
        for i in 0..n {
            x[i] = (0..i).fold(x[i], |sum, j| sum - self.LU.get(i, j) * x[j]); // L y = P b, l_ii = 1
        }
        for i in (0..n).rev() {
            x[i] = (i + 1..n).fold(x[i], |sum, j| sum - self.LU.get(i, j) * x[j]) / self.LU.get(i, i); // U x = y
        }
        Ok(x)
    }

    /// The determinant of A.
    pub fn determinant(&self) -> S {
        let product = (0..self.LU.n).fold(S::one(), |product, i| product * self.LU.get(i, i));
        if self.odd { -product } else { product }
    }
    /// The entry (i, j) of L, 1 on the diagonal.
    pub fn lower(&self, i: usize, j: usize) -> S {
        match i.cmp(&j) {
            std::cmp::Ordering::Greater => self.LU.get(i, j),
            std::cmp::Ordering::Equal => S::one(),
            std::cmp::Ordering::Less => S::zero(),
        }
    }
    /// The entry (i, j) of U.
    pub fn upper(&self, i: usize, j: usize) -> S {
        if j >= i { self.LU.get(i, j) } else { S::zero() }
    }
    /// Which row of A each row of L U is.
    pub fn rows(&self) -> &[usize] {
        &self.row
    }
}

/// Solves A x = b by Gaussian elimination, carrying b along.
pub fn eliminate<S: Scalar>(mut A: Dense<S>, b: &[S], pivoting: Pivoting) -> Result<Vec<S>> {
    let n = A.n;
    check_length("the right-hand side", n, b.len())?;
    let mut x = b.to_vec();
    for k in 0..n {
        let larger = |A: &Dense<S>, i: usize, best: usize| A.get(i, k).modulus() > A.get(best, k).modulus();
        let pivot = match pivoting {
            Pivoting::Partial => (k + 1..n).fold(k, |best, i| if larger(&A, i, best) { i } else { best }),
            Pivoting::Never => k,
        };
        if A.get(pivot, k) == S::zero() || !A.get(pivot, k).finite() {
            return Err(Error::Factorisation { factorisation: "elimination", pivot: k, diagnosis: "singular" });
        }
        (0..n).for_each(|j| A.val.swap(k * n + j, pivot * n + j));
        x.swap(k, pivot);
        for i in k + 1..n {
            let factor = A.get(i, k) / A.get(k, k);
            for j in k..n {
                let product = factor * A.get(k, j);
                *A.at(i, j) -= product;
            }
            let product = factor * x[k];
            x[i] -= product; // b_i = b_i - (a_ik / a_kk) b_k
        }
    }
    for i in (0..n).rev() {
        x[i] = (i + 1..n).fold(x[i], |sum, j| sum - A.get(i, j) * x[j]) / A.get(i, i);
    }
    Ok(x)
}

/// A = L L^H for Hermitian positive definite A.
#[derive(Clone, Debug)]
pub struct Cholesky<S> {
    L: Dense<S>,
}

impl<S: Scalar> Cholesky<S> {
    /// Factorises A row by row; reads the lower triangle only.
    pub fn new(mut A: Dense<S>) -> Result<Self> {
        for i in 0..A.n {
            for k in 0..=i {
                let sum = (0..k).fold(A.get(i, k), |sum, j| sum - A.get(i, j) * A.get(k, j).conj());
                if k < i {
                    *A.at(i, k) = sum / A.get(k, k); // l_ik = (a_ik - sum l_ij conj(l_kj)) / l_kk
                } else if sum.re() > S::Real::zero() && sum.finite() {
                    *A.at(i, i) = S::from_real(sum.re()).square_root(); // l_kk = sqrt(a_kk - sum |l_kj|^2)
                } else {
                    let diagnosis = "not positive definite";
                    return Err(Error::Factorisation { factorisation: "textbook Cholesky", pivot: i, diagnosis });
                }
            }
        }
        Ok(Self { L: A })
    }

    /// The entry (i, j) of L.
    pub fn lower(&self, i: usize, j: usize) -> S {
        if j <= i { self.L.get(i, j) } else { S::zero() }
    }

    /// The solution of A x = b.
    pub fn solve(&self, b: &[S]) -> Result<Vec<S>> {
        let n = self.L.n;
        check_length("the right-hand side", n, b.len())?;
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = (0..i).fold(x[i], |sum, j| sum - self.L.get(i, j) * x[j]) / self.L.get(i, i); // L y = b
        }
        for i in (0..n).rev() {
            let sum = (i + 1..n).fold(x[i], |sum, j| sum - self.L.get(j, i).conj() * x[j]);
            x[i] = sum / self.L.get(i, i); // L^H x = y
        }
        Ok(x)
    }
}
