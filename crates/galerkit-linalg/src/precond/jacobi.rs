//! Jacobi: M = diag(A)^-1.

use crate::error::{Error, Result};
use crate::linear::Linear;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The inverse diagonal of A; refuses a zero or missing entry.
pub fn jacobi<S: Scalar>(A: &Csr<S>) -> Result<Linear<S>> {
    A.require_square("Jacobi")?;
    let mut d = A.diagonal();
    for (row, value) in d.iter_mut().enumerate() {
        if *value == S::zero() {
            return Err(Error::ZeroDiagonal { row, preconditioner: "Jacobi" });
        }
        *value = S::one() / *value;
    }
    Ok(Linear::Diagonal(d))
}
