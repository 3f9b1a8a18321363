//! A factorisation of the matched matrix: rows in the order of a maximum-product matching and everything scaled, P R A
//! C y = P R b and x = C y ([`matching`](fn@matching)), where a name asks for it, or where a factorisation meets a zero
//! pivot as the matrix is. (LU gains nothing: faer pivots, and on the matrices of docs/solvers.md its residuals are as
//! small without.)
//!
//! The tolerance is that of the given system: what the scaled one has reached is judged by b - A x, and solved for
//! again with that residual while it is too large, to a tighter tolerance.

use super::matching::Matched;
use super::prepared::PreparedMatrix;
use super::rounds::Rounds;
use super::{Solution, Solver};
use crate::choice::{Choice, Preconditioning, Variant};
use crate::error::{Error, Result};
use galerkit_linalg::krylov::{Krylov, norm};
use galerkit_linalg::precond::{Preconditioner, Recipe};
use galerkit_linalg::sparse::matching;
use galerkit_linalg::{Error as LinalgError, Scalar};

impl Solver {
    /// Solves by a Krylov method; a factorisation that meets a zero pivot is tried once more after a matching.
    pub(super) fn solve_or_match<S: Scalar>(
        &self,
        method: Krylov,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let Some(name) = self.may_match(method)? else {
            return self.solve_swept_or_exactly(method, prepared, (b, start));
        };
        if prepared.matching().is_some_and(|matched| matched.name == name) {
            return self.solve_matched(method, prepared, (b, start));
        }
        if self.preconditioner.variant() == Some(Variant::Matched) {
            self.match_rows(prepared, name, "asked for".into())?;
            return self.solve_matched(method, prepared, (b, start));
        }
        match self.solve_swept_or_exactly(method, prepared, (b, start)) {
            Err(Error::Linalg(refused @ LinalgError::ZeroPivot { .. })) if !self.iterates => {
                let reason =
                    format!("of the matrix after a maximum-product matching with scaling; without it {refused}");
                self.match_rows(prepared, name, reason)?;
                self.solve_matched(method, prepared, (b, start)).map_err(|_| refused.into())
            }
            solved => solved,
        }
    }

    /// The preconditioner whose factors may be those of a matched matrix; an error where that was asked for and cannot
    /// be.
    fn may_match(&self, method: Krylov) -> Result<Option<Preconditioner>> {
        let (name, asked) = match self.preconditioner {
            Choice::Given(Preconditioning::Variant(name, Variant::Matched)) => (name, true),
            Choice::Given(Preconditioning::Named(name) | Preconditioning::Variant(name, Variant::Auto)) => {
                (name, false)
            }
            _ => return Ok(None),
        };
        match method.needs_hermitian() {
            true if asked => {
                let (preconditioner, method) = (self.preconditioner.to_string(), method.to_string());
                Err(Error::MatchedForHermitian { preconditioner, method })
            }
            true => Ok(None),
            false => Ok(name.recipe().filter(|recipe| !matches!(recipe, Recipe::Ic { .. })).map(|_| name)),
        }
    }

    /// Matches the rows, and prepares a system of what comes of them.
    fn match_rows<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        name: Preconditioner,
        reason: String,
    ) -> Result<()> {
        let A = prepared.A();
        let A = A.view().host()?;
        let (matching, scaled) = prepared.looked_at(|| {
            let matching = matching(A)?;
            matching.apply(A).map(|scaled| (matching, scaled))
        })?;
        prepared.keep_matched(Matched { matching, name, reason }, PreparedMatrix::owned(scaled));
        Ok(())
    }

    /// Solves the matched system, round after round.
    fn solve_matched<S: Scalar>(
        &self,
        method: Krylov,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let A = prepared.A();
        let A = A.view().host()?;
        let Some((matched, inside)) = prepared.matched() else { unreachable!("the rows were matched") };
        let tolerance = (self.rtol_for::<S>() * norm(b)).max(self.atol);
        let mut rounds = Rounds::new((A, b), start, tolerance);
        loop {
            let observer = self.observer.clone().map(|watcher| {
                watcher.after(rounds.x.clone(), matched.matching.columns().to_vec(), rounds.iterations())
            });
            let round = Self { rtol: Some(rounds.rtol), atol: 0.0, observer, ..self.clone() }
                .preconditioner(matched.name)
                .max_iterations(self.limit().saturating_sub(rounds.iterations()));
            inside.check(&round)?;
            let rhs = matched.matching.inward(&rounds.r)?;
            let solved = round.solve_swept_or_exactly(method, inside, (&rhs, None))?;
            if !rounds.take(&matched.matching.outward(&solved.x)?, solved.report) {
                break;
            }
        }
        let (x, mut report) = rounds.conclude()?;
        report.preconditioner = Preconditioning::Variant(matched.name, Variant::Matched).into();
        report.preconditioner_reason = matched.reason.clone();
        Ok(Solution { x, report })
    }
}
