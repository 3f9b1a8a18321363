//! Factors that are kept between solves.

use super::super::{Solution, Solver, direct};
use super::{Factorised, PreparedMatrix};
use crate::choice::Method;
use crate::error::Result;
use crate::stages::{Stage, Stages};
use galerkit_direct::Transposition;
use galerkit_linalg::Scalar;

impl<S: Scalar> PreparedMatrix<'_, S> {
    /// The elimination whose factors are there, if one is.
    pub(in crate::solver) fn factorised(&self) -> Option<Method> {
        self.factors.last().map(|known| known.method)
    }

    /// Whether the factors of an elimination say that the matrix is singular up to rounding.
    pub(in crate::solver) fn is_nearly_singular(&mut self, method: Method) -> Result<bool> {
        let Some(known) = self.factors.iter_mut().find(|known| known.method == method) else { return Ok(false) };
        if known.is_nearly_singular.is_none() {
            let frobenius = self.facts.frobenius(self.A.view());
            known.is_nearly_singular = Some(direct::is_nearly_singular(&known.factor, frobenius)?);
        }
        Ok(known.is_nearly_singular == Some(true))
    }

    /// Solves by elimination, with A or its transpose.
    pub(in crate::solver) fn eliminate(
        &mut self,
        solver: &Solver,
        (method, transposition): (Method, Transposition),
        b: &[S],
    ) -> Result<Solution<S>> {
        self.make_rows()?;
        let mut spent = Stages::default();
        let A = self.A();
        let known = self.factors.iter().position(|known| known.method == method);
        let at = match known {
            Some(at) => at,
            None => {
                let made =
                    spent.time(Stage::Factorisation, || direct::factorise(method, A.view().host()?, &self.facts))?;
                self.factors.push(Factorised { method, factor: made, is_nearly_singular: None });
                self.factors.len() - 1
            }
        };
        direct::solve(solver, (method, &self.factors[at].factor, transposition), A.view().host()?, b, &spent)
    }
}
