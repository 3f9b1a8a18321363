//! ILU(0) by fixed-point sweeps (Chow and Patel, SIAM J. Sci. Comput. 37 (2015) C169-C193): the equations
//! (L U)_ij = a_ij on the pattern are solved for all entries at once, again and again, from the triangles of A:
//!
//! ```text
//! f_ij <- a_ij - sum_{k < i, j} (f_ik / f_kk) f_kj        L = lower part of F with columns divided by f_kk, U = upper part
//! ```
//!
//! Each sweep reads only what the last one wrote, so every entry can be computed at the same time and the result does
//! not depend on the order; F stays Hermitian if A is, so that CG can use L U after any number of sweeps. The Jacobian
//! is strictly triangular: as many sweeps as the longest chain of entries give the exact ILU(0), and a few are usually
//! enough for a preconditioner.

use super::part::part;
use super::row::SpreadRow;
use super::triangles::Triangles;
use super::{Factorisation, Factors, pivot};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::sparse::{Csr, build};

/// ILU(0) after so many sweeps; 0 gives the triangles of A, the lower one divided by the diagonal.
pub fn ilu0_fixed_point<S: Scalar>(A: &Csr<S>, sweeps: usize) -> Result<Factors<S>> {
    A.require_square("an incomplete factorisation")?;
    let diagonal = places_of_diagonal(A)?;
    let mut F = A.clone();
    let mut inverse = inverse_pivots(&F, &diagonal)?;
    for _ in 0..sweeps {
        F = sweep(A, &F, &diagonal, &inverse);
        inverse = inverse_pivots(&F, &diagonal)?;
    }
    let (mut lower, upper) = (part(&F, |i, j| j < i), part(&F, |i, j| j > i));
    (0..lower.nnz()).for_each(|k| {
        let j = lower.col()[k] as usize;
        lower.val_mut()[k] *= inverse[j];
    });
    Ok(Factors { kind: Factorisation::Ilu, shift: 0.0, triangles: Triangles::new(lower, upper, inverse) })
}

fn places_of_diagonal<S: Scalar>(A: &Csr<S>) -> Result<Vec<usize>> {
    let place = |i: usize| A.range(i).find(|&k| A.col()[k] as usize == i).ok_or(Error::ZeroPivot { row: i });
    (0..A.rows()).map(place).collect()
}

fn inverse_pivots<S: Scalar>(F: &Csr<S>, diagonal: &[usize]) -> Result<Vec<S>> {
    diagonal.iter().enumerate().map(|(i, &k)| pivot::reciprocal(F.val()[k], i)).collect()
}

/// One sweep over all entries of F.
fn sweep<S: Scalar>(A: &Csr<S>, F: &Csr<S>, diagonal: &[usize], inverse: &[S]) -> Csr<S> {
    let scratch = || SpreadRow::new(A.cols());
    build::fill_rows(A.cols(), A.start().to_vec(), scratch, |row: &mut SpreadRow<S>, i, col, val| {
        row.begin(i);
        row.allow(&A.col()[A.range(i)]);
        A.row(i).for_each(|(j, a)| row.put(j, a));
        for (k, f) in F.row(i).take_while(|e| e.0 < i) {
            let l = f * inverse[k];
            for slot in diagonal[k] + 1..F.range(k).end {
                row.subtract(F.col()[slot] as usize, l * F.val()[slot]);
            }
        }
        col.copy_from_slice(&A.col()[A.range(i)]);
        col.iter().zip(val).for_each(|(&j, val)| *val = row.get(j as usize));
    })
}
