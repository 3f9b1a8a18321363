//! Conjugate gradients under the verified driver: order, convert, precondition, iterate, and put x back in order.

use super::judgement::{norm, relative};
use super::{Solution, Solver};
use crate::device::with_engine;
use crate::error::Result;
use crate::layout::Layout;
use crate::report::Report;
use crate::report::traffic::Traffic;
use galerkit_linalg::engine::{Engine, Identity, Operator, Resident};
use galerkit_linalg::krylov::{Reference, Stop, Verified, backward_error, cg, frobenius_norm, verified};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;
use std::time::Instant;

/// Solves with the solver's preconditioner, format, ordering and device.
pub(super) fn solve<S: Scalar>(solver: &Solver, A: &Csr<S>, b: &[S]) -> Result<Solution<S>> {
    let begun = Instant::now();
    let rhs_norm = norm(b);
    let stop = stopping::<S>(solver, rhs_norm);
    let layout = Layout::new(A, solver.ordering, solver.format, solver.device)?;
    let M = solver.preconditioner.build(&layout.ordered)?;
    let ordered_b = layout.inward(b)?;
    let traffic = Traffic::of_cg(&layout.matrix, &layout.ordered, &solver.preconditioner, solver.device);
    let (ordering, format) = (&layout.ordering, &layout.format);
    let mut report = Report {
        preconditioner: solver.preconditioner.to_string(),
        format: format.value.to_string(),
        format_reason: format.reason.clone(),
        ordering: ordering.value.to_string(),
        ordering_reason: ordering.reason.clone(),
        ..Report::of_system(A, rhs_norm)
    };
    let order = layout.order;
    let system = System { A: Linear::Matrix(layout.matrix), M, b: ordered_b };
    let ran = with_engine!(solver.device, e => run(&mut e, system, &stop));
    let x = match order {
        Some(order) => order.scatter(&ran.x)?,
        None => ran.x,
    };
    let found = ran.verified;
    report.method = "cg".into();
    report.deterministic = true; // fixed partitions and orders of summation; the CPU backend's tests hold it to that
    report.restarts = found.restarts;
    report.iterations = found.run.iterations;
    report.recursive_residual = relative(found.recursive_residual(), rhs_norm);
    report.history = found.run.history.iter().map(|&norm| relative(norm, rhs_norm)).collect();
    report.true_residual = relative(found.true_residual, rhs_norm);
    report.backward_error = backward_error(found.true_residual, frobenius_norm(A), norm(&x), rhs_norm);
    report.bytes_moved = Some(traffic.bytes(found.run.iterations, solver.exact_residual, found.restarts));
    report.solve_seconds = ran.seconds;
    report.setup_seconds = (begun.elapsed().as_secs_f64() - ran.seconds).max(0.0);
    report.conclude(found.run.outcome);
    Ok(Solution { x, report })
}

/// The criteria; tolerances are relative to ||b||.
fn stopping<S: Scalar>(solver: &Solver, rhs_norm: f64) -> Stop {
    Stop {
        rtol: solver.rtol_for::<S>(),
        atol: solver.atol,
        limit: solver.max_iterations,
        exact: solver.exact_residual,
        reference: Reference::Given(rhs_norm),
        observer: solver.observer.clone(),
        ..Stop::default()
    }
}

/// What an engine is given.
struct System<S> {
    A: Linear<S>,
    M: Option<Linear<S>>,
    b: Vec<S>,
}

/// What it gives back.
struct Ran<S> {
    x: Vec<S>,
    verified: Verified,
    seconds: f64,
}

/// Loads the system into an engine and iterates.
fn run<E: Engine>(e: &mut E, system: System<E::Scalar>, stop: &Stop) -> Ran<E::Scalar> {
    let A = Resident::<E>(e.load(Arc::new(system.A)));
    let M: Box<dyn Operator<E>> = match system.M {
        Some(M) => Box::new(Resident::<E>(e.load(Arc::new(M)))),
        None => Box::new(Identity),
    };
    let b = e.upload(&system.b);
    let mut x = e.zeros_like(&b);
    let begun = Instant::now();
    let verified = verified(e, &cg, &A, &*M, &b, &mut x, stop);
    let seconds = begun.elapsed().as_secs_f64();
    Ran { x: e.download(&x), verified, seconds }
}
