//! A Krylov method prepared for a matrix: ordered, converted, preconditioned, loaded and compiled once, then run for
//! one right-hand side after the other under the verified driver.

use super::Solver;
use super::facts::Facts;
use super::inner_solve::PreparedInner;
use super::input_order::InputOrder;
use super::machine::{Engine as Recorded, Machine};
use super::refill::Refill;
use super::routines::Routines;
use super::standing::Standing;
use super::strategy::Strategy;
use crate::choice::{Autotuning, Device};
use crate::error::Result;
use crate::layout::{Layout, Stored, Tuner};
use crate::matrix::MatrixRef;
use crate::precision::is_single;
use crate::preconditioning::{Chosen, held, release};
use crate::report::traffic::Traffic;
use crate::report::{MultigridReport, Report};
use crate::stages::{Stage, Stages};
use crate::triangular::request::Request;
use crate::triangular::setup::{Setup, set_up};
use crate::uploaded::Uploaded;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_cuda::tune::{Candidate, Plan};
use galerkit_cuda::{Cuda, Settings};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident};
use galerkit_linalg::krylov::{Krylov, Stop, frobenius_norm};
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Format, Permutation};
use std::sync::Arc;

mod account;
mod concluded;
mod criteria;
mod driven;
mod in_place;
mod loading;
mod machinery;
mod of_map;
mod rhs;
mod run;
mod start;

use concluded::Concluded;
use criteria::stopping;
pub(super) use driven::Driven;
use loading::{Loading, bring, offer};
use machinery::Needed;
pub use start::Start;

/// A prepared method.
pub(crate) struct Iterative<S: Scalar> {
    pub(super) engine: Recorded<S>,
    pub(super) A: Resident<Recorded<S>>,
    /// What the method is preconditioned by.
    pub(super) M: Prepared<S>,
    pub(super) name: Preconditioner,
    /// The same where it stays loaded.
    pub(super) standing: Option<Standing<S>>,
    pub(super) refill: Option<Refill<S>>,
    pub(super) inner_solve: Option<PreparedInner<S>>,
    pub(super) method: Krylov,
    pub(super) b: Held<Vector>,
    pub(super) x: Held<Vector>,
    compiled: Option<Routines>,
    pub(super) order: Option<Permutation>,
    /// The order that the matrix was stored from: some formats sort rows after that.
    pub(super) stored_from: Option<Permutation>,
    /// Everything of a report that does not depend on b.
    report: Report,
    traffic: Option<Traffic>,
    measured: bool,
    /// The format that was chosen when it was prepared; none for an operator without entries.
    format: Option<Format>,
    /// Whether a GPU has converted to it.
    pub(super) stored_there: bool,
    tuned: Option<Plan>,
    /// Bytes of the maps, in the order they were loaded.
    map_bytes: Vec<usize>,
    /// Those of earlier solves.
    host_products: usize,
    frobenius: f64,
    explained: Option<(Option<u64>, String)>,
    concluded: Option<Concluded>,
    /// What the next report must account for.
    pending: Stages,
    /// b and x are in place times two to this power.
    power: i32,
    /// The same in the order of the input, where somebody has asked for them.
    input_order: Option<InputOrder>,
    /// Iterations of the first solve, where aggregates are used again for other values.
    first_count: Option<usize>,
    /// Whether a later solve took so many more that they should be made anew.
    pub(super) has_slowed: bool,
}

