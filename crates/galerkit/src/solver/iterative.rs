//! Conjugate gradients under the verified driver: order, convert, precondition, iterate, and put x back in order.

use super::judgement::{norm, relative};
use super::{Solution, Solver};
use crate::choice::Device;
use crate::error::Result;
use crate::explain::{Explained, explain};
use crate::layout::Layout;
use crate::report::Report;
use crate::report::traffic::Traffic;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Cuda, Settings};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded, Resident};
use galerkit_linalg::krylov::{Reference as RelativeTo, Stop, Verified, backward_error, cg, frobenius_norm, verified};
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
    let ran = execute(solver.device, system, &stop)?;
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
    report.transfer_seconds = if matches!(solver.device, Device::Cuda(_)) { ran.transfer_seconds } else { 0.0 };
    report.setup_seconds = (begun.elapsed().as_secs_f64() - ran.seconds - report.transfer_seconds).max(0.0);
    report.iteration_bytes = ran.explained.as_ref().map(|explained| explained.bytes as u64);
    report.explanation = ran.explained.map(|explained| explained.text);
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
        reference: RelativeTo::Given(rhs_norm),
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
    transfer_seconds: f64,
    seconds: f64,
    explained: Option<Explained>,
}

/// Runs on the engine of a device: recorded, and so fused, on CPU and GPU; at once for the oracle.
fn execute<S: Scalar>(device: Device, system: System<S>, stop: &Stop) -> Result<Ran<S>> {
    match device {
        Device::Cpu => {
            let mut engine = Recorded::new(Cpu);
            let maps: Vec<usize> = std::iter::once(&system.A).chain(&system.M).map(Linear::bytes).collect();
            let mut ran = run(&mut engine, system, stop);
            ran.explained = Some(explain(&engine, &maps));
            Ok(ran)
        }
        Device::Reference => Ok(run(&mut Immediate::new(Reference), system, stop)),
        Device::Cuda(number) => {
            let gpu = Gpu::open(number)?;
            gpu.require_memory("the system with the vectors of the method", system.bytes())?;
            let mut engine = Recorded::over(Cuda::new(&gpu, Settings::default())?);
            let mut ran = run(&mut engine, system, stop);
            engine.executor().failure().map_or(Ok(()), Err)?;
            let explanation = engine.executor().explain();
            ran.explained = explanation.map(|it| Explained { bytes: it.bytes(), text: it.to_string() });
            Ok(ran)
        }
    }
}

impl<S: Scalar> System<S> {
    /// Bytes on a device: both maps, and at most ten vectors.
    fn bytes(&self) -> usize {
        self.A.bytes() + self.M.as_ref().map_or(0, Linear::bytes) + 10 * size_of_val(&self.b[..])
    }
}

/// Loads the system into an engine and iterates.
fn run<E: Engine>(e: &mut E, system: System<E::Scalar>, stop: &Stop) -> Ran<E::Scalar> {
    let loading = Instant::now();
    let A = Resident::<E>(e.load(Arc::new(system.A)));
    let M: Box<dyn Operator<E>> = match system.M {
        Some(M) => Box::new(Resident::<E>(e.load(Arc::new(M)))),
        None => Box::new(Identity),
    };
    let b = e.upload(&system.b);
    let mut x = e.zeros_like(&b);
    let loaded = loading.elapsed().as_secs_f64();
    let begun = Instant::now();
    let verified = verified(e, &cg, &A, &*M, &b, &mut x, stop);
    let seconds = begun.elapsed().as_secs_f64();
    let downloading = Instant::now();
    let x = e.download(&x);
    let transfer_seconds = loaded + downloading.elapsed().as_secs_f64();
    Ran { x, verified, transfer_seconds, seconds, explained: None }
}
