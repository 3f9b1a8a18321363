//! What can be wrong with a system before it is solved.

use super::Solver;
use crate::choice::ResidualReplacement;
use crate::error::{Error, Result};
use galerkit_linalg::error::check_length;
use galerkit_linalg::krylov::first_not_finite;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error as LinalgError, Scalar};

impl Solver {
    /// Everything that can be wrong with the settings, for a matrix of this shape.
    pub(super) fn check_settings<S: Scalar>(&self, A: &Csr<S>) -> Result<()> {
        for (name, value) in [("rtol", self.rtol_for::<S>()), ("atol", self.atol)] {
            if !(value >= 0.0 && value.is_finite()) {
                let expected = "a tolerance is a finite number that is not negative";
                return Err(LinalgError::InvalidParameter { name, value: value.to_string(), expected }.into());
            }
        }
        self.triangular.require(self.preconditioner)?;
        self.replacement.given().map_or(Ok(()), ResidualReplacement::require)?;
        Ok(A.require_square("a solve")?)
    }
}

/// An error unless a vector is as long as A has rows and every entry is finite.
pub(crate) fn require_vector<S: Scalar>(what: &'static str, A: &Csr<S>, b: &[S]) -> Result<()> {
    check_length(what, A.rows(), b.len())?;
    match first_not_finite(b) {
        None => Ok(()),
        Some(i) => {
            let place = format!("row {}", i + 1);
            Err(Error::Linalg(LinalgError::NonFinite { what, value: b[i].to_string(), place }))
        }
    }
}
