//! 1/l_i with l_i = q_i sum_j |a_ij|/q_j, the scaled l1 norm of a row, q_j = sqrt(|a_jj|), and the phase of 1/a_ii.
//! With L of these no eigenvalue of L^-1 A is above 1 in modulus, whatever A: L^-1 A is similar to Q L^-1 A Q^-1, the
//! moduli of whose rows sum up to 1. For Hermitian positive definite A all of them are in (0, 1]. A weight needs its
//! own row and the diagonal alone, so a few long rows spoil nobody else's, and A scaled from both sides gives the same
//! L^-1 A (as plain l1 norms would not).
//!
//! As something that programs apply it makes the weights of new values without the host. It is not linear; to an engine
//! a map is what makes a vector of another one. Everything is computed in double precision and rounded once: the same
//! bits everywhere.

use crate::error::{Error, Result};
use crate::map::{DeviceSource, Grid, LinearMap, Protocol, Word};
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// Rows that one task works on.
const ROWS: usize = 1024;

/// The weights of A, whose diagonal has no zero.
pub(super) fn l1_weights<S: Scalar>(A: &Csr<S>, diagonal: &[S]) -> Vec<S> {
    let of_row = |i: usize| weight(diagonal[i], A.row(i).map(|(j, a)| (a, diagonal[j])));
    parallel::collect(A.rows(), &of_row)
}

/// The weight of a row from its diagonal entry d and each a_ij with a_jj.
fn weight<S: Scalar>(d: S, row: impl Iterator<Item = (S, S)>) -> S {
    let sum = row.fold(0.0, |sum, (a, other)| sum + length(a) / length(other).sqrt());
    let (size, (re, im)) = (length(d), d.parts());
    let norm = size.sqrt() * sum; // l_i
    S::from_parts(re / size / norm, -im / size / norm)
}

/// |a| by operations that round alike on every machine, as a library's `hypot` does not.
fn length<S: Scalar>(a: S) -> f64 {
    let (re, im) = (a.parts().0.abs(), a.parts().1.abs());
    let (most, least) = if re > im { (re, im) } else { (im, re) };
    if least > 0.0 {
        let t = least / most;
        most * (1.0 + t * t).sqrt()
    } else {
        most
    }
}

/// y = the weights of a matrix whose entries are x.
#[derive(Clone, Debug)]
pub struct L1Weights {
    start: Vec<u64>,
    col: Vec<u32>,
    /// Which entry of x each entry of the pattern is.
    index: Vec<u32>,
    /// Which entry of x is the diagonal of each row.
    diagonal: Vec<u32>,
}

per_scalar! {
    /// [`L1Weights::new`] as a map behind a trait object, compiled here.
    pub fn l1_weights_map<S>(pattern: &Csr<S>, index: Vec<u32>) -> Result<Box<dyn LinearMap<S>>> = boxed;
}

fn boxed<S: Scalar>(pattern: &Csr<S>, index: Vec<u32>) -> Result<Box<dyn LinearMap<S>>> {
    Ok(Box::new(L1Weights::new(pattern, index)?))
}

impl L1Weights {
    /// For a square pattern in compressed rows, whose entry k is entry `index[k]` of x. Refuses a row without diagonal.
    pub fn new<S: Scalar>(pattern: &Csr<S>, index: Vec<u32>) -> Result<Self> {
        pattern.require_square("Chebyshev")?;
        crate::error::check_length("the numbers of entries", pattern.nnz(), index.len())?;
        if let Some(k) = index.iter().find(|&&k| k as usize >= index.len()) {
            let problem = format!("there are {} entries and no number {k}", index.len());
            return Err(Error::InvalidStructure { place: "the numbers of entries".into(), problem });
        }
        let on_diagonal = |row: usize| {
            let found = pattern.range(row).find(|&k| pattern.col()[k] as usize == row);
            found.map(|k| index[k]).ok_or(Error::ZeroDiagonal { row, preconditioner: "Chebyshev" })
        };
        let diagonal = (0..pattern.rows()).map(on_diagonal).collect::<Result<_>>()?;
        Ok(Self { start: pattern.start().to_vec(), col: pattern.col().to_vec(), index, diagonal })
    }

    fn weight<S: Scalar>(&self, i: usize, x: &[S]) -> S {
        let d = |j: usize| x[self.diagonal[j] as usize];
        let row = self.start[i] as usize..self.start[i + 1] as usize;
        weight(d(i), row.map(|k| (x[self.index[k] as usize], d(self.col[k] as usize))))
    }
}

