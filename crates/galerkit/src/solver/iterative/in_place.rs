//! Solves whose right-hand side and answer stay where they are solved with.

use super::super::{Solver, selection::norm};
use super::{Iterative, Start};
use crate::error::Result;
use crate::report::Report;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;

impl<S: Scalar> Iterative<S> {
    /// Puts a right-hand side in place.
    pub(crate) fn write_rhs(&mut self, b: &[S]) -> Result<()> {
        self.require_device()?;
        match &self.order {
            Some(order) => self.engine.write(&mut self.b, &order.gather(b)?),
            None => self.engine.write(&mut self.b, b),
        }
        self.failure().map_or(Ok(()), Err)
    }
    /// The answer that is in place.
    pub(crate) fn solution(&mut self) -> Result<Vec<S>> {
        let x = self.engine.download(&self.x);
        let x = match &self.order {
            Some(order) => order.scatter(&x)?,
            None => x,
        };
        self.failure().map_or(Ok(x), Err)
    }
    /// Solves for the b that is in place; b and x stay there.
    pub(crate) fn solve_in_place(&mut self, solver: &Solver, start: Start) -> Result<Report> {
        self.require_device()?;
        let rhs_norm = match self.compiled.as_ref() {
            Some(compiled) if !compiled.aims() => None,
            _ => Some(norm(&self.engine.download(&self.b))),
        };
        let (verified, seconds) = self.run(solver, rhs_norm, start.into())?;
        self.failure().map_or(Ok(()), Err)?;
        let rhs_norm = verified.run.reference;
        Ok(self.account(solver, verified, rhs_norm, seconds))
    }
}