impl<S: Scalar> Iterative<S> {
    /// Orders, converts, preconditions and loads as the strategy says, with the solver's format, ordering and device.
    pub(super) fn prepare(
        solver: &Solver,
        strategy: &Strategy,
        (A, facts): (MatrixRef<'_, S>, &Facts),
        uploaded: Option<&Uploaded<S>>,
    ) -> Result<Self> {
        let mut stages = Stages::default();
        let gpu = match uploaded {
            Some(uploaded) => Some(uploaded.gpu.clone()),
            None => open(solver.device, &mut stages)?,
        };
        let tuner = gpu.as_ref().map(|gpu| Tuner::new(gpu.properties(), solver.autotuning));
        let Setup { layout, preconditioner, solves } =
            set_up(A, &request(solver, strategy), tuner, (gpu.as_ref(), uploaded, facts.found()), &mut stages)?;
        let held = held(&preconditioner.prepared);
        let multigrid = MultigridReport::of(&preconditioner.prepared);
        let (preconditioner, inner_solve) = match strategy.inner {
            Some(_) => {
                let none = Chosen { name: Preconditioner::None, prepared: Prepared::Identity, reason: String::new() };
                let prepare = || PreparedInner::prepare(strategy, &layout, preconditioner, solver.limit());
                (none, stages.time(Stage::Conversion, prepare)?)
            }
            None => (preconditioner, None),
        };
        let outer = strategy.outer;
        let size = (layout.stored.bytes(), layout.stored.rows());
        let traffic = (outer == Krylov::Cg).then(|| Traffic::of_cg(size, &preconditioner.prepared, solver.device));
        let mut report = Report {
            preconditioner: solves.variant_of(preconditioner.name, layout.ordering.value).into(),
            preconditioner_reason: preconditioner.reason,
            triangular: solves.way,
            triangular_reason: solves.reason,
            format: layout.format.value.into(),
            format_reason: layout.format.reason.clone(),
            ordering: layout.ordering.value,
            ordering_reason: layout.ordering.reason.clone(),
            precision_reason: strategy.reason.clone(),
            multigrid,
            ..Report::of_system::<S>((A.rows(), A.nnz()), outer.into(), 0.0)
        };
        if let Some(inner_solve) = &inner_solve {
            report.preconditioner = inner_solve.choice.into();
            report.preconditioner_reason = format!("an inner solve, with {}: {}", inner_solve.name, inner_solve.reason);
        }
        if strategy.inner_in_single {
            report.precision.inner = Some(<S::Single as Scalar>::KIND);
        }
        let name = preconditioner.name;
        let parts = Parts {
            M: preconditioner.prepared,
            name,
            inner_solve,
            method: outer,
            report,
            traffic,
            measured: solves.measured,
            held,
        };
        let mut made = Self::load(solver, gpu.as_ref(), layout, parts, &mut stages)?;
        made.frobenius = stages.time(Stage::Statistics, || facts.frobenius(A));
        made.pending = stages;
        Ok(made)
    }

    /// Brings matrix and vectors to where they are solved with.
    fn load(
        solver: &Solver,
        gpu: Option<&Arc<Gpu>>,
        layout: Layout<'_, S>,
        parts: Parts<S>,
        stages: &mut Stages,
    ) -> Result<Self> {
        let mut loading = Loading::begin(gpu);
        let Parts { mut M, name, mut inner_solve, method, mut report, traffic, measured, held } = parts;
        let rows = layout.stored.rows();
        let map_bytes: Vec<usize> = std::iter::once(layout.stored.bytes()).chain(M.map_bytes()).collect();
        let (on_gpu, mut tuned, format) = (layout.on_gpu(), layout.plan, layout.format.value);
        let inner = inner_solve.as_ref().map_or(0, |inner_solve| inner_solve.bytes(rows * size_of::<S>(), method));
        let (maps, vectors, freed) = (map_bytes.iter().sum::<usize>() + inner, M.vectors(), held + on_gpu);
        let tuning = tuned.as_ref().map(|plan| plan.first.tuning).unwrap_or_default();
        // Iterations with an inner solve are too long, and too unequal, to be repeated for a comparison.
        let tune = solver.autotuning == Autotuning::Timed && inner_solve.is_none();
        let settings = Settings { tuning, tune, ..Settings::default() };
        let needed = Needed { maps, vectors, rows, freed };
        let (executor, method, said) = needed.executor(solver, gpu, method, settings)?;
        report.method_reason = said.unwrap_or_default();
        let mut engine = Recorded::over(executor);
        let stored_there = matches!(layout.stored, Stored::Gpu(_));
        let A = bring(&mut engine, layout.stored);
        if let (Some(cuda), Some(plan)) = (engine.executor_mut().cuda_mut(), &mut tuned)
            && solver.autotuning == Autotuning::Timed
            && inner_solve.is_none()
        {
            loading.end(stages);
            stages.time(Stage::Tuning, || {
                offer(plan, cuda, A.map.name(), (layout.ordered.view(), layout.uploaded), solver.limit())
            })?;
            loading = Loading::begin(gpu);
        }
        let standing = Standing::load(&mut engine, &A, &mut M, Precision::Full);
        release(&mut M);
        if let Some(inner_solve) = &mut inner_solve {
            inner_solve.load(&mut engine, &A);
        }
        let made = Self {
            inner_solve,
            order: layout.order,
            stored_from: layout.stored_from,
            traffic,
            measured,
            format: Some(format),
            stored_there,
            tuned,
            map_bytes,
            ..Self::loaded(engine, A, (M, name, standing), method, report)
        };
        loading.end(stages);
        made.failure().map_or(Ok(made), Err)
    }

    /// A method whose operator and preconditioner are loaded, and nothing else is known.
    fn loaded(
        mut engine: Recorded<S>,
        A: Resident<Recorded<S>>,
        (M, name, standing): (Prepared<S>, Preconditioner, Option<Standing<S>>),
        method: Krylov,
        report: Report,
    ) -> Self {
        let (b, x) = (engine.zeros(report.rows, Precision::Full), engine.zeros(report.rows, Precision::Full));
        let (compiled, concluded, explained) = (None, None, None);
        let (order, stored_from, input_order) = (None, None, None);
        Self {
            engine,
            A,
            M,
            name,
            standing,
            refill: None,
            inner_solve: None,
            method,
            b,
            x,
            compiled,
            order,
            stored_from,
            report,
            traffic: None,
            measured: false,
            format: None,
            stored_there: false,
            tuned: None,
            map_bytes: Vec::new(),
            host_products: 0,
            frobenius: 0.0,
            explained,
            concluded,
            pending: Stages::default(),
            power: 0,
            input_order,
            first_count: None,
            has_slowed: false,
        }
    }

    /// What was recorded mentions maps that are no more.
    pub(super) fn forget_program(&mut self) {
        self.compiled = None;
    }

    /// Notes how many iterations a solve took: more than half as many again as the first, and two, are too many.
    pub(super) fn note_count(&mut self, iterations: usize) {
        let first = *self.first_count.get_or_insert(iterations);
        self.has_slowed |= iterations as f64 > 1.5 * first as f64 + 2.0;
    }

    /// The first error of the device.
    pub(super) fn failure(&self) -> Option<crate::Error> {
        self.engine.executor().cuda()?.failure().map(Into::into)
    }
    /// An error if the device has failed before.
    pub(crate) fn require_device(&self) -> Result<()> {
        let failed = self.engine.executor().cuda().and_then(Cuda::failure);
        failed.map_or(Ok(()), |error| Err(crate::Error::DeviceFailed(error)))
    }

    /// Bytes, seconds and norms are those of other values now.
    pub(super) fn note_values(&mut self, A: &Csr<S>) {
        self.frobenius = frobenius_norm(A);
    }
    /// ||A||_F
    pub(super) fn frobenius(&self) -> f64 {
        self.frobenius
    }
    /// Everything of a report that does not depend on b.
    pub(super) fn report_template(&self) -> Report {
        self.report.clone()
    }
    /// The criteria of a solve for ||b|| = 1.
    pub(super) fn stop(&self, solver: &Solver) -> Stop {
        stopping::<S>(solver, self.method, 1.0)
    }
    /// The format and the tuning that the matrix has where it is.
    pub(super) fn stored_as(&self) -> Option<(Format, Tuning)> {
        let model = self.format?;
        let Some(cuda) = self.engine.executor().cuda() else { return Some((model, Tuning::default())) };
        match cuda.taken().map(str::parse::<Candidate>) {
            Some(taken) => taken.ok().map(|taken| (taken.format, taken.tuning)),
            None => Some((model, self.loaded_with())),
        }
    }

    /// The tuning that other maps were loaded with.
    pub(super) fn loaded_with(&self) -> Tuning {
        self.tuned.as_ref().map(|plan| plan.first.tuning).unwrap_or_default()
    }

    /// What the engine has done so far.
    pub(crate) fn counters(&self) -> galerkit_linalg::engine::Counters {
        use galerkit_linalg::engine::Executor;
        self.engine.executor().counters()
    }
}

/// What is prepared before anything is loaded.
struct Parts<S: Scalar> {
    M: Prepared<S>,
    name: Preconditioner,
    inner_solve: Option<PreparedInner<S>>,
    method: Krylov,
    report: Report,
    traffic: Option<Traffic>,
    measured: bool,
    /// Bytes of a GPU that are free once everything is loaded.
    held: usize,
}

/// What the solver asks for, for the preconditioner of the method or of its inner solve.
fn request(solver: &Solver, strategy: &Strategy) -> Request {
    let (named, class) = match strategy.inner {
        Some(inner) => (inner.preconditioner, inner.class()),
        None => (strategy.preconditioner, Class::of(strategy.outer)),
    };
    let (triangular, ordering, format, device) = (solver.triangular, solver.ordering, solver.format, solver.device);
    let (variant, limit, near_null) = (strategy.variant, solver.limit(), solver.near_null.clone());
    let is_inner = strategy.inner.is_some();
    Request { named, variant, class, triangular, ordering, format, device, limit, is_inner, near_null }
}

/// The GPU of a device that is one.
fn open(device: Device, stages: &mut Stages) -> Result<Option<Arc<Gpu>>> {
    Ok(match device {
        Device::Cuda(number) => Some(stages.time(Stage::Device, || Gpu::open(number))?),
        Device::Cpu | Device::Reference => None,
    })
}
