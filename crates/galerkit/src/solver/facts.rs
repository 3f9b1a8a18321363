//! What was found out about the values of a matrix, each fact once: by the GPU that has the matrix, all together, from
//! the stencil of a problem, or by the host when somebody asks.

use super::grid_facts;
use super::singular::{Parts, annihilates_constants};
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use galerkit_cuda::convert::Facts as Found;
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::krylov::frobenius_norm;
use galerkit_linalg::sparse::{Csr, definiteness_hints, symmetry};
use std::sync::OnceLock;

/// A matrix differs from its adjoint by rounding if it does by so many eps of its norm.
const ROUNDING: f64 = 1e3;
/// Up to so many entries it is found out within seconds what is connected.
const LOOKED_AT: usize = 200_000_000;
/// Sums of squares above it have lost nothing: squares that vanish are below 1e-308.
const SAFE: f64 = 1e-200;

/// Facts about the values of one matrix, which every question is asked with.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    found: Option<Found>,
    is_self_adjoint: OnceLock<bool>,
    not_positive: OnceLock<Option<usize>>,
    frobenius: OnceLock<f64>,
    parts: OnceLock<Parts>,
}

impl Facts {
    /// Those that a GPU has found.
    pub(crate) fn of_gpu(found: Found) -> Self {
        Self { found: Some(found), ..Self::default() }
    }
    /// Those of a stencil, which tells everything by itself.
    pub(crate) fn of_grid<S: Scalar>(A: &GridMatrix<S>) -> Self {
        let (found, frobenius) = (grid_facts::found(A), grid_facts::frobenius(A));
        let nearly = found.is_self_adjoint || grid_facts::asymmetry(A) <= ROUNDING * S::eps() * frobenius;
        Self { found: Some(found), is_self_adjoint: nearly.into(), frobenius: frobenius.into(), ..Self::default() }
    }
    /// Those that a GPU has found, if one has.
    pub(crate) fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// An error with the first entry that is not finite.
    pub(super) fn require_finite<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<()> {
        match &self.found {
            Some(found) if found.not_finite.is_none() => Ok(()),
            _ => Ok(A.host()?.require_finite()?),
        }
    }

    /// A row without entries makes a matrix singular.
    pub(super) fn require_entries<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<()> {
        self.empty_row(A)?.map_or(Ok(()), |row| Err(Error::EmptyRow { row }))
    }

    /// The first row without entries.
    pub(super) fn empty_row<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<Option<usize>> {
        Ok(match &self.found {
            Some(found) => found.empty_row,
            None => A.host()?.start().windows(2).position(|pair| pair[0] == pair[1]),
        })
    }

    /// Its connected parts; one where so many entries are not looked at.
    pub(super) fn parts<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<&Parts> {
        let looked_at = if A.nnz() <= LOOKED_AT { Some(A.host()?) } else { None };
        Ok(self.parts.get_or_init(|| looked_at.map_or_else(Parts::whole, Parts::of)))
    }

    /// The first row whose diagonal entry shows that a matrix is not Hermitian positive definite.
    pub(super) fn nonpositive_diagonal<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Option<usize> {
        *self.not_positive.get_or_init(|| match &self.found {
            Some(found) => found.not_positive,
            None => rows(A).diagonal().iter().position(|d| d.parts().0.is_nan() || d.parts().0 <= 0.0),
        })
    }

    /// Whether every row sums to zero, up to rounding.
    pub(super) fn annihilates_constants<S: Scalar>(&self, A: MatrixRef<'_, S>) -> bool {
        match &self.found {
            Some(found) => A.rows() > 0 && found.vanishing_rows == A.rows(),
            None => annihilates_constants(rows(A)),
        }
    }

    /// Rows whose diagonal entry is at least as large as the others together.
    pub(super) fn dominant_rows<S: Scalar>(&self, A: MatrixRef<'_, S>) -> Result<usize> {
        match &self.found {
            Some(found) => Ok(found.dominant_rows),
            None => Ok(definiteness_hints(A.host()?)?.dominant_rows),
        }
    }

    /// Whether A equals its conjugate transpose up to the rounding of an assembly: ||A - A^H|| <= 1000 eps ||A|| in the
    /// Frobenius norm.
    pub(super) fn is_nearly_self_adjoint<S: Scalar>(&self, A: MatrixRef<'_, S>) -> bool {
        *self.is_self_adjoint.get_or_init(|| {
            let is_exactly = match &self.found {
                Some(found) if found.is_mirrored => found.is_self_adjoint,
                _ => symmetry(rows(A)).is_self_adjoint::<S>(),
            };
            is_exactly || differs_by_rounding(rows(A), ROUNDING * S::eps() * self.frobenius(A))
        })
    }

    /// ||A||_F
    pub(super) fn frobenius<S: Scalar>(&self, A: MatrixRef<'_, S>) -> f64 {
        *self.frobenius.get_or_init(|| match &self.found {
            Some(found) if found.squares.is_finite() && found.squares > SAFE => found.squares.sqrt(),
            _ => frobenius_norm(rows(A)),
        })
    }
}

/// The rows of a matrix about whose values nothing is known yet.
fn rows<S: Scalar>(A: MatrixRef<'_, S>) -> &Csr<S> {
    A.host().expect("a problem has told its facts, and new values come with rows")
}

/// Whether ||A - A^H||_F stays below a limit. Ends at the first rows of a matrix that is far from it.
fn differs_by_rounding<S: Scalar>(A: &Csr<S>, limit: f64) -> bool {
    let mut squares = 0.0;
    for i in 0..A.rows() {
        for (j, a) in A.row(i) {
            let (re, im) = (a - A.get(j, i).unwrap_or_else(S::zero).conj()).parts();
            squares += (re / limit).powi(2) + (im / limit).powi(2);
        }
        if squares.is_nan() || squares > 1.0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetry_is_seen_through_rounding() {
        let matrix = |above: f64| Csr::new(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, above, 1.0, 2.0]).unwrap();
        let is_nearly = |A: &Csr<f64>| Facts::default().is_nearly_self_adjoint(MatrixRef::Rows(A));
        assert!(is_nearly(&matrix(1.0)) && is_nearly(&matrix(1.0 + 1e-14)));
        assert!(!is_nearly(&matrix(1.0 + 1e-9)));
        let lower = Csr::new(2, 2, vec![0, 1, 3], vec![0, 0, 1], vec![2.0, 1.0, 2.0]).unwrap();
        assert!(!is_nearly(&lower));
    }
}
