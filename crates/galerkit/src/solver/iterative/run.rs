//! A prepared method run for one right-hand side under the verified driver.

use super::super::machine::Engine as Recorded;
use super::super::routines::{Preconditioned, compile};
use super::super::{Solution, Solver};
use super::Iterative;
use super::criteria::stopping;
use super::driven::Driven;
use super::start::From;
use crate::error::Result;
use crate::stages::Stage;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Operator};
use galerkit_linalg::krylov::{Reference as RelativeTo, Verified, backward_error, norm, verify};
use std::time::Instant;

impl<S: Scalar> Iterative<S> {
    /// Solves from x = 0 or from a start.
    pub(in crate::solver) fn solve(&mut self, solver: &Solver, b: &[S], start: Option<&[S]>) -> Result<Solution<S>> {
        self.require_device()?;
        let begun = Instant::now();
        let (ordered_b, start) = match &self.order {
            Some(order) => (Some(order.gather(b)?), start.map(|x| order.gather(x)).transpose()?),
            None => (None, start.map(<[S]>::to_vec)),
        };
        self.engine.write(&mut self.b, ordered_b.as_deref().unwrap_or(b));
        self.power = solver.power;
        let uploaded = begun.elapsed().as_secs_f64();
        let from = start.as_deref().map_or(From::Zero, From::Given);
        let rhs_norm = norm(b);
        let (verified, seconds) = self.run(solver, Some(rhs_norm), from)?;
        let downloading = Instant::now();
        let x = self.engine.download(&self.x);
        let x = match &self.order {
            Some(order) => order.scatter(&x)?,
            None => x,
        };
        self.pending.add(Stage::Transfer, uploaded + downloading.elapsed().as_secs_f64());
        self.failure().map_or(Ok(()), Err)?;
        let mut report = self.account(solver, verified, rhs_norm, seconds);
        self.note_count(report.iterations);
        report.backward_error =
            backward_error(report.true_residual * report.rhs_norm, self.frobenius, norm(&x), report.rhs_norm);
        Ok(Solution { x, report })
    }

    /// Solves for the b that is in place, from x = 0 or from a start; and the seconds that it took. ||b||, where it is
    /// not given, is computed where b is: nobody waits for it.
    pub(super) fn run(
        &mut self,
        solver: &Solver,
        rhs_norm: Option<f64>,
        start: From<'_, S>,
    ) -> Result<(Verified, f64)> {
        let mut stop = stopping::<S>(solver, self.method, rhs_norm.unwrap_or(0.0));
        let loading = Instant::now();
        if self.compiled.as_ref().is_none_or(|compiled| !compiled.serves(&stop)) {
            // What was recorded for another b goes first: it may hold as much memory as its successor needs.
            self.compiled = None;
            let loaded = self.standing.as_ref().map(|M| M as &dyn Operator<Recorded<S>>);
            let parts = Preconditioned { M: &self.M, loaded, inner_solve: self.inner_solve.as_ref() };
            self.compiled = Some(compile(&mut self.engine, self.method, &self.A, parts, (&self.b, &mut self.x), &stop));
        }
        let compiled = self.compiled.as_ref().expect("compiled a line above");
        self.pending.add(Stage::Compile, loading.elapsed().as_secs_f64());
        let begun = Instant::now();
        if let From::Given(start) = start {
            self.engine.write(&mut self.x, start);
        }
        let from_zero = matches!(start, From::Zero);
        if !from_zero {
            let _ = self.engine.run(&compiled.begin);
        }
        if rhs_norm.is_none() {
            let first = if from_zero { &compiled.solve_from_zero } else { &compiled.begin };
            stop.reference = RelativeTo::Scalar(first.scalars[0].slot());
        }
        if let Some(watcher) = &solver.observer {
            let (observer, viewer) = watcher.attach(self.x.name(), self.order.as_ref());
            stop.observer = Some(observer);
            self.engine.executor_mut().set_viewer(Some(viewer));
        }
        let mut driven = match from_zero {
            true => Driven::from_zero(&mut self.engine, compiled, rhs_norm, &mut self.x),
            false => Driven::new(&mut self.engine, compiled),
        };
        let verified = verify(&mut driven, S::eps(), &stop);
        self.engine.executor_mut().set_viewer(None);
        Ok((verified, begun.elapsed().as_secs_f64()))
    }
}
