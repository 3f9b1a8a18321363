//! What can be wrong with a system before it is solved.

use super::Solver;
use crate::choice::ResidualReplacement;
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use galerkit_linalg::error::check_length;
use galerkit_linalg::krylov::first_not_finite;
use galerkit_linalg::{Error as LinalgError, Scalar};

impl Solver {
    /// Everything that can be wrong with the settings, for a matrix of this shape.
    pub(super) fn check_settings<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<()> {
        self.check_criteria::<S>()?;
        match A {
            MatrixRef::Rows(A) => Ok(A.require_square("a solve")?),
            MatrixRef::Problem(_) => Ok(()), // as many columns as rows, both points of the grid
        }
    }

    /// What can be wrong with them whatever the system is.
    pub(super) fn check_criteria<S: Scalar>(&self) -> Result<()> {
        for (name, value) in [("rtol", self.rtol_for::<S>()), ("atol", self.atol)] {
            if !(value >= 0.0 && value.is_finite()) {
                let expected = "a tolerance is a finite number that is not negative";
                return Err(LinalgError::InvalidParameter { name, value: value.to_string(), expected }.into());
            }
        }
        self.triangular.require(self.preconditioner)?;
        self.ordering.require(self.preconditioner)?;
        Ok(self.replacement.given().map_or(Ok(()), ResidualReplacement::require)?)
    }
}

/// An error unless a vector has so many entries, and every one is finite.
pub(crate) fn require_vector<S: Scalar>(what: &'static str, rows: usize, b: &[S]) -> Result<()> {
    check_length(what, rows, b.len())?;
    match first_not_finite(b) {
        None => Ok(()),
        Some(i) => {
            let place = format!("row {}", i + 1);
            Err(Error::Linalg(LinalgError::NonFinite { what, value: b[i].to_string(), place }))
        }
    }
}