impl<S: Scalar> LinearMap<S> for L1Weights {
    fn shape(&self) -> (usize, usize) {
        (self.diagonal.len(), self.index.len())
    }
    fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of::<u32>() * (2 * self.index.len() + self.diagonal.len())
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        (0..y.len()).for_each(|i| y[i] = self.weight(i, x));
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        parallel::each_chunk(y, ROWS, &|first, y| {
            y.iter_mut().zip(first..).for_each(|(y, i)| *y = self.weight(i, x));
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let rows = Word::Number(self.diagonal.len() as u64);
        let arrays = [&self.col, &self.index, &self.diagonal].map(|array| Word::array(array));
        let words = [rows, Word::array(&self.start)].into_iter().chain(arrays).collect();
        Some(DeviceSource { source: SOURCE.into(), protocol: Protocol::Rows, words, lanes: 1, grid: Grid::Rows })
    }
}

// The formulas of `weight` and `length`; products are rounded before they are added, as on the host.
const SOURCE: &str = "struct Map { Offset rows; const Offset *start; const unsigned *col, *index, *diagonal; };
__device__ inline double length(Real a) { return fabs(double(a)); }
__device__ inline double length(Complex a) {
    const double re = fabs(double(a.re)), im = fabs(double(a.im)), most = re > im ? re : im, least = re > im ? im : re;
    if (!(least > 0.0)) return most;
    const double t = least / most;
    return __dmul_rn(most, sqrt(1.0 + __dmul_rn(t, t)));
}
__device__ inline Real phased(Real d, double size, double norm) { return Real(double(d) / size / norm); }
__device__ inline Complex phased(Complex d, double size, double norm) {
    return {Real(double(d.re) / size / norm), Real(-double(d.im) / size / norm)};
}
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.rows; i += threads) {
        double sum = 0.0;
        for (Offset k = A.start[i]; k < A.start[i + 1]; ++k)
            sum += length(x[A.index[k]]) / sqrt(length(x[A.diagonal[A.col[k]]]));
        const Scalar d = x[A.diagonal[i]];
        const double size = length(d);
        row(i)(phased(d, size, __dmul_rn(sqrt(size), sum)));
    }
}
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c64;

    /// [4 -2; -2 16]: q = 2, 4; l = 2 (4/2 + 2/4) = 5 and 4 (2/2 + 16/4) = 20.
    #[test]
    fn two_rows_by_hand() {
        let A = Csr::new(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![4.0, -2.0, -2.0, 16.0]).unwrap();
        assert_eq!(l1_weights(&A, &A.diagonal()), [1.0 / 5.0, 1.0 / 20.0]);
        let turned = A.map_values(|a| c64::new(0.0, -a));
        let found = l1_weights(&turned, &turned.diagonal());
        assert_eq!(found.iter().map(|w| (w.re, w.im)).collect::<Vec<_>>(), [(0.0, 0.2), (0.0, 0.05)]); // 1/(-i) = i
    }

    #[test]
    fn as_a_map_the_same_bits() {
        let n = 3000;
        let entries = (0..n).flat_map(|i| [(i, c64::new(3.0 + i as f64, -1.0)), ((i * 7 + 1) % n, c64::new(0.3, 0.7))]);
        let (col, val): (Vec<u32>, Vec<c64>) = entries.map(|(j, a)| (j as u32, a)).unzip();
        let start: Vec<u64> = (0..=n as u64).map(|i| 2 * i).collect();
        let sorted = |k: usize| if col[2 * (k / 2)] < col[2 * (k / 2) + 1] { k } else { k ^ 1 };
        let order: Vec<usize> = (0..2 * n).map(sorted).collect();
        let pick = |k: &usize| (col[*k], val[*k]);
        let (col, val): (Vec<u32>, Vec<c64>) = order.iter().map(pick).unzip();
        let A = Csr::new(n, n, start, col, val).unwrap();
        let expected = l1_weights(&A, &A.diagonal());
        // The entries of x stand in reverse.
        let map = L1Weights::new(&A, (0..A.nnz() as u32).rev().collect()).unwrap();
        let x: Vec<c64> = A.val().iter().rev().copied().collect();
        let (mut one, mut other) = (vec![c64::default(); n], vec![c64::default(); n]);
        map.apply(&[], &x, &mut one);
        map.apply_on_threads(&[], &x, &mut other);
        assert!(one == expected && other == expected);
        assert!(L1Weights::new(&A, vec![0; 3]).is_err());
        assert!(L1Weights::new(&A, vec![u32::MAX; A.nnz()]).is_err());
    }

    #[test]
    fn a_row_without_diagonal_is_refused() {
        let A = Csr::new(2, 2, vec![0, 1, 2], vec![0, 0], vec![1.0, 1.0]).unwrap();
        assert!(matches!(L1Weights::new(&A, vec![0, 1]), Err(Error::ZeroDiagonal { row: 1, .. })));
    }
}
