//! What the set-up refuses, with the row: numbers that are none, a diagonal that cannot be divided by, near-null
//! vectors that do not fit.

use super::choices::Kind;
use super::restrict::Class;
use super::settings::Amg;
use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What errors call it.
const NAME: &str = "AMG";

/// A square matrix, a diagonal without zeros, and a positive one where the matrix is Hermitian. Returns the diagonal.
pub(super) fn check_matrix<S: Scalar>(A: &Csr<S>, class: Class) -> Result<Vec<S>> {
    A.require_square(NAME)?;
    let diagonal = A.diagonal();
    if let Some(row) = diagonal.iter().position(|value| *value == S::zero()) {
        return Err(Error::ZeroDiagonal { row, preconditioner: NAME });
    }
    let is_positive = |value: &S| value.parts().0 > 0.0 && value.parts().1 == 0.0;
    match diagonal.iter().position(|value| class == Class::Hermitian && !is_positive(value)) {
        Some(row) => {
            Err(Error::NegativeDiagonal { row, value: crate::scalar::shown(diagonal[row]), preconditioner: NAME })
        }
        None => Ok(diagonal),
    }
}

/// An estimate of eigenvalues is one of Hermitian matrices.
pub(super) fn check_lambda(class: Class, amg: &Amg) -> Result<()> {
    match amg.lanczos {
        Some(steps) if class != Class::Hermitian => {
            let expected = "only Hermitian matrices have such a bound: leave it out";
            Err(Error::InvalidParameter { name: "lambda", value: format!("lanczos:{steps}"), expected })
        }
        _ => Ok(()),
    }
}

/// Near-null vectors as long as the matrix has rows, none of them zero, and whole nodes.
pub(super) fn check_vectors<S: Scalar>(rows: usize, amg: &Amg, vectors: &[Vec<S>]) -> Result<()> {
    let refuse = |name, value: String, expected| Err(Error::InvalidParameter { name, value, expected });
    if amg.kind == Kind::Classical && S::KIND.is_complex() {
        return refuse("precond", amg.to_string(), "amg:classical is for real matrices: take amg");
    }
    let given = || format!("{} vectors", vectors.len());
    match amg.kind {
        Kind::Smoothed => (),
        _ if amg.block > 1 => {
            return refuse("block", amg.block.to_string(), "only amg aggregates nodes of several rows: take amg");
        }
        Kind::Classical if !vectors.is_empty() => {
            return refuse("near_null", given(), "amg:classical interpolates by entries alone: take amg");
        }
        Kind::Pairs if vectors.len() > 1 => {
            return refuse("near_null", given(), "amg:pairs takes one vector: take amg for several");
        }
        Kind::Classical | Kind::Pairs => (),
    }
    if !rows.is_multiple_of(amg.block) {
        return refuse("block", amg.block.to_string(), "the rows of a node divide the number of rows");
    }
    for b in vectors {
        check_length("a near-null vector", rows, b.len())?;
        if let Some(i) = b.iter().position(|value| !value.finite()) {
            let (what, place) = ("a near-null vector", format!("row {}", i + 1));
            return Err(Error::NonFinite { what, value: b[i].to_string(), place });
        }
        if b.iter().all(|value| *value == S::zero()) {
            return refuse("near_null", "0".into(), "a near-null vector is not zero everywhere");
        }
    }
    Ok(())
}
