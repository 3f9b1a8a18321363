//! What came of a solve, as a report.

use super::super::machine::Machine;
use super::super::{Solver, selection::relative};
use super::concluded::Concluded;
use super::criteria::stopping;
use super::{Iterative, is_single};
use crate::explain::{Explained, explain};
use crate::family::{is_cyclic, method_properties};
use crate::report::Report;
use galerkit_cuda::tune::Origin;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::Verified;

impl<S: Scalar> Iterative<S> {
    /// What the engine gave back, as a report.
    pub(super) fn account(&mut self, solver: &Solver, found: Verified, rhs_norm: f64, seconds: f64) -> Report {
        let stages = std::mem::take(&mut self.pending);
        let properties = method_properties(if is_single::<S>() { self.method.in_single() } else { self.method });
        self.conclude();
        let mut report = Report { solve_seconds: seconds, rhs_norm, ..self.report.clone() };
        match self.engine.executor().cuda() {
            Some(_) => report.spend_on_gpu(&stages),
            None => report.spend(&stages),
        }
        report.method = self.method.into();
        report.vectors = properties.vectors;
        // Fixed partitions and orders of summation; the tests of the engines hold them to that. What was measured just
        // now might have come out otherwise; from the cache it is the same every time.
        report.deterministic =
            !self.measured && self.concluded.as_ref().is_none_or(|it| it.choice.from != Origin::Measured);
        report.restarts = found.restarts;
        report.iterations = found.run.iterations;
        report.products = properties.products * found.run.iterations;
        report.recursive_residual = relative(found.recursive_residual(), rhs_norm);
        report.history = found.run.history.iter().map(|&norm| relative(norm, rhs_norm)).collect();
        report.true_residual = relative(found.true_residual, rhs_norm);
        if let Some((format, reason)) = self.concluded.as_ref().and_then(|it| it.measured.clone()) {
            (report.format, report.format_reason) = (format, reason);
        }
        self.explain();
        (report.iteration_bytes, report.explanation) =
            self.explained.clone().map_or((None, None), |(bytes, text)| (bytes, Some(text)));
        let exact = stopping::<S>(solver, self.method, rhs_norm).replacement;
        let read = self.engine.executor().cuda().and_then(|cuda| cuda.map(self.A.map.name())).map(|map| map.bytes);
        report.bytes_moved = match &self.traffic {
            Some(traffic) => Some(traffic.with_matrix(read).bytes(report.iterations, exact, report.restarts)),
            None => report.iteration_bytes.map(|bytes| bytes * report.iterations as u64),
        };
        report.inner = self.compiled.as_ref().and_then(|compiled| compiled.inner_report(&mut self.engine));
        if let (Some(bytes), Some(inner)) = (&mut report.bytes_moved, &report.inner) {
            *bytes += inner.iteration_bytes.unwrap_or(0) * inner.iterations as u64;
        }
        if let Some(cuda) = self.engine.executor().cuda() {
            let before = std::mem::replace(&mut self.host_products, cuda.host_products());
            report.host_products = self.host_products - before;
        }
        report.conclude(found.run.outcome);
        report
    }

    /// What the tuner has concluded; once, unless it has measured more since.
    fn conclude(&mut self) {
        let (Some(cuda), Some(plan)) = (self.engine.executor().cuda(), &self.tuned) else { return };
        if self.concluded.as_ref().is_none_or(|it| it.timed != cuda.measured().len()) {
            self.concluded = Some(Concluded::of(plan, cuda.measured(), cuda.taken()));
        }
    }

    /// What an iteration is made of; found out once.
    fn explain(&mut self) {
        if self.explained.is_some() {
            return;
        }
        let Some(body) = self.compiled.as_ref().and_then(|compiled| compiled.solve.loops().next()) else { return };
        let executor = self.engine.executor();
        let found = match (executor.cpu(), executor.cuda()) {
            (Some(executor), _) => Some(explain(body.0, executor, &self.map_bytes)),
            (None, None) => None, // the reference loops fuse nothing
            (None, Some(cuda)) => {
                let choice = self.concluded.as_ref().map(|it| it.choice.to_string()).unwrap_or_default();
                // The executor explains the first position of a cycle, whose bytes are not those of the others.
                let cyclic = is_cyclic(self.method);
                let first = if cyclic { "the first iteration of a cycle: " } else { "" };
                cuda.explain().map(|it| Explained {
                    bytes: (!cyclic).then(|| it.bytes() as u64),
                    text: format!("{first}{it}{choice}"),
                })
            }
        };
        self.explained = found.map(|explained| (explained.bytes, explained.text));
    }
}
