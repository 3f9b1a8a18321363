//! Solves whose right-hand side and answer stay where they are solved with.

use super::super::Solver;
use super::super::scaled::scaled;
use super::super::scaling::{power, times, times_power};
use super::{Iterative, Start};
use crate::error::Result;
use crate::precision::is_single;
use crate::report::Report;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;
use galerkit_linalg::krylov::norm;

impl<S: Scalar> Iterative<S> {
    /// Puts a right-hand side in place, brought near 1 where its squares would overflow or vanish, and the last answer
    /// with it.
    pub(crate) fn write_rhs(&mut self, b: &[S]) -> Result<()> {
        self.require_device()?;
        let power = power(b, is_single::<S>()).unwrap_or(0);
        let scaled = (power != 0).then(|| times_power(b, power));
        let b = scaled.as_deref().unwrap_or(b);
        match &self.order {
            Some(order) => self.engine.write(&mut self.b, &order.gather(b)?),
            None => self.engine.write(&mut self.b, b),
        }
        let change = power - std::mem::replace(&mut self.power, power);
        if change != 0 {
            let x = times_power(&self.engine.download(&self.x), change);
            self.engine.write(&mut self.x, &x);
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
        let x = if self.power == 0 { x } else { times_power(&x, -self.power) };
        self.failure().map_or(Ok(x), Err)
    }
    /// Solves for the b that is in place; b and x stay there.
    pub(crate) fn solve_in_place(&mut self, solver: &Solver, start: Start) -> Result<Report> {
        self.require_device()?;
        let rhs_norm = match self.compiled.as_ref() {
            Some(compiled) if !compiled.aims() => None,
            _ => Some(norm(&self.engine.download(&self.b))),
        };
        let scaled = (self.power != 0).then(|| scaled::<S>(solver, self.power));
        let solver = scaled.as_ref().unwrap_or(solver);
        let (verified, seconds) = self.run(solver, rhs_norm, start.into())?;
        self.failure().map_or(Ok(()), Err)?;
        let rhs_norm = verified.run.reference;
        let report = self.account(solver, verified, rhs_norm, seconds);
        Ok(Report { rhs_norm: times(report.rhs_norm, -self.power), ..report })
    }
}
