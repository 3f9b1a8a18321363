//! The explicit inverse of the coarsest matrix, in double precision whatever that of the matrix, by fixed loops on one
//! thread. Hermitian: Cholesky row by row, where a pivot of at most 1e-12 of its diagonal entry is skipped and its row
//! and column of the inverse are zero. That is right for consistent singular systems with any number of kernels.
//! General: elimination with partial pivoting.

use super::restrict::Class;
use crate::scalar::{Scalar, c64};
use crate::sparse::Csr;

/// A pivot below this part of its diagonal entry belongs to a kernel.
const LEAST: f64 = 1e-12;

/// An inverse, by rows, and how many pivots were skipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Inverse<S> {
    /// Rows.
    pub rows: usize,
    /// Its entries.
    pub val: Vec<S>,
    /// Pivots that were skipped.
    pub skipped: usize,
}

impl<S: Scalar> Inverse<S> {
    /// As a matrix with all its entries.
    pub fn to_csr(&self) -> Csr<S> {
        let n = self.rows;
        let start = (0..=n as u64).map(|i| i * n as u64).collect();
        let col = (0..n).flat_map(|_| 0..n as u32).collect();
        Csr::from_parts_trusted(n, start, col, self.val.clone())
    }
}

/// The inverse of a matrix with few rows.
pub fn inverse<S: Scalar>(A: &Csr<S>, class: Class) -> Inverse<S> {
    if S::KIND.is_complex() { computed::<S, c64>(A, class) } else { computed::<S, f64>(A, class) }
}

fn computed<S: Scalar, T: Scalar>(A: &Csr<S>, class: Class) -> Inverse<S> {
    let n = A.rows();
    let mut dense = vec![T::zero(); n * n];
    for i in 0..n {
        for (j, a) in A.row(i) {
            let (re, im) = a.parts();
            dense[i * n + j] = T::from_parts(re, im);
        }
    }
    let (val, skipped) = match class {
        Class::Hermitian => by_cholesky(dense, n),
        Class::Symmetric | Class::General => by_elimination(dense, n),
    };
    let rounded = |value: T| S::from_parts(value.parts().0, value.parts().1);
    Inverse { rows: n, val: val.into_iter().map(rounded).collect(), skipped }
}

/// A = L L^H; then K = L^-1 and A^-1 = K^H K.
fn by_cholesky<T: Scalar>(mut a: Vec<T>, n: usize) -> (Vec<T>, usize) {
    let mut inverse_pivot = vec![0.0; n]; // 1/l_ii, zero where it was skipped
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..i {
            let known = (0..j).fold(row[j], |sum, k| sum - row[k] * above[j * n + k].conj());
            row[j] = known * T::from_f64(inverse_pivot[j]);
        }
        let whole = row[i].parts().0;
        let pivot = (0..i).fold(whole, |sum, k| sum - row[k].modulus_squared().parts().0);
        if pivot > LEAST * whole {
            inverse_pivot[i] = 1.0 / pivot.sqrt();
        } else {
            row[..i].fill(T::zero());
        }
    }
    let mut inverted = vec![T::zero(); n * n]; // K
    for i in (0..n).filter(|&i| inverse_pivot[i] > 0.0) {
        let (above, row) = inverted.split_at_mut(i * n);
        for k in 0..i {
            let l = a[i * n + k];
            (0..=k).for_each(|j| row[j] -= l * above[k * n + j]);
        }
        row[i] = T::one();
        row[..=i].iter_mut().for_each(|value| *value *= T::from_f64(inverse_pivot[i]));
    }
    let mut result = vec![T::zero(); n * n];
    for k in 0..n {
        let row = &inverted[k * n..k * n + k + 1];
        for (i, &left) in row.iter().enumerate() {
            let left = left.conj();
            (0..=k).for_each(|j| result[i * n + j] += left * row[j]);
        }
    }
    let skipped = inverse_pivot.iter().filter(|pivot| **pivot == 0.0).count();
    (result, skipped)
}

/// Gauss and Jordan's elimination of [A I] with partial pivoting; a column without a pivot is skipped.
fn by_elimination<T: Scalar>(mut a: Vec<T>, n: usize) -> (Vec<T>, usize) {
    let size = |value: T| value.modulus().parts().0;
    let most = a.iter().fold(0.0, |most: f64, &value| most.max(size(value)));
    let mut result = vec![T::zero(); n * n];
    (0..n).for_each(|i| result[i * n + i] = T::one());
    let (mut pivots, mut used) = (vec![None; n], 0);
    for column in 0..n {
        let at = (used..n).fold(used, |at, i| if size(a[i * n + column]) > size(a[at * n + column]) { i } else { at });
        if used == n || size(a[at * n + column]) <= LEAST * most {
            continue;
        }
        for j in 0..n {
            a.swap(at * n + j, used * n + j);
            result.swap(at * n + j, used * n + j);
        }
        let scale = T::one() / a[used * n + column];
        for j in 0..n {
            a[used * n + j] *= scale;
            result[used * n + j] *= scale;
        }
        for i in (0..n).filter(|&i| i != used) {
            let factor = a[i * n + column];
            if factor != T::zero() {
                for j in 0..n {
                    let (from_a, from_result) = (a[used * n + j], result[used * n + j]);
                    a[i * n + j] -= factor * from_a;
                    result[i * n + j] -= factor * from_result;
                }
            }
        }
        pivots[column] = Some(used);
        used += 1;
    }
    let mut ordered = vec![T::zero(); n * n];
    for (column, pivot) in pivots.iter().enumerate() {
        if let Some(pivot) = pivot {
            ordered[column * n..(column + 1) * n].copy_from_slice(&result[pivot * n..(pivot + 1) * n]);
        }
    }
    (ordered, n - used)
}
