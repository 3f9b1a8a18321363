//! The rows of one triangle, one after the other: what every schedule is made of.

use super::shared::Shared;
use crate::backend::cpu::simd::{prefetch, prefetch_back};
use crate::map::{Numbers, Triangular};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::ops::Range;

/// Triangles and their numbers.
type With<'a, S, M> = (&'a M, Numbers<'a, S>);

/// u_i = forward(s_i, x_i, sum_{j<i} l_ij u_j) for ascending rows.
pub fn forward<S: Scalar>(
    (M, numbers): With<'_, S, impl Triangular<S>>,
    x: &[S],
    y: Shared<'_, S>,
    rows: Range<usize>,
) {
    let (L, x, scale) = (M.lower(), &x[rows.clone()], &numbers.scale[rows.clone()]);
    let ends = &L.start()[rows.start + 1..=rows.end];
    let mut from = L.start()[rows.start] as usize;
    for (((i, &end), &x), &scale) in rows.zip(ends).zip(x).zip(scale) {
        let sum = row_sum((L, numbers.lower), from..end as usize, y, true);
        y.store(i, M.forward(scale, x, sum));
        from = end as usize;
    }
}

/// y_i = backward(s_i, u_i, sum_{j>i} u_ij y_j) for descending rows.
pub fn backward<S: Scalar>((M, numbers): With<'_, S, impl Triangular<S>>, y: Shared<'_, S>, rows: Range<usize>) {
    let (U, scale) = (M.upper(), &numbers.scale[rows.clone()]);
    let starts = &U.start()[rows.clone()];
    let mut end = U.start()[rows.end] as usize;
    for ((i, &from), &scale) in rows.zip(starts).zip(scale).rev() {
        let sum = row_sum((U, numbers.upper), from as usize..end, y, false);
        y.store(i, M.backward(scale, y.load(i), sum));
        end = from as usize;
    }
}

#[inline(always)]
fn row_sum<S: Scalar>((T, val): (&Csr<S>, &[S]), range: Range<usize>, y: Shared<'_, S>, ascending: bool) -> S {
    let (col, val) = (&T.col()[range.clone()], &val[range]);
    if ascending {
        prefetch(col);
        prefetch(val);
    } else {
        prefetch_back(col);
        prefetch_back(val);
    }
    col.iter().zip(val).fold(S::zero(), |sum, (&j, &a)| sum + a * y.load(j as usize))
}
