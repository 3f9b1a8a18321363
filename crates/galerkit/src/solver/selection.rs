//! Method selection: which method suits the properties of a matrix, which comes after one that failed, what a method refuses, and how good an answer is.

use crate::choice::Method;
use crate::error::{Error, Result};
use crate::report::Report;
use galerkit_cuda::error::Amount;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Krylov, Outcome, frobenius_norm};
use galerkit_linalg::sparse::{Csr, definiteness_hints, symmetry};
use rayon::prelude::*;

/// Up to this order dense elimination costs nothing and pivots best.
const SMALL: usize = 200;
/// Up to this order the fill of a sparse factorisation is no concern.
const LITTLE_FILL: usize = 20_000;
/// Up to this order sparse elimination is still worth waiting for when nothing else has worked.
const LAST_RESORT: usize = 100_000;
/// Directions of GMRES at first, and when those were too few.
const DIRECTIONS: usize = 30;
const MORE_DIRECTIONS: usize = 100;
/// A matrix differs from its adjoint by rounding if it does by so many eps of its norm.
const ROUNDING: f64 = 1e3;

/// The method for a matrix, and why in one sentence; `free` gives the free memory of the device where it is known.
pub(super) fn choose<S: Scalar>(A: &Csr<S>, free: impl FnOnce() -> Option<usize>) -> Result<(Method, String)> {
    require_entries(A)?;
    let symmetric = if S::KIND.is_complex() { "Hermitian" } else { "symmetric" };
    if is_nearly_self_adjoint(A) {
        return Ok(match nonpositive_diagonal(A) {
            None => (Method::CG, format!("{symmetric} with a positive diagonal")),
            Some(row) => {
                let reason = format!("{symmetric}, but not positive definite: see the diagonal in row {}", row + 1);
                (Krylov::Minres.into(), reason)
            }
        });
    }
    if A.rows() <= SMALL {
        return Ok((Method::Dense, format!("not {symmetric}, and small")));
    }
    if A.rows() <= LITTLE_FILL {
        return Ok((Method::Lu, format!("not {symmetric}, and of at most {LITTLE_FILL} rows, where fill is little")));
    }
    let dominant = definiteness_hints(A)?.dominant_rows;
    Ok(general::<S>(A.rows(), dominant, free()))
}

/// BiCGSTAB or GMRES for a large matrix of which so many rows are diagonally dominant.
fn general<S: Scalar>(rows: usize, dominant: usize, free: Option<usize>) -> (Method, String) {
    let kept = Krylov::Gmres { restart: DIRECTIONS }.vectors() * rows * size_of::<S>();
    let bicgstab = Krylov::Bicgstab.into();
    if free.is_some_and(|free| kept > free / 2) {
        return (
            bicgstab,
            format!("large and general, and the {} of gmres's vectors would not fit well", Amount(kept)),
        );
    }
    if dominant * 10 >= rows * 9 {
        return (bicgstab, "large, general and diagonally dominant, where a short recurrence does".into());
    }
    let share = 100 * dominant / rows.max(1);
    let reason =
        format!("large, general and diagonally dominant in only {share} % of its rows: residuals must not grow");
    (gmres(DIRECTIONS), reason)
}

fn gmres(restart: usize) -> Method {
    Krylov::Gmres { restart }.into()
}

/// What to try after a method that failed on a matrix of this order.
pub(super) fn next(failed: Method, rows: usize) -> Option<Method> {
    match failed {
        Method::Krylov(Krylov::Cg) => Some(Krylov::Minres.into()),
        Method::Krylov(Krylov::Minres | Krylov::Bicgstab) => Some(gmres(DIRECTIONS)),
        Method::Krylov(Krylov::Gmres { restart }) if restart >= MORE_DIRECTIONS => {
            (rows <= LAST_RESORT).then_some(Method::Lu)
        }
        Method::Krylov(_) if rows <= LITTLE_FILL => Some(Method::Lu),
        Method::Krylov(_) => Some(gmres(MORE_DIRECTIONS)),
        Method::Lu | Method::Cholesky | Method::Dense => None,
    }
}

