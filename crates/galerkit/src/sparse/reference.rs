//! The same in obvious sequential loops, which the others are tested against.

use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;
use std::collections::BTreeMap;

/// A B, row by row: the sum of rows k of B, weighted by a_ik.
pub(super) fn product<S: Scalar>(A: &Csr<S>, B: &Csr<S>) -> Result<Csr<S>> {
    let row = |i: usize| {
        let mut sums: BTreeMap<usize, S> = BTreeMap::new();
        for (k, a) in A.row(i) {
            for (j, b) in B.row(k) {
                let sum = sums.entry(j).or_insert(S::zero());
                *sum += a * b;
            }
        }
        sums
    };
    from_rows(B.cols(), (0..A.rows()).map(row))
}

/// Entry (i, j) at (j, i), mapped.
pub(super) fn transpose<S: Scalar>(A: &Csr<S>, map: fn(S) -> S) -> Result<Csr<S>> {
    let mut rows: Vec<BTreeMap<usize, S>> = vec![BTreeMap::new(); A.cols()];
    for i in 0..A.rows() {
        for (j, a) in A.row(i) {
            rows[j].insert(i, map(a));
        }
    }
    from_rows(A.rows(), rows)
}

fn from_rows<S: Scalar>(cols: usize, rows: impl IntoIterator<Item = BTreeMap<usize, S>>) -> Result<Csr<S>> {
    let (mut start, mut col, mut val) = (vec![0u64], Vec::new(), Vec::new());
    for row in rows {
        for (j, value) in row {
            col.push(j as u32);
            val.push(value);
        }
        start.push(col.len() as u64);
    }
    Ok(Csr::new(start.len() - 1, cols, start, col, val)?)
}
