//! Method selection: which method suits the properties of a matrix, what a method refuses, and how good an answer is.

use super::elimination::{Elimination, Price};
use super::facts::Facts;
use crate::choice::Method;
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use crate::report::Report;
use galerkit_cuda::error::Amount;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Krylov, Outcome};
use galerkit_linalg::scalar::shown;

/// Up to this order dense elimination costs nothing and pivots best.
const SMALL: usize = 200;
/// Directions of GMRES at first.
pub(super) const DIRECTIONS: usize = 30;

/// The method for a matrix.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) method: Method,
    /// Why, in one sentence.
    pub(super) reason: String,
    /// Whether A is self-adjoint and singular, with constant null vectors.
    pub(super) needs_mean_zero: bool,
}

/// The method for a matrix; `elimination` is none where iterations are wanted, `free` gives the free memory of the
/// device where it is known.
pub(super) fn choose<S: Scalar>(
    (A, facts): (MatrixRef<'_, S>, &Facts),
    elimination: Option<&Elimination>,
    free: impl FnOnce() -> Option<usize>,
) -> Result<Chosen> {
    let is_singular = facts.annihilates_constants(A);
    let elimination = elimination.filter(|_| !is_singular);
    let is_self_adjoint = facts.is_nearly_self_adjoint(A);
    let (method, reason) = match is_self_adjoint {
        true => self_adjoint((A, facts), elimination),
        false => not_self_adjoint((A, facts), elimination, free)?,
    };
    let reason = match is_singular {
        true => format!("{reason}; its rows sum to zero, so it is singular, and x is one solution of many"),
        false => reason,
    };
    Ok(Chosen { method, reason, needs_mean_zero: is_singular && is_self_adjoint })
}

/// What a matrix is called that equals its adjoint.
fn symmetric<S: Scalar>() -> &'static str {
    if S::KIND.is_complex() { "Hermitian" } else { "symmetric" }
}

/// Elimination where that is cheap, else CG or MINRES by the diagonal.
fn self_adjoint<S: Scalar>(
    (A, facts): (MatrixRef<'_, S>, &Facts),
    elimination: Option<&Elimination>,
) -> (Method, String) {
    let (seen, direct, iterative) = match facts.nonpositive_diagonal(A) {
        None => (format!("{} with a positive diagonal", symmetric::<S>()), Method::Cholesky, Method::CG),
        Some(row) => {
            let seen = format!("{}, but not positive definite: see the diagonal in row {}", symmetric::<S>(), row + 1);
            (seen, Method::Lu, Krylov::Minres.into())
        }
    };
    match elimination.filter(|elimination| elimination.price(direct, A) == Price::Cheap) {
        Some(elimination) => (direct, format!("{seen}, and {}", elimination.words(direct, A))),
        None => (iterative, seen),
    }
}

/// Elimination where the matrix is small or where that is cheap, else BiCGSTAB or GMRES.
fn not_self_adjoint<S: Scalar>(
    (A, facts): (MatrixRef<'_, S>, &Facts),
    elimination: Option<&Elimination>,
    free: impl FnOnce() -> Option<usize>,
) -> Result<(Method, String)> {
    let seen = format!("not {}", symmetric::<S>());
    if let Some(elimination) = elimination {
        if A.rows() <= SMALL {
            return Ok((Method::Dense, format!("{seen}, and small")));
        }
        if elimination.price(Method::Lu, A) == Price::Cheap {
            return Ok((Method::Lu, format!("{seen}, and {}", elimination.words(Method::Lu, A))));
        }
    }
    let dominant = facts.dominant_rows(A)?;
    Ok(general::<S>(A.rows(), dominant, free()))
}

/// BiCGSTAB or GMRES for a matrix of which so many rows are diagonally dominant.
fn general<S: Scalar>(rows: usize, dominant: usize, free: Option<usize>) -> (Method, String) {
    let kept = Krylov::Gmres { restart: DIRECTIONS }.vectors() * rows * size_of::<S>();
    let bicgstab = Krylov::Bicgstab.into();
    if free.is_some_and(|free| kept > free / 2) {
        return (bicgstab, format!("general, and the {} of gmres's vectors would not fit well", Amount(kept)));
    }
    if dominant * 10 >= rows * 9 {
        return (bicgstab, "general and diagonally dominant, where a short recurrence does".into());
    }
    let share = 100 * dominant / rows.max(1);
    let reason = format!("general and diagonally dominant in only {share} % of its rows: residuals must not grow");
    (gmres(DIRECTIONS), reason)
}

/// GMRES with so many directions.
pub(super) fn gmres(restart: usize) -> Method {
    Krylov::Gmres { restart }.into()
}

/// Says what helps where single precision is at its end.
pub(super) fn advise_hybrid(report: &mut Report) {
    let at_its_end = report.outcome != Outcome::Interrupted && report.tolerance() < 1e-4;
    if let Some(advice) = report.advice.as_mut().filter(|_| at_its_end && report.method != Method::Lu) {
        *advice = format!(
            "single precision alone seldom reaches {:.0e}: use hybrid precision, which iterates in \
             single and judges in double precision; {advice}",
            report.rtol
        );
    }
}

/// What a method that was asked for demands of the matrix, as far as can be seen.
pub(super) fn require_suitable<S: Scalar>((A, facts): (MatrixRef<'_, S>, &Facts), method: Method) -> Result<()> {
    let Method::Krylov(krylov) = method else { return facts.require_entries(A) };
    if krylov.needs_hermitian() && !facts.is_nearly_self_adjoint(A) {
        let (complex, instead) = (S::KIND.is_complex(), "gmres, bicgstab or lu");
        return Err(Error::NotSelfAdjoint { method: method.to_string(), complex, instead });
    }
    match facts.nonpositive_diagonal(A).filter(|_| krylov.needs_positive_definite()) {
        Some(row) => {
            let value = shown(A.host()?.get(row, row).unwrap_or_else(S::zero));
            Err(Error::NotPositiveDefinite { method: method.to_string(), row, value })
        }
        None => Ok(()),
    }
}

/// A norm relative to that of b; as it is if b is zero.
pub(super) fn relative(norm: f64, rhs_norm: f64) -> f64 {
    if rhs_norm > 0.0 { norm / rhs_norm } else { norm }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_general_matrices_get_a_short_recurrence_where_it_does_or_must() {
        let picked = |dominant, free| {
            let (method, reason) = general::<f64>(100_000, dominant, free);
            (method.to_string(), reason)
        };
        assert_eq!(picked(100_000, None).0, "bicgstab");
        assert_eq!(picked(90_000, None).0, "bicgstab");
        let (method, reason) = picked(50_000, None);
        assert!(method == "gmres:30" && reason.contains("only 50 % of its rows"), "{reason}");
        let kept = Krylov::Gmres { restart: DIRECTIONS }.vectors() * 100_000 * 8;
        assert_eq!(picked(0, Some(2 * kept)).0, "gmres:30");
        let (method, reason) = picked(0, Some(2 * kept - 2));
        assert!(method == "bicgstab" && reason.contains("would not fit"), "{reason}");
    }
}
