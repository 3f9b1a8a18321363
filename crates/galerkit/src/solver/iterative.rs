//! A Krylov method under the verified driver: order, convert, precondition, iterate, and put x back in order.

use super::hybrid::Arrangement;
use super::inside::Inside;
use super::judgement::{norm, relative};
use super::memory::Room;
use super::{Solution, Solver};
use crate::choice::Device;
use crate::error::Result;
use crate::explain::{Explained, explain};
use crate::family::{character, is_cyclic};
use crate::layout::Tuner;
use crate::preconditioning::Chosen;
use crate::report::traffic::Traffic;
use crate::report::{InnerReport, Report};
use crate::triangular::arrange::{Arranged, Wish, arrange};
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::{Candidate, Choice, Origin, Plan};
use galerkit_cuda::{Cuda, Settings};
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::record::{Executor, Interpreter, MapId, Program};
use galerkit_linalg::engine::{Engine, Recorded, Resident};
use galerkit_linalg::krylov::{
    Krylov, Reference as RelativeTo, Stop, Verified, backward_error, frobenius_norm, verified,
};
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;
use std::time::Instant;

/// Solves as arranged from x = 0 or from a start, with the solver's format, ordering and device.
pub(super) fn solve<S: Scalar>(
    solver: &Solver,
    arrangement: &Arrangement,
    A: &Csr<S>,
    b: &[S],
    start: Option<&[S]>,
) -> Result<Solution<S>> {
    let begun = Instant::now();
    let (rhs_norm, method) = (norm(b), arrangement.outer);
    let stop = stopping::<S>(solver, method, rhs_norm);
    let gpu = open(solver.device)?;
    let tuner = gpu.as_ref().map(|gpu| Tuner { properties: gpu.properties(), measures: solver.tune, solves: false });
    let Arranged { layout, preconditioner, solves } = arrange(A, &wish(solver, arrangement), tuner, gpu.as_ref())?;
    let (preconditioner, inside) = match arrangement.inner {
        Some(_) => {
            let none = Chosen { name: Preconditioner::None, prepared: Prepared::Identity, reason: String::new() };
            (none, Inside::prepare(arrangement, &layout, preconditioner, solver.max_iterations)?)
        }
        None => (preconditioner, None),
    };
    let (ordered_b, start) = (layout.inward(b)?, start.map(|x| layout.inward(x)).transpose()?);
    let traffic =
        (method == Krylov::Cg).then(|| Traffic::of_cg(&layout.matrix, &preconditioner.prepared, solver.device));
    let mut report = Report {
        preconditioner: preconditioner.name.to_string(),
        preconditioner_reason: preconditioner.reason,
        triangular: solves.name,
        triangular_reason: solves.reason,
        format: layout.format.value.to_string(),
        format_reason: layout.format.reason.clone(),
        ordering: layout.ordering.value.to_string(),
        ordering_reason: layout.ordering.reason.clone(),
        precision_reason: arrangement.reason.clone(),
        ..Report::of_system(A, rhs_norm)
    };
    if let Some(inside) = &inside {
        report.preconditioner = arrangement.inner.map_or(String::new(), |inner| inner.to_string());
        report.preconditioner_reason = format!("an inner solve, with {}: {}", inside.name, inside.reason);
    }
    if arrangement.lowered {
        report.precision = format!("{}+{}", S::KIND.name(), <S::Low as Scalar>::KIND.name());
    }
    let order = layout.order;
    let A_ordered = Linear::Matrix(layout.matrix);
    let system = System { method, A: A_ordered, M: preconditioner.prepared, inside, b: ordered_b, start };
    let mut ran = match &gpu {
        Some(gpu) => {
            on_gpu(gpu, system, &stop, &Tuned { plan: layout.plan, A: &layout.ordered, measures: solver.tune })?
        }
        None if solver.device == Device::Reference => on_host(Reference, system, &stop),
        None => on_host(Cpu, system, &stop),
    };
    let x = std::mem::take(&mut ran.x);
    let x = match order {
        Some(order) => order.scatter(&x)?,
        None => x,
    };
    report.backward_error = backward_error(ran.verified.true_residual, frobenius_norm(A), norm(&x), rhs_norm);
    report.transfer_seconds = if matches!(solver.device, Device::Cuda(_)) { ran.transfer_seconds } else { 0.0 };
    report.setup_seconds = (begun.elapsed().as_secs_f64() - ran.seconds - report.transfer_seconds).max(0.0);
    fill(&mut report, ran, traffic, stop.exact);
    report.deterministic &= !solves.measured;
    Ok(Solution { x, report })
}

/// What the solver asks for, for the preconditioner of the method or of its inner solve.
fn wish(solver: &Solver, arrangement: &Arrangement) -> Wish {
    let (named, class) = match arrangement.inner {
        Some(inner) => (inner.preconditioner, inner.class()),
        None => (arrangement.preconditioner, Class::of(arrangement.outer)),
    };
    let (triangular, ordering, format, device) = (solver.triangular, solver.ordering, solver.format, solver.device);
    Wish { named, class, triangular, ordering, format, device }
}

