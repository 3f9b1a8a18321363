//! A regular matrix near a singular one, B = R A C with rows and columns of largest entries near one (Ruiz 2001, by
//! powers of two): B + delta I where A is self-adjoint, and else
//!
//! ```text
//! ( delta I      B     )     with eigenvalues +-sqrt(sigma^2 + delta^2), for singular values sigma of B, and
//! ( B^H      -delta I  )     (B^H B + delta^2 I) x = B^H b where it solves for (b, 0).
//! ```

use crate::{Factor, Fill, sparse_lu};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Result, Scalar};

/// Sweeps of scaling: each takes the root of how far rows and columns are apart.
const SWEEPS: usize = 6;

/// Its factors.
pub struct Regular<D> {
    pub B: Csr<D>,
    pub adjoint: Csr<D>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    factor: Factor<D>,
    is_self_adjoint: bool,
}

impl<D: Scalar> Regular<D> {
    /// With delta relative to the largest entries; none where it takes more than so many multiplications, or too much
    /// memory.
    pub fn new(A: &Csr<D>, is_self_adjoint: bool, delta: f64, multiplications: f64) -> Option<Self> {
        let (rows, columns) = factors(A);
        let scaled = |i: usize, (j, a): (usize, D)| a * D::from_f64(rows[i]) * D::from_f64(columns[j]);
        let triples: Vec<_> = (0..A.rows())
            .flat_map(|i| A.row(i).map(move |entry| (i, entry)))
            .map(|(i, entry)| (i, entry.0, scaled(i, entry)))
            .collect();
        let matrix =
            |size: usize, triples: &[(usize, usize, D)]| Some(Coo::from_triples(size, size, triples).ok()?.to_csr().0);
        let (B, n, delta) = (matrix(A.rows(), &triples)?, A.rows(), D::from_f64(delta));
        let mirrored: Vec<_> = triples.iter().map(|&(i, j, a)| (j, i, Scalar::conj(a))).collect();
        let adjoint = matrix(n, &mirrored)?;
        let K = match is_self_adjoint {
            true => {
                let shift = (0..n).map(|i| (i, i, delta));
                matrix(n, &triples.into_iter().chain(shift).collect::<Vec<_>>())?
            }
            false => {
                let above = triples.into_iter().map(|(i, j, a)| (i, n + j, a));
                let below = mirrored.into_iter().map(|(i, j, a)| (n + i, j, a));
                let shift = (0..2 * n).map(|i| (i, i, if i < n { delta } else { -delta }));
                matrix(2 * n, &above.chain(below).chain(shift).collect::<Vec<_>>())?
            }
        };
        Fill::of_lu(&K).filter(|fill| fill.multiplications <= multiplications && fill.fits::<D>())?;
        let factor = sparse_lu(&K).ok()?;
        Some(Self { B, adjoint, rows, columns, factor, is_self_adjoint })
    }

    /// One step of inverse iteration on both sides: what it amplifies are null vectors of B^H and of B.
    pub fn amplify(&self, left: &[D], right: &[D]) -> Result<(Vec<D>, Vec<D>)> {
        if self.is_self_adjoint {
            let right = self.factor.solve(right)?;
            return Ok((right.clone(), right));
        }
        let mut left = self.factor.solve(&[left, right].concat())?;
        let right = left.split_off(self.B.rows());
        Ok((left, right))
    }

    /// Nearly the least-squares solution of A x = b.
    pub fn solve(&self, b: &[D]) -> Result<Vec<D>> {
        let b = scaled(b, &self.rows);
        let x = match self.is_self_adjoint {
            true => self.factor.solve(&b)?,
            false => self.amplify(&b, &vec![D::zero(); b.len()])?.1,
        };
        Ok(scaled(&x, &self.columns))
    }

    /// Null vectors of A^H from those of B^H.
    pub fn unscaled_rows(&self, left: Vec<Vec<D>>) -> Vec<Vec<D>> {
        left.iter().map(|vector| scaled(vector, &self.rows)).collect()
    }

    /// Null vectors of A from those of B.
    pub fn unscaled_columns(&self, right: Vec<Vec<D>>) -> Vec<Vec<D>> {
        right.iter().map(|vector| scaled(vector, &self.columns)).collect()
    }
}

fn scaled<D: Scalar>(x: &[D], by: &[f64]) -> Vec<D> {
    x.iter().zip(by).map(|(&x, &by)| x * D::from_f64(by)).collect()
}

/// Powers of two for rows and columns; the same for both where A is self-adjoint.
fn factors<D: Scalar>(A: &Csr<D>) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (vec![0; A.rows()], vec![0; A.cols()]);
    let exponent = |a: D| {
        let (re, im) = a.parts();
        f64::hypot(re, im).log2()
    };
    for _ in 0..SWEEPS {
        let (mut most_rows, mut most_columns) = (vec![f64::NEG_INFINITY; A.rows()], vec![f64::NEG_INFINITY; A.cols()]);
        for i in 0..A.rows() {
            for (j, a) in A.row(i) {
                let size = exponent(a) + f64::from(rows[i] + columns[j]);
                most_rows[i] = most_rows[i].max(size);
                most_columns[j] = most_columns[j].max(size);
            }
        }
        let step = |most: f64| if most.is_finite() { -(most / 2.0).round() as i32 } else { 0 };
        rows.iter_mut().zip(&most_rows).for_each(|(power, &most)| *power += step(most));
        columns.iter_mut().zip(&most_columns).for_each(|(power, &most)| *power += step(most));
    }
    let powers = |powers: Vec<i32>| powers.into_iter().map(|power| 2f64.powi(power.clamp(-1000, 1000))).collect();
    (powers(rows), powers(columns))
}
