//! Hybrid precision: whether it pays, and what follows where it fails.
//!
//! In hybrid precision the method that was asked for becomes the inner one, with the matrix and its preconditioner
//! rounded to single precision; around it VPGCR in double precision takes what it finds as directions, so that the
//! answer is as good as any in double precision. If single precision does not get the residual down, the solve goes on
//! in double.

use super::prepared::PreparedMatrix;
use super::strategy::Strategy;
use super::{Solution, Solver};
use crate::choice::Choice;
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use crate::precision::{Precision, cache, is_single, require_values_in_range};
use crate::report::Attempt;
use galerkit_cuda::error::Amount;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Krylov, Outcome};

/// Tolerances from here on single precision often reaches alone.
const LOOSE: f64 = 1e-5;

/// Solves by a method, hybrid if that was asked for or pays.
pub(super) fn solve<S: Scalar>(
    solver: &Solver,
    method: Krylov,
    prepared: &mut PreparedMatrix<'_, S>,
    (b, start): (&[S], Option<&[S]>),
) -> Result<Solution<S>> {
    let given = prepared.A();
    let A = given.view();
    let plain = Strategy::plain(solver, method, (A, prepared.facts()))?;
    match prepared.looked_at(|| hybrid(solver, method, &plain, A))? {
        Ok(strategy) => match prepared.solve(solver, &strategy, b, start) {
            Err(Error::PreconditionerBeyondSingle { preconditioner }) if solver.precision == Choice::Auto => {
                let reason = format!("numbers of the preconditioner {preconditioner} overflow in single precision");
                prepared.solve(solver, &Strategy { reason, ..plain }, b, start)
            }
            Err(error) => Err(error),
            Ok(solution) if matches!(solution.report.outcome, Outcome::Converged | Outcome::Interrupted) => {
                Ok(solution)
            }
            Ok(solution) => fall_back(solver, plain, prepared, b, solution),
        },
        Err(reason) => prepared.solve(solver, &Strategy { reason, ..plain }, b, start),
    }
}

/// Goes on in double precision from the x that was reached.
fn fall_back<S: Scalar>(
    solver: &Solver,
    plain: Strategy,
    prepared: &mut PreparedMatrix<'_, S>,
    b: &[S],
    failed: Solution<S>,
) -> Result<Solution<S>> {
    let first = failed.report;
    let good = first.true_residual < 1.0 && failed.x.iter().all(|value| value.finite());
    let lost = first
        .inner
        .as_ref()
        .map_or(String::new(), |inner| format!(", {} of {} inner solves discarded", inner.discarded, inner.solves));
    let reason = format!(
        "hybrid precision was first and {} after {} iterations{lost}; double precision went on from x = {}",
        first.outcome.name().replace('_', " "),
        first.iterations,
        if good { "what it had reached" } else { "0" }
    );
    let start = good.then_some(&failed.x[..]);
    let done = first.inner.as_ref().map_or(0, |inner| inner.iterations);
    let spent = if plain.inner.is_some() { first.iterations } else { done };
    let rest = solver.clone().max_iterations(solver.limit().saturating_sub(spent));
    let mut solution = prepared.solve(&rest, &Strategy { reason, ..plain }, b, start)?;
    let report = &mut solution.report;
    report.tried = vec![Attempt::hybrid(&first), Attempt::of(report)];
    report.spend_on_attempt(&first);
    Ok(solution)
}

/// The hybrid strategy, or why there is none; what was asked for and cannot be is an error.
fn hybrid<S: Scalar>(
    solver: &Solver,
    method: Krylov,
    plain: &Strategy,
    A: MatrixRef<'_, S>,
) -> Result<std::result::Result<Strategy, String>> {
    Ok(match solver.precision {
        Choice::Given(Precision::Double | Precision::Single) => Err(plain.reason.clone()),
        Choice::Given(Precision::Hybrid) if is_single::<S>() => return Err(Error::NotDouble),
        Choice::Given(Precision::Hybrid) => {
            require_values_in_range(A)?;
            Ok(plain.with_inner_in_single(method, solver.rtol_for::<S>(), "asked for".into())?)
        }
        Choice::Auto => pays(solver, method, A).and_then(|reason| {
            plain
                .with_inner_in_single(method, solver.rtol_for::<S>(), reason)
                .map_err(|_| format!("{method} cannot be an inner method"))
        }),
    })
}

/// Why hybrid precision is worth it, or why not.
fn pays<S: Scalar>(solver: &Solver, method: Krylov, A: MatrixRef<'_, S>) -> std::result::Result<String, String> {
    if is_single::<S>() {
        return Err("that of the matrix".into());
    }
    // Measured to 1e-8: conjugate gradients take 1.1 to 2.1 times the iterations at 0.6 times the bytes, BiCGSTAB 1 to
    // 17.
    if !method.needs_positive_definite() && !matches!(method, Krylov::Vpgcr { .. }) {
        return Err(format!("{method} may take many more iterations in single precision"));
    }
    let rtol = solver.rtol_for::<S>();
    if rtol >= LOOSE {
        return Err(format!("a tolerance of {rtol:e} takes few iterations, of which single precision saves little"));
    }
    // Measured on an H200, 27 points, 160^3 and 220^3: 0.100 and 0.326 s, in double precision 0.090 and 0.298 s.
    if matches!(solver.device, crate::Device::Cuda(_)) && !matches!(method, Krylov::Vpgcr { .. }) {
        return Err("on a GPU the iterations that single precision adds cost more than its bytes save".into());
    }
    let (system, cache) = (Amount(A.bytes()), cache(solver.device));
    let Some(cache) = cache.filter(|cache| A.bytes() > *cache) else {
        return Err(match cache {
            Some(cache) => {
                format!("a matrix of {system} fits the cache of {}, where memory is no limit", Amount(cache))
            }
            None => "the reference is not there to be fast".into(),
        });
    };
    require_values_in_range(A).map_err(|error| error.to_string())?;
    Ok(format!(
        "a matrix of {system} does not fit the cache of {}: single precision moves about half the bytes",
        Amount(cache)
    ))
}