/// Whether vectors are in single precision.
fn is_single<S: Scalar>() -> bool {
    size_of::<S>() == size_of::<S::Low>()
}

/// Puts what an engine gave back into the report.
fn fill<S: Scalar>(report: &mut Report, ran: Ran<S>, traffic: Option<Traffic>, exact_residual: usize) {
    let (found, rhs_norm) = (ran.verified, report.rhs_norm);
    let character = character(if is_single::<S>() { ran.method.in_single() } else { ran.method });
    report.method = ran.method.to_string();
    report.method_reason = ran.shortened.unwrap_or_default();
    report.vectors = character.vectors;
    // Fixed partitions and orders of summation; the tests of the engines hold them to that. What was measured just now
    // might have come out otherwise; from the cache it is the same every time.
    report.deterministic = !ran.choice.as_ref().is_some_and(|choice| choice.from == Origin::Measured);
    report.restarts = found.restarts;
    report.iterations = found.run.iterations;
    report.products = character.products * found.run.iterations;
    report.recursive_residual = relative(found.recursive_residual(), rhs_norm);
    report.history = found.run.history.iter().map(|&norm| relative(norm, rhs_norm)).collect();
    report.true_residual = relative(found.true_residual, rhs_norm);
    if let Some((format, reason)) = ran.choice.and_then(measured) {
        (report.format, report.format_reason) = (format, reason);
    }
    report.solve_seconds = ran.seconds;
    report.iteration_bytes = ran.explained.as_ref().and_then(|explained| explained.bytes);
    report.explanation = ran.explained.map(|explained| explained.text);
    report.bytes_moved = match traffic {
        Some(traffic) => {
            Some(traffic.with_matrix(ran.map_bytes).bytes(report.iterations, exact_residual, report.restarts))
        }
        None => report.iteration_bytes.map(|bytes| bytes * report.iterations as u64),
    };
    report.inner = ran.inner;
    if let (Some(bytes), Some(inner)) = (&mut report.bytes_moved, &report.inner) {
        *bytes += inner.iteration_bytes.unwrap_or(0) * inner.iterations as u64;
    }
    report.conclude(found.run.outcome);
}

/// The criteria; tolerances are relative to ||b||.
fn stopping<S: Scalar>(solver: &Solver, method: Krylov, rhs_norm: f64) -> Stop {
    // Replacing the residual of BiCGSTAB costs it its biorthogonality: up to 1.8 times the iterations on real matrices.
    let usual = if method == Krylov::Bicgstab { 0 } else { 50 };
    Stop {
        rtol: solver.rtol_for::<S>(),
        atol: solver.atol,
        limit: solver.max_iterations,
        exact: solver.exact_residual.unwrap_or(usual),
        reference: RelativeTo::Given(rhs_norm),
        observer: solver.observer.clone(),
        ..Stop::default()
    }
}

/// What an engine is given.
struct System<S: Scalar> {
    method: Krylov,
    A: Linear<S>,
    M: Prepared<S>,
    /// In place of M.
    inside: Option<Inside<S>>,
    b: Vec<S>,
    /// From where; none: from 0.
    start: Option<Vec<S>>,
}

/// What it gives back.
struct Ran<S> {
    /// With as many directions as were kept.
    method: Krylov,
    /// Says that they are fewer than asked for.
    shortened: Option<String>,
    x: Vec<S>,
    verified: Verified,
    inner: Option<InnerReport>,
    transfer_seconds: f64,
    seconds: f64,
    explained: Option<Explained>,
    choice: Option<Choice>,
    map_bytes: Option<usize>,
}

/// The format that measuring brought, and why.
fn measured(choice: Choice) -> Option<(String, String)> {
    let loss = choice.loss().filter(|_| choice.from == Origin::Measured)?;
    let candidate: Candidate = choice.taken.parse().ok()?;
    let reason = format!("{candidate} was taken; the model's pick is {:.0} % slower than the best", 100.0 * loss);
    Some((candidate.format.to_string(), reason))
}

/// The GPU of a device that is one.
fn open(device: Device) -> Result<Option<Arc<Gpu>>> {
    Ok(match device {
        Device::Cuda(number) => Some(Gpu::open(number)?),
        Device::Cpu | Device::Reference => None,
    })
}

/// Runs recorded on a backend of the host: fused, if it fuses.
fn on_host<S: Scalar, B: Backend<S>>(backend: B, system: System<S>, stop: &Stop) -> Ran<S> {
    let fuses = backend.fuses(); // otherwise there is nothing to explain
    let mut interpreter = Interpreter::new(backend);
    let maps: Vec<usize> = std::iter::once(system.A.bytes()).chain(system.M.map_bytes()).collect();
    let (mut ran, program) = run(&mut interpreter, system, stop, |executor, A| executor.load(A));
    ran.explained = fuses.then(|| explain(&program, &interpreter, &maps));
    ran
}

/// What the tuner plans for a matrix, and the matrix to build alternatives from.
struct Tuned<'a, S: Scalar> {
    plan: Option<Plan>,
    A: &'a Csr<S>,
    measures: bool,
}

