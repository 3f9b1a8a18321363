//! Incomplete LU, row by row (IKJ) on a given pattern (Saad, Iterative methods, 2nd ed., algorithm 10.4):
//!
//! ```text
//! for k < i in row i:   l_ik = a_ik / u_kk,   a_ij -= l_ik u_kj   for j > k in row i; what falls outside is dropped
//! ```
//!
//! On A's own pattern, (L U)_ij = a_ij for every stored (i, j): ILU(0). No pivoting: a zero pivot is refused with its
//! row.

use super::row::SpreadRow;
use super::{Factorisation, Factors, Pattern};
use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// ILU(0): incomplete LU on the pattern of A.
pub fn ilu0<S: Scalar>(A: &Csr<S>) -> Result<Factors<S>> {
    iluk(A, 0)
}

/// ILU(k): incomplete LU with fill up to level k.
pub fn iluk<S: Scalar>(A: &Csr<S>, k: usize) -> Result<Factors<S>> {
    Pattern::of(A, k)?.ilu(A, 0.0)
}

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
    let Factors { lower, upper, inverse, shift, .. } = factors;
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
        inverse[i] = reciprocal(row.get(i), i)?;
    }
    Ok(())
}

/// The inverse of a pivot; refuses one that has none.
pub(super) fn reciprocal<S: Scalar>(pivot: S, row: usize) -> Result<S> {
    if !pivot.finite() {
        let place = format!("row {}", row + 1);
        return Err(Error::NonFinite { what: "the factorisation (in its pivots)", value: pivot.to_string(), place });
    }
    let inverse = S::one() / pivot;
    if pivot == S::zero() || !inverse.finite() { Err(Error::ZeroPivot { row }) } else { Ok(inverse) }
}
