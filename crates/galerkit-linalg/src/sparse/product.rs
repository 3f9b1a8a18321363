//! Sums and products of sparse matrices. The product goes row by row (Gustavson, ACM TOMS 4 (1978) 250-269):
//! row i of A B is the sum of rows j of B weighted by a_ij, collected in a dense accumulator. Products that cancel
//! to zero stay stored: the pattern depends on patterns alone. Summation follows the stored order of row i of A.

use crate::error::{Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::{Csr, build};
use std::cmp::Ordering;

/// Working space for one row of a product: which columns were met in the current row, and their sums.
struct Accumulator<S> {
    met_in: Vec<u32>, // 1 + the row that met this column last
    sum: Vec<S>,
    columns: Vec<u32>,
}

impl<S: Scalar> Csr<S> {
    /// The product A B.
    pub fn multiply(&self, B: &Self) -> Result<Self> {
        check_length("the right factor (its rows)", self.cols(), B.rows())?;
        let start =
            build::row_starts(self.rows(), || vec![0u32; B.cols()], |met_in, i| self.product_length(B, met_in, i));
        build::check_memory::<S>("the sparse product", self.rows() as u128, start[self.rows()] as u128)?;
        let scratch = || Accumulator { met_in: vec![0; B.cols()], sum: vec![S::zero(); B.cols()], columns: Vec::new() };
        Ok(build::fill_rows(B.cols(), start, scratch, |scratch, i, col, val| {
            self.product_row(B, scratch, i);
            scratch.columns.sort_unstable();
            col.copy_from_slice(&scratch.columns);
            for (&j, val) in col.iter().zip(val) {
                *val = scratch.sum[j as usize];
            }
        }))
    }

    fn product_length(&self, B: &Self, met_in: &mut [u32], i: usize) -> usize {
        let mark = i as u32 + 1;
        let mut length = 0;
        for &k in &self.col()[self.range(i)] {
            for &j in &B.col()[B.range(k as usize)] {
                let last = &mut met_in[j as usize];
                length += (*last != mark) as usize;
                *last = mark;
            }
        }
        length
    }

    fn product_row(&self, B: &Self, scratch: &mut Accumulator<S>, i: usize) {
        let mark = i as u32 + 1;
        scratch.columns.clear();
        for (k, a) in self.row(i) {
            for (j, b) in B.row(k) {
                if scratch.met_in[j] == mark {
                    scratch.sum[j] += a * b;
                } else {
                    scratch.met_in[j] = mark;
                    scratch.sum[j] = a * b;
                    scratch.columns.push(j as u32);
                }
            }
        }
    }

    /// The sum alpha A + beta B of two matrices of one shape; its pattern is the union of the patterns.
    pub fn combine(alpha: S, A: &Self, beta: S, B: &Self) -> Result<Self> {
        check_length("the second summand (its rows)", A.rows(), B.rows())?;
        check_length("the second summand (its columns)", A.cols(), B.cols())?;
        let start = build::row_starts(A.rows(), || (), |(), i| merge(A.columns(i), B.columns(i), |_, _, _| ()));
        Ok(build::fill_rows(
            A.cols(),
            start,
            || (),
            |(), i, col, val| {
                let (a, b) = (&A.val()[A.range(i)], &B.val()[B.range(i)]);
                let mut slot = 0;
                merge(A.columns(i), B.columns(i), |j, in_a, in_b| {
                    col[slot] = j;
                    val[slot] = match (in_a, in_b) {
                        (Some(k), Some(l)) => alpha * a[k] + beta * b[l],
                        (Some(k), None) => alpha * a[k],
                        (None, l) => l.map_or(S::zero(), |l| beta * b[l]),
                    };
                    slot += 1;
                });
            },
        ))
    }

    fn columns(&self, i: usize) -> &[u32] {
        &self.col()[self.range(i)]
    }
}

/// Walks the union of two ascending lists; `visit` gets the column and its place in each list. Returns the union's size.
pub(super) fn merge(a: &[u32], b: &[u32], mut visit: impl FnMut(u32, Option<usize>, Option<usize>)) -> usize {
    let (mut k, mut l, mut count) = (0, 0, 0);
    while k < a.len() || l < b.len() {
        let order = match (a.get(k), b.get(l)) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => visit(a[k], Some(k), None),
            Ordering::Equal => visit(a[k], Some(k), Some(l)),
            Ordering::Greater => visit(b[l], None, Some(l)),
        }
        k += (order != Ordering::Greater) as usize;
        l += (order != Ordering::Less) as usize;
        count += 1;
    }
    count
}
