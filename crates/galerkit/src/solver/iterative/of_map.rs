//! A method prepared for an operator that is a linear map: loaded as it is, with what preconditions it.

use super::super::Solver;
use super::super::computed::Compute;
use super::super::machine::Engine as Recorded;
use super::super::open_map::{OpenMap, OpenPreconditioner};
use super::super::open_precond::Conditioned;
use super::super::standing::Standing;
use super::loading::Loading;
use super::machinery::Needed;
use super::{Iterative, open};
use crate::error::Result;
use crate::preconditioning::Chosen;
use crate::report::traffic::Traffic;
use crate::report::{AppliedPreconditioner, Report, Storage};
use crate::stages::{Stage, Stages};
use galerkit_cuda::Settings;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Matrix;
use std::time::Instant;

impl<S: Scalar> Iterative<S> {
    /// Preconditions and loads with the solver's preconditioner and device.
    pub(in crate::solver) fn of_map(solver: &Solver, method: Krylov, A: &OpenMap<S>) -> Result<Self> {
        let mut stages = Stages::default();
        let gpu = open(solver.device, &mut stages)?;
        let conditioned = stages.time(Stage::Scaling, || A.precondition(solver, Class::of(method)))?;
        let loading = Loading::begin(gpu.as_ref());
        let needed = needed(A, &conditioned);
        let (executor, method, said) = needed.executor::<S>(solver, gpu.as_ref(), method, Settings::default())?;
        let report = Report { method_reason: said.unwrap_or_default(), ..report(A, method, &conditioned) };
        let mut engine = Recorded::over(executor);
        let loaded = engine.load(A.map.clone());
        let mut map_bytes = vec![A.map.traffic()];
        let (name, M, standing, traffic) = match conditioned {
            Conditioned::Chosen(chosen) => {
                let Chosen { name, prepared: mut M, .. } = *chosen;
                map_bytes.extend(M.map_bytes());
                let size = (A.map.traffic(), A.rows());
                let traffic = (method == Krylov::Cg).then(|| Traffic::of_cg(size, &M, solver.device));
                let standing = Standing::load(&mut engine, &loaded, &mut M, Precision::Full);
                (name, M, standing, traffic)
            }
            Conditioned::Brought(M) => {
                let brought = Standing::Brought(M.load(&mut engine, &loaded));
                (Preconditioner::None, Prepared::Identity, Some(brought), None)
            }
        };
        let made = Self { map_bytes, traffic, ..Self::loaded(engine, loaded, (M, name, standing), method, report) };
        loading.end(&mut stages);
        made.failure().map_or(Ok(Self { pending: stages, ..made }), Err)
    }
}

impl<S: Scalar> Iterative<S> {
    /// Lets `compute` change the values of the operator where they are.
    pub(in crate::solver) fn compute_values(&mut self, compute: Compute<'_, S>) -> Result<()> {
        self.require_device()?;
        compute(&mut self.engine, &mut self.A.values);
        self.failure().map_or(Ok(()), Err)
    }

    /// Takes another preconditioner; what was recorded with the old one is recorded anew.
    pub(in crate::solver) fn precondition_by(&mut self, M: &dyn OpenPreconditioner<S>) -> Result<()> {
        self.require_device()?;
        self.forget_program();
        self.standing = None; // its memory may be needed
        let begun = Instant::now();
        self.standing = Some(Standing::Brought(M.load(&mut self.engine, &self.A)));
        self.pending.add(Stage::Transfer, begun.elapsed().as_secs_f64());
        let (preconditioner, preconditioner_reason) = (AppliedPreconditioner::Brought(M.describe()), M.explain());
        (self.name, self.M) = (Preconditioner::None, Prepared::Identity);
        self.report.preconditioner = preconditioner;
        (self.report.preconditioner_reason, self.report.multigrid) = (preconditioner_reason, M.levels());
        self.failure().map_or(Ok(()), Err)
    }
}

/// What operator and preconditioner take where they are loaded.
fn needed<S: Scalar>(A: &OpenMap<S>, conditioned: &Conditioned<'_, S>) -> Needed {
    let (maps, vectors) = match conditioned {
        Conditioned::Chosen(chosen) => (chosen.prepared.map_bytes().iter().sum(), chosen.prepared.vectors()),
        Conditioned::Brought(M) => (M.bytes(), 0),
    };
    Needed { maps: A.map.bytes() + maps, vectors, rows: A.rows(), freed: 0 }
}

/// Everything of a report that does not depend on b.
fn report<S: Scalar>(A: &OpenMap<S>, method: Krylov, conditioned: &Conditioned<'_, S>) -> Report {
    let (preconditioner, reason, multigrid) = match conditioned {
        Conditioned::Chosen(chosen) => (chosen.name.into(), chosen.reason.clone(), None),
        Conditioned::Brought(M) => (AppliedPreconditioner::Brought(M.describe()), M.explain(), M.levels()),
    };
    let (format, nnz, format_reason) = match A.map.known::<Matrix<S>>() {
        Some(matrix) => (matrix.format().into(), matrix.nnz(), "an operator keeps its format".into()),
        None => (Storage::MatrixFree, 0, format!("{} is applied, not stored", A.map.name())),
    };
    Report {
        preconditioner,
        preconditioner_reason: reason,
        multigrid,
        format,
        format_reason,
        ordering_reason: "an operator keeps its order".into(),
        precision_reason: "that of the operator".into(),
        ..Report::of_system::<S>((A.rows(), nnz), method.into(), 0.0)
    }
}
