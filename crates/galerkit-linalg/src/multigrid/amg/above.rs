//! A hierarchy whose first prolongator is somebody else's: of finite elements of higher degree the functions of degree
//! 1, say. Its coarse matrix P^H A P is continued as the settings say.

use super::built::{Built, polynomial};
use super::galerkin::galerkin;
use super::lambda::bounds;
use super::norms::{norms, smoother_weights};
use super::restrict::Class;
use super::settings::Amg;
use super::summary::Summary;
use crate::error::Result;
use crate::map::{Diagonal, diagonal_map, matrix_map};
use crate::multigrid::hierarchy::{Bottom, Hierarchy, Level};
use crate::scalar::{Precision, Scalar};
use crate::sparse::{Csr, Format, Matrix};

/// Levels of a Hermitian positive definite A from P on, all numbers in full precision, and what there is to report of
/// those below A. Near-null vectors are of P^H A P. Whoever loads them in single precision, as the settings may ask,
/// finds A among them.
pub fn above<S: Scalar>(A: &Csr<S>, P: Csr<S>, amg: &Amg, near_null: &[Vec<S>]) -> Result<(Hierarchy<S>, Summary)> {
    let R = P.conjugate_transpose();
    let (coarse, _) = galerkin(Class::Hermitian, &R, A, &P)?;
    let built = Built::new(&coarse, true, &Amg { precision: Precision::Full, ..*amg }, near_null)?;
    let summary = built.summary();
    let stored = |A: Csr<S>| matrix_map(Matrix::Csr(A));
    let mut below = built.hierarchy(&|_| Format::Csr);
    match (below.levels.first_mut(), &mut below.bottom) {
        (Some(level), _) => level.A = Some(stored(coarse)),
        (None, Bottom::Smoother { A, .. }) => *A = Some(stored(coarse)),
        (None, Bottom::Inverse(_)) => (),
    }
    let weights = smoother_weights(&A.diagonal(), &bounds(A, &norms(A), amg.scaling()));
    let first = Level {
        A: (amg.precision == Precision::Single).then(|| stored(A.clone())),
        inverse: vec![diagonal_map(Diagonal::new(weights))],
        polynomial: polynomial(amg),
        prolongation: stored(P),
        restriction: stored(R),
    };
    below.levels.insert(0, first);
    Ok((below, summary))
}
