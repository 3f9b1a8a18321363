//! The strategy of a solve: which method is the inner solve of which, and in which precision.

use super::Solver;
use super::facts::Facts;
use super::selection::require_suitable;
use crate::choice::{Choice, Preconditioning, Variant};
use crate::error::{Error, Result};
use crate::inner::InnerSolve;
use crate::matrix::MatrixRef;
use crate::precision::{Precision, is_single};
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{InnerMethod, Krylov};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::program::Precision as Rounding;

/// The method around a hybrid solve's inner one. A step gains what the inner solve gains, so few directions do.
/// Flexible CG needed 2 to 40 % more inner iterations on positive definite matrices: it makes a solve more, after its
/// last step.
const OUTER: Krylov = Krylov::Vpgcr { restart: 8 };
/// A Krylov method that starts anew loses what it has learnt of the matrix: there should be as few inner solves as
/// single precision allows. Below this the residual of an inner solve is no longer a true one.
const REACHED: f64 = 2e-5;
/// What the tolerance of an inner solve has in reserve.
const RESERVE: f64 = 0.5;
/// Methods and precisions, as they will run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strategy {
    /// The method whose iterations are counted.
    pub(super) outer: Krylov,
    /// Its preconditioner, if there is no inner solve; none: the diagonal if it suits.
    pub(super) preconditioner: Option<Preconditioner>,
    /// How a factorisation is solved with, if not as its name says alone; of the inner solve where there is one.
    pub(super) variant: Option<Variant>,
    /// Its inner solve.
    pub(super) inner: Option<InnerSolve>,
    /// Whether the inner solve is in single precision.
    pub(super) inner_in_single: bool,
    /// Whether the last inner solve ends when the outer tolerance is met.
    pub(super) aims: bool,
    /// Why this precision.
    pub(super) reason: String,
}

impl Strategy {
    /// In the precision of the matrix: the method as it was asked for.
    pub(super) fn plain<S: Scalar>(solver: &Solver, method: Krylov, known: (MatrixRef<'_, S>, &Facts)) -> Result<Self> {
        let (preconditioner, inner) = match (solver.preconditioner, method) {
            (Choice::Given(Preconditioning::Inner(inner)), _) if !method.is_flexible() => {
                let (method, instead) = (method.to_string(), method.flexible().to_string());
                return Err(Error::NotFlexible { method, inner: inner.to_string(), instead });
            }
            (Choice::Given(Preconditioning::Inner(inner)), _) => (None, Some(inner)),
            (Choice::Given(Preconditioning::Named(name)), _) if name.varies() && !method.is_flexible() => {
                let (method, instead) = (method.to_string(), method.flexible().to_string());
                return Err(Error::NotFlexible { method, inner: name.to_string(), instead });
            }
            (Choice::Given(Preconditioning::Named(name @ Preconditioner::Amg(amg))), Krylov::Orthodir { .. })
                if amg.precision == Rounding::Single && !is_single::<S>() =>
            {
                let (method, instead) = (method.to_string(), method.flexible().to_string());
                return Err(Error::RoundsDirections { preconditioner: name.to_string(), method, instead });
            }
            (Choice::Auto, Krylov::Vpgcr { .. }) => (None, Some(InnerSolve::default())),
            (Choice::Given(Preconditioning::Named(name) | Preconditioning::Variant(name, _)), Krylov::Vpgcr { .. }) => {
                let sweeps = InnerSolve::new(InnerMethod::Richardson);
                (None, Some(InnerSolve { preconditioner: Some(name), ..sweeps }))
            }
            (Choice::Auto, _) => (None, None),
            (Choice::Given(Preconditioning::Named(name) | Preconditioning::Variant(name, _)), _) => (Some(name), None),
        };
        if let Some(krylov) = inner.and_then(|inner| inner.krylov()) {
            require_suitable(known, krylov.into())?;
        }
        let reason = match solver.precision {
            Choice::Given(Precision::Double | Precision::Single) => "that of the matrix".into(),
            Choice::Auto | Choice::Given(Precision::Hybrid) => String::new(),
        };
        let variant = solver.preconditioner.variant();
        Ok(Self { outer: method, preconditioner, variant, inner, inner_in_single: false, aims: false, reason })
    }

    /// The same with the inner solve in single precision; the method itself becomes the inner one where there is none.
    pub(super) fn with_inner_in_single(&self, method: Krylov, rtol: f64, reason: String) -> Result<Self> {
        if self.inner.is_some() {
            return Ok(Self { inner_in_single: true, reason, ..self.clone() });
        }
        let inner = InnerSolve {
            rtol: share(rtol),
            preconditioner: self.preconditioner,
            ..InnerSolve::new(InnerMethod::krylov(method)?)
        };
        Ok(Self {
            outer: OUTER,
            preconditioner: None,
            inner: Some(inner),
            inner_in_single: true,
            aims: true,
            reason,
            ..self.clone()
        })
    }
}

/// The tolerance of inner solves that together reach a tolerance: the root that single precision can reach, in two
/// digits.
fn share(rtol: f64) -> f64 {
    let solves = (rtol.ln() / REACHED.ln()).ceil().clamp(1.0, 10.0);
    let share = RESERVE * rtol.powf(1.0 / solves).clamp(REACHED, 0.1);
    format!("{share:.1e}").parse().unwrap_or(share)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn few_inner_solves_reach_a_tolerance_together() {
        let pairs =
            [(1e-4, 5e-5), (1e-8, 5e-5), (1e-10, 2.3e-4), (1e-12, 5e-5), (1e-14, 1.1e-5), (0.5, 0.05), (0.0, 1e-5)];
        for (rtol, expected) in pairs {
            assert_eq!(share(rtol), expected, "{rtol:e}");
        }
    }
}
