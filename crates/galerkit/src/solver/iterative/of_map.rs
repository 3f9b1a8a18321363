//! A method prepared for an operator that is a linear map: loaded as it is, with what preconditions it.

use super::super::Solver;
use super::super::machine::Engine as Recorded;
use super::super::open_map::OpenMap;
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
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Matrix;

impl<S: Scalar> Iterative<S> {
    /// Preconditions and loads with the solver's preconditioner and device.
    pub(in crate::solver) fn of_map(solver: &Solver, method: Krylov, A: &OpenMap<S>) -> Result<Self> {
        let mut stages = Stages::default();
        let gpu = open(solver.device, &mut stages)?;
        let conditioned = stages.time(Stage::Scaling, || A.precondition(solver, Class::of(method)))?;
        let (applied, reason) = match &conditioned {
            Conditioned::Chosen(chosen) => (chosen.name.into(), chosen.reason.clone()),
            Conditioned::Brought(M) => (AppliedPreconditioner::Brought(M.describe()), M.explain()),
        };
        let mut needed = Needed { maps: A.map.bytes(), vectors: 0, rows: A.rows(), freed: 0 };
        match &conditioned {
            Conditioned::Chosen(chosen) => {
                let M = &chosen.prepared;
                needed.maps += M.map_bytes().iter().sum::<usize>();
                needed.vectors += M.vectors();
            }
            Conditioned::Brought(M) => needed.maps += M.bytes(),
        }
        let loading = Loading::begin(gpu.as_ref());
        let (executor, method, said) = needed.executor::<S>(solver, gpu.as_ref(), method, Default::default())?;
        let mut engine = Recorded::over(executor);
        let loaded = engine.load(A.map.clone());
        let mut map_bytes = vec![A.map.traffic()];
        let (name, M, standing, is_counted) = match conditioned {
            Conditioned::Chosen(chosen) => {
                let Chosen { name, prepared: mut M, .. } = *chosen;
                map_bytes.extend(M.map_bytes());
                let standing = Standing::load(&mut engine, &loaded, &mut M, Precision::Full);
                (name, M, standing, true)
            }
            Conditioned::Brought(M) => {
                let brought = Standing::Brought(M.load(&mut engine, &loaded));
                (Preconditioner::None, Prepared::Identity, Some(brought), false)
            }
        };
        let traffic = (method == Krylov::Cg && is_counted)
            .then(|| Traffic::of_cg((A.map.traffic(), A.rows()), &M, solver.device));
        let (format, nnz, format_reason) = match A.map.known::<Matrix<S>>() {
            Some(matrix) => (matrix.format().into(), matrix.nnz(), "an operator keeps its format".into()),
            None => (Storage::MatrixFree, 0, format!("{} is applied, not stored", A.map.name())),
        };
        let report = Report {
            method_reason: said.unwrap_or_default(),
            preconditioner: applied,
            preconditioner_reason: reason,
            format,
            format_reason,
            ordering_reason: "an operator keeps its order".into(),
            precision_reason: "that of the operator".into(),
            ..Report::of_system::<S>((A.rows(), nnz), method.into(), 0.0)
        };
        let made = Self { map_bytes, traffic, ..Self::loaded(engine, loaded, (M, name, standing), method, report) };
        loading.end(&mut stages);
        made.failure().map_or(Ok(Self { pending: stages, ..made }), Err)
    }
}
