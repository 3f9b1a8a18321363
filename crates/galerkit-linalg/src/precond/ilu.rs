//! Incomplete LU, row by row (IKJ) on a given pattern (Saad, Iterative methods, 2nd ed., algorithm 10.4):
//!
//! ```text
//! for k < i in row i:   l_ik = a_ik / u_kk,   a_ij -= l_ik u_kj   for j > k in row i; what falls outside is dropped
//! ```
//!
//! On A's own pattern, (L U)_ij = a_ij for every stored (i, j): ILU(0). No pivoting: a zero pivot is refused with its
//! row.

use super::row::SpreadRow;
use super::triangles::Triangles;
use super::{Factorisation, Factors, pivot};
use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;

pub(super) fn invalid_shift(value: &str) -> Error {
    let expected = "the diagonal is multiplied by 1 + shift: a finite number of at least 0";
    Error::InvalidParameter { name: "shift", value: value.into(), expected }
}

pub(super) fn check_shift(shift: f64) -> Result<()> {
    if shift >= 0.0 && shift.is_finite() { Ok(()) } else { Err(invalid_shift(&shift.to_string())) }
}

/// Computes the numbers of factors whose pattern is there.
pub(super) fn fill<S: Scalar>(A: &Csr<S>, factors: &mut Factors<S>) -> Result<()> {
    Factorisation::Ilu.require(A)?;
    check_length("the matrix (its rows)", factors.rows(), A.rows())?;
    let Factors { triangles: Triangles { lower, upper, scale: inverse, .. }, shift, .. } = factors;
    let shifted = S::from_f64(1.0 + *shift);
    let mut row = SpreadRow::new(A.rows());
    for i in 0..A.rows() {
        row.begin(i);
        row.allow(&lower.col()[lower.range(i)]);
        row.allow(&[i as u32]);
        row.allow(&upper.col()[upper.range(i)]);
        A.row(i).try_for_each(|(j, a)| row.set(j, if j == i { a * shifted } else { a }))?;
        for k in lower.col()[lower.range(i)].iter().map(|&k| k as usize) {
            let l = row.get(k) * inverse[k];
            row.put(k, l);
            upper.row(k).for_each(|(j, u)| row.subtract(j, l * u));
        }
        row.store(lower, i);
        row.store(upper, i);
        inverse[i] = pivot::reciprocal(row.get(i), i)?;
    }
    Ok(())
}
