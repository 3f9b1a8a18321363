//! The diagonal of A, checked for those who divide by it.

use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The diagonal of a square matrix; an entry without a finite reciprocal is refused with its row.
pub(super) fn invertible<S: Scalar>(A: &Csr<S>, preconditioner: &'static str) -> Result<Vec<S>> {
    A.require_square(preconditioner)?;
    let diagonal = A.diagonal();
    require_invertible(&diagonal, preconditioner)?;
    Ok(diagonal)
}

/// Refuses the first entry without a finite reciprocal.
pub(super) fn require_invertible<S: Scalar>(diagonal: &[S], preconditioner: &'static str) -> Result<()> {
    for (row, &value) in diagonal.iter().enumerate() {
        if !value.finite() {
            let place = format!("row {0}, column {0}", row + 1);
            return Err(Error::NonFinite { what: "the diagonal", value: value.to_string(), place });
        }
        if value == S::zero() || !(S::one() / value).finite() {
            return Err(Error::ZeroDiagonal { row, preconditioner });
        }
    }
    Ok(())
}

/// Refuses the first entry that is not a positive real number: no positive definite matrix has one.
pub(super) fn require_positive<S: Scalar>(diagonal: &[S], preconditioner: &'static str) -> Result<()> {
    let negative = |value: &S| value.parts().0 <= 0.0 || value.parts().1 != 0.0;
    let Some(row) = diagonal.iter().position(negative) else { return Ok(()) };
    Err(Error::NegativeDiagonal { row, value: crate::scalar::shown(diagonal[row]), preconditioner })
}