/// Runs on a GPU, with the tuner's alternatives offered to the first loop.
fn on_gpu<S: Scalar>(gpu: &Arc<Gpu>, mut system: System<S>, stop: &Stop, tuned: &Tuned<'_, S>) -> Result<Ran<S>> {
    let (free, total) = gpu.free_memory()?;
    let (vector, is_single) = (size_of_val(&system.b[..]), is_single::<S>());
    let room = Room { maps: system.fixed_bytes(), vector, is_single, free, total };
    let shortened;
    (system.method, shortened) = room.shorten(system.method)?;
    let tuning = tuned.plan.as_ref().map(|plan| plan.first.tuning).unwrap_or_default();
    // Iterations with an inner solve are too long, and too unequal, to be repeated for a comparison.
    let measures = tuned.measures && system.inside.is_none();
    let settings = Settings { tuning, tune: measures, ..Settings::default() };
    let mut cuda = Cuda::new(gpu, settings)?;
    let loading = Instant::now();
    let matrix = cuda.load(Arc::new(std::mem::replace(&mut system.A, Linear::Diagonal(Vec::new()))));
    if measures {
        tuned.offer(&mut cuda, matrix, stop.limit)?;
    }
    let load_seconds = loading.elapsed().as_secs_f64();
    let (mut ran, _) = run(&mut cuda, system, stop, |_, _| matrix);
    ran.transfer_seconds += load_seconds;
    cuda.failure().map_or(Ok(()), Err)?;
    ran.shortened = shortened;
    ran.map_bytes = cuda.map(matrix).map(|map| map.bytes);
    ran.choice = tuned.plan.as_ref().map(|plan| plan.conclude(cuda.measured(), cuda.taken()));
    let choice = ran.choice.as_ref().map(Choice::to_string).unwrap_or_default();
    // The executor explains the first place of a cycle, whose bytes are not those of the others.
    let (first, cyclic) = if is_cyclic(ran.method) { ("the first iteration of a cycle: ", true) } else { ("", false) };
    ran.explained = cuda
        .explain()
        .map(|it| Explained { bytes: (!cyclic).then(|| it.bytes() as u64), text: format!("{first}{it}{choice}") });
    Ok(ran)
}

impl<S: Scalar> Tuned<'_, S> {
    /// Builds the alternatives that are worth timing in so many iterations and offers them for a loaded matrix. One that
    /// cannot be built is left out.
    fn offer(&self, cuda: &mut Cuda<S>, matrix: MapId, iterations: usize) -> Result<()> {
        let Some(plan) = self.plan.as_ref().filter(|_| self.measures) else { return Ok(()) };
        let gpu = cuda.gpu().clone();
        for candidate in plan.alternatives(self.A.rows(), iterations, &gpu)? {
            if let Ok(map) = candidate.build(&gpu, self.A) {
                cuda.offer(matrix, candidate.to_string(), map);
            }
        }
        Ok(())
    }
}

impl<S: Scalar> System<S> {
    /// Bytes of A and of all that the preconditioner keeps.
    fn fixed_bytes(&self) -> usize {
        let vector = size_of_val(&self.b[..]);
        let maps = self.A.bytes() + self.M.map_bytes().iter().sum::<usize>();
        let inside = self.inside.as_ref().map_or(0, |inside| inside.bytes(vector, self.method));
        maps + self.M.vectors() * vector + inside
    }
}

/// Loads the system into an executor, the matrix by `load`, and iterates; also the program of an iteration.
fn run<S: Scalar>(
    executor: &mut dyn Executor<S>,
    system: System<S>,
    stop: &Stop,
    load: impl FnOnce(&mut dyn Executor<S>, Arc<Linear<S>>) -> MapId,
) -> (Ran<S>, Program) {
    let loading = Instant::now();
    let A = Resident(load(executor, Arc::new(system.A)));
    let e = &mut Recorded::over(executor);
    let M = system.M.load(e, &A);
    let b = e.upload(&system.b);
    let mut x = match &system.start {
        Some(start) => e.upload(start),
        None => e.zeros_like(&b),
    };
    let mut load_seconds = loading.elapsed().as_secs_f64();
    let begun = Instant::now();
    let method = system.method;
    let (verified, inner, inner_seconds) = match system.inside {
        Some(inside) => {
            let told = inside.run(e, (method, stop), &A, &b, &mut x);
            let seconds = told.load_seconds;
            (told.verified.clone(), Some(told.report(e.program())), seconds)
        }
        None => {
            let found = verified(e, &|e, A, M, b, x, stop| method.run(e, A, M, b, x, stop), &A, &*M, &b, &mut x, stop);
            (found, None, 0.0)
        }
    };
    let seconds = begun.elapsed().as_secs_f64() - inner_seconds;
    load_seconds += inner_seconds;
    let downloading = Instant::now();
    let x = e.download(&x);
    let transfer_seconds = load_seconds + downloading.elapsed().as_secs_f64();
    let (shortened, explained, choice, map_bytes) = (None, None, None, None);
    let ran = Ran { method, shortened, x, verified, inner, transfer_seconds, seconds, explained, choice, map_bytes };
    (ran, e.program().clone())
}