/// Whether another method may do better. Running out of iterations is what the user asked for, and a small residual that
/// is exact up to rounding is as good as any in this precision; a large one with a huge x is not.
pub(super) fn is_worth_a_change<S: Scalar>(outcome: Outcome, backward_error: f64, true_residual: f64) -> bool {
    match outcome {
        Outcome::Converged | Outcome::IterationLimit | Outcome::Interrupted => false,
        Outcome::Stagnated => backward_error > 64.0 * S::eps() || true_residual > S::eps().sqrt(),
        Outcome::NotPositiveDefinite | Outcome::PreconditionerNotPositiveDefinite => true,
        Outcome::Breakdown | Outcome::Diverged | Outcome::NonFinite => true,
    }
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
pub(super) fn require_suitable<S: Scalar>(A: &Csr<S>, method: Method) -> Result<()> {
    let Method::Krylov(krylov) = method else { return require_entries(A) };
    if krylov.needs_hermitian() && !is_nearly_self_adjoint(A) {
        let (complex, instead) = (S::KIND.is_complex(), "gmres, bicgstab or lu");
        return Err(Error::NotSelfAdjoint { method: method.to_string(), complex, instead });
    }
    match nonpositive_diagonal(A).filter(|_| krylov.needs_positive_definite()) {
        Some(row) => {
            let value = A.diagonal()[row].to_string();
            Err(Error::NotPositiveDefinite { method: method.to_string(), row, value })
        }
        None => Ok(()),
    }
}

/// A row without entries makes a matrix singular.
fn require_entries<S: Scalar>(A: &Csr<S>) -> Result<()> {
    (0..A.rows()).find(|&i| A.row_length(i) == 0).map_or(Ok(()), |row| Err(Error::EmptyRow { row }))
}

/// The first row whose diagonal entry shows that a matrix is not Hermitian positive definite.
fn nonpositive_diagonal<S: Scalar>(A: &Csr<S>) -> Option<usize> {
    A.diagonal().iter().position(|d| d.parts().0.is_nan() || d.parts().0 <= 0.0)
}

/// Whether A equals its conjugate transpose, exactly.
pub(super) fn is_self_adjoint<S: Scalar>(A: &Csr<S>) -> bool {
    symmetry(A).is_self_adjoint::<S>()
}

/// Whether A equals its conjugate transpose up to the rounding of an assembly: ||A - A^H|| <= 1000 eps ||A|| in the
/// Frobenius norm. Ends at the first rows of a matrix that is far from it.
fn is_nearly_self_adjoint<S: Scalar>(A: &Csr<S>) -> bool {
    if is_self_adjoint(A) {
        return true;
    }
    let limit = ROUNDING * S::eps() * frobenius_norm(A);
    let mut squares = 0.0;
    for i in 0..A.rows() {
        for (j, a) in A.row(i) {
            let (re, im) = (a - entry(A, j, i).conj()).parts();
            squares += (re / limit).powi(2) + (im / limit).powi(2);
        }
        if squares.is_nan() || squares > 1.0 {
            return false;
        }
    }
    true
}

/// The entry at (i, j), zero if it is not stored.
fn entry<S: Scalar>(A: &Csr<S>, i: usize, j: usize) -> S {
    let range = A.range(i);
    let place = A.col()[range.clone()].binary_search(&(j as u32));
    place.map_or(S::zero(), |k| A.val()[range.start + k])
}

/// Euclidean norm in double precision, scaled so that squares neither overflow nor vanish.
pub(super) fn norm<S: Scalar>(x: &[S]) -> f64 {
    let modulus = |value: &S| match value.parts() {
        (re, 0.0) => re.abs(), // the same bits, and hypot is slow
        (re, im) => re.hypot(im),
    };
    let largest = x.iter().map(modulus).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|value| (modulus(value) / largest).powi(2)).sum::<f64>().sqrt()
}

/// b - A x, products and sums in double precision whatever the scalar.
pub(super) fn residual<S: Scalar>(A: &Csr<S>, b: &[S], x: &[S]) -> Vec<S> {
    let row = |i: usize| {
        let (re, im) = A.row(i).fold(b[i].parts(), |(re, im), (j, a)| {
            let ((a, b), (c, d)) = (a.parts(), x[j].parts());
            (re - (a * c - b * d), im - (a * d + b * c))
        });
        S::from_parts(re, im)
    };
    (0..A.rows()).into_par_iter().map(row).collect()
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

    #[test]
    fn what_follows_a_failure_depends_on_the_size() {
        let chain = |first: Method, rows| {
            let methods = std::iter::successors(Some(first), |&failed| next(failed, rows));
            methods.map(|method| method.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(chain(Method::CG, 20_000), "cg minres gmres:30 lu");
        assert_eq!(chain(Method::CG, 100_000), "cg minres gmres:30 gmres:100 lu");
        assert_eq!(chain(Krylov::Bicgstab.into(), 100_001), "bicgstab gmres:30 gmres:100");
        assert_eq!(chain(Method::Dense, 10), "dense");
    }

    #[test]
    fn symmetry_is_seen_through_rounding() {
        let matrix = |above: f64| Csr::new(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, above, 1.0, 2.0]).unwrap();
        assert!(is_nearly_self_adjoint(&matrix(1.0)) && is_nearly_self_adjoint(&matrix(1.0 + 1e-14)));
        assert!(!is_nearly_self_adjoint(&matrix(1.0 + 1e-9)));
        assert!(!is_self_adjoint(&matrix(1.0 + 1e-14)));
        let lower = Csr::new(2, 2, vec![0, 1, 3], vec![0, 0, 1], vec![2.0, 1.0, 2.0]).unwrap();
        assert!(!is_nearly_self_adjoint(&lower));
    }

    #[test]
    fn rounding_is_no_reason_to_change() {
        assert!(!is_worth_a_change::<f64>(Outcome::Stagnated, 1e-15, 1e-10));
        assert!(is_worth_a_change::<f64>(Outcome::Stagnated, 1e-6, 1e-10));
        assert!(is_worth_a_change::<f64>(Outcome::Stagnated, 1e-15, 0.5), "x is huge: A may be singular");
        assert!(is_worth_a_change::<f64>(Outcome::Breakdown, 1e-15, 1e-10));
        assert!(!is_worth_a_change::<f64>(Outcome::IterationLimit, 1.0, 1.0));
    }
}
