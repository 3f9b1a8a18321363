//! What an incomplete factorisation keeps of a pivot, and what it refuses: pivots without an inverse, matrices that are
//! visibly not Hermitian where Cholesky needs that.

use crate::error::{Error, Result};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::Float;

/// Rows that one thread takes at a time.
const ROWS: usize = 1024;

/// The inverse of a pivot; refuses one that has none.
pub(super) fn reciprocal<S: Scalar>(pivot: S, row: usize) -> Result<S> {
    if !pivot.finite() {
        let place = format!("row {}", row + 1);
        return Err(Error::NonFinite { what: "the factorisation (in its pivots)", value: pivot.to_string(), place });
    }
    let inverse = S::one() / pivot;
    if pivot == S::zero() || !inverse.finite() { Err(Error::ZeroPivot { row }) } else { Ok(inverse) }
}

/// The inverse of the root of a pivot; refuses one that is not positive.
pub(super) fn inverse_root<S: Scalar>(pivot: S, row: usize) -> Result<S> {
    let inverse = S::from_real(pivot.re().sqrt().recip()); // NaN below zero
    if pivot.finite() && pivot.parts().0 > 0.0 && inverse.finite() {
        return Ok(inverse);
    }
    Err(Error::NotPositivePivot { row, value: crate::scalar::shown(pivot) })
}

/// Refuses entries that differ from their mirror image by more than rounding may explain: half of the digits.
pub(super) fn require_hermitian<S: Scalar>(A: &Csr<S>) -> Result<()> {
    let tolerance = S::eps().sqrt();
    let differs = |i: usize, (j, a): (usize, S)| {
        let mirrored = if i == j { a } else { A.get(j, i).unwrap_or(S::zero()) };
        let (difference, size) = ((a - mirrored.conj()).modulus().parts().0, a.modulus().parts().0);
        (difference > tolerance * size).then_some((i, j))
    };
    let part = |k: usize| {
        let rows = k * ROWS..A.rows().min((k + 1) * ROWS);
        rows.into_iter().find_map(|i| A.row(i).find_map(|entry| differs(i, entry)))
    };
    match parallel::values(A.rows().div_ceil(ROWS), &part).into_iter().flatten().next() {
        Some((row, col)) => Err(Error::NotHermitian { row, col, operation: "incomplete Cholesky" }),
        None => Ok(()),
    }
}
