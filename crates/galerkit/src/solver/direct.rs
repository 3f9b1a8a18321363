//! Elimination through faer, followed by iterative refinement (Wilkinson 1963) while that still halves the residual.
//! An "iteration" of the report is one solve with the factors.

use super::facts::Facts;
use super::fits::require_factors;
use super::selection::relative;
use super::{Solution, Solver};
use crate::choice::Method;
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use crate::report::{Report, Storage};
use crate::stages::Stages;
use galerkit_direct::{Factor, Transposition, dense_lu, sparse_cholesky, sparse_lu};
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Outcome, backward_error, frobenius_norm, norm, residual};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::{Csr, Format};
use std::time::Instant;

/// Solves with the factors, the first included.
const MOST_SOLVES: usize = 4;
/// A backward error below so many units of rounding is as good as elimination gets.
const ROUNDING: f64 = 64.0;
/// Factors that amplify by one over so many units of rounding are those of a matrix that may be singular.
const NEARLY_SINGULAR: f64 = 0.1;
/// What to say then if the residual is still too large.
const ILL_CONDITIONED: &str = "x solves a system that differs from this one only by rounding, but the residual is above \
     the tolerance: the matrix is ill-conditioned or badly scaled; scale its rows, loosen the tolerance, or accept x by \
     its backward error";

/// Solves with factors of A, or of its transpose, which were computed just now or before.
pub(super) fn solve<S: Scalar>(
    solver: &Solver,
    (method, factor, transposition): (Method, &Factor<S>, Transposition),
    A: &Csr<S>,
    b: &[S],
    spent: &Stages,
) -> Result<Solution<S>> {
    let begun = Instant::now();
    let A = &*transposition.of(A);
    let tolerance = solver.threshold::<S>(norm(b));
    let refined = refine(|r| factor.solve_with(transposition, r), A, b, tolerance)?;
    Ok(concluded(solver, method, (A, b), refined, (begun.elapsed().as_secs_f64(), spent)))
}

/// An x found by elimination, with its report.
pub(super) fn concluded<S: Scalar>(
    solver: &Solver,
    method: Method,
    (A, b): (&Csr<S>, &[S]),
    refined: Refined<S>,
    (solve_seconds, spent): (f64, &Stages),
) -> Solution<S> {
    let rhs_norm = norm(b);
    let tolerance = solver.threshold::<S>(rhs_norm);
    let last = refined.norms[refined.norms.len() - 1];
    let backward_error = backward_error(last, frobenius_norm(A), norm(&refined.x), rhs_norm);
    let mut report = Report {
        format: if method == Method::Dense { Storage::Dense } else { Format::Csr.into() },
        format_reason: "elimination chooses its own storage".into(),
        ordering_reason: "elimination chooses its own order".into(),
        iterations: refined.norms.len() - 1,
        recursive_residual: relative(last, rhs_norm),
        true_residual: relative(last, rhs_norm),
        backward_error,
        history: refined.norms.iter().map(|&norm| relative(norm, rhs_norm)).collect(),
        solve_seconds,
        ..Report::of_system::<S>((A.rows(), A.nnz()), method, rhs_norm)
    };
    report.spend(spent);
    report.conclude(if !last.is_finite() {
        Outcome::NonFinite
    } else if last <= tolerance {
        Outcome::Converged
    } else {
        Outcome::Stagnated
    });
    if report.outcome == Outcome::Stagnated && backward_error <= ROUNDING * S::eps() {
        report.advice = Some(ILL_CONDITIONED.into());
    }
    Solution { x: refined.x, report }
}

/// Whether factors say that A is singular up to rounding: what they make of random signs is that much larger.
pub(super) fn is_nearly_singular<S: Scalar>(factor: &Factor<S>, frobenius: f64) -> Result<bool> {
    let mut random = Random::new(1);
    let signs: Vec<S> =
        (0..factor.rows()).map(|_| S::from_f64(if random.below(2) == 0 { 1.0 } else { -1.0 })).collect();
    let growth = frobenius * norm(&factor.solve(&signs)?) / norm(&signs);
    Ok(!growth.is_finite() || growth > NEARLY_SINGULAR / S::eps())
}

/// Factorises by the given elimination. Where A differs from its adjoint by rounding, Cholesky's factors are those of
/// its lower triangle, and refinement does the rest.
pub(super) fn factorise<S: Scalar>(method: Method, A: &Csr<S>, facts: &Facts) -> Result<Factor<S>> {
    require_factors(method, A)?;
    Ok(match method {
        Method::Dense => dense_lu(A)?,
        Method::Cholesky if facts.is_nearly_self_adjoint(MatrixRef::Rows(A)) => sparse_cholesky(A)?,
        Method::Cholesky => {
            let (method, complex) = ("Cholesky".into(), S::KIND.is_complex());
            return Err(Error::NotSelfAdjoint { method, complex, instead: "lu" });
        }
        _ => sparse_lu(A)?,
    })
}

/// The best x found, and the norms of b - A x for x = 0 and after each solve that was kept.
pub(super) struct Refined<S> {
    pub(super) x: Vec<S>,
    pub(super) norms: Vec<f64>,
}

/// x = A^-1 b, then x = x + A^-1 (b - A x) until the tolerance is met or a step does not halve the residual.
fn refine<S: Scalar>(
    solve: impl Fn(&[S]) -> galerkit_linalg::Result<Vec<S>>,
    A: &Csr<S>,
    b: &[S],
    tolerance: f64,
) -> Result<Refined<S>> {
    let mut x = vec![S::zero(); A.rows()];
    let mut r = b.to_vec();
    let mut norms = vec![norm(b)];
    while norms.len() <= MOST_SOLVES && (norms.len() == 1 || norms[norms.len() - 1] > tolerance) {
        let step = solve(&r)?;
        let next: Vec<S> = x.iter().zip(&step).map(|(&x, &d)| x + d).collect();
        r = residual(A, b, &next);
        let now = norm(&r);
        if norms.len() > 1 && now > norms[norms.len() - 1] / 2.0 {
            break;
        }
        x = next;
        norms.push(now);
    }
    Ok(Refined { x, norms })
}
