//! What came of a solve, in stable keys: the fields of [`Report`] are the keys of the JSON report.
//!
//! Residuals are relative: ||b - A x|| / ||b|| in the Euclidean norm. `rhs_norm` turns them back into absolute ones.

mod attempt;
mod attempts;
mod inner;
mod multigrid;
mod summary;
pub(crate) mod traffic;
mod values;

pub use attempt::Attempt;
pub use inner::InnerReport;
pub use multigrid::{LevelReport, MultigridReport};
pub use values::{AppliedPreconditioner, ScalarTypes, Storage};

use crate::choice::{Device, Method, Ordering, TriangularSolve};
use crate::stages::{Stage, Stages};
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Format;
use serde::Serialize;
use values::{displayed, displayed_or_none, outcome_name};

/// How a solve went.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
/// let report = Solver::new().method(Krylov::Cg).rtol(1e-6).solve(&A, &vec![1.0; A.rows()])?.report;
/// assert_eq!((report.method, report.device), (Method::CG, Device::Cpu));
/// assert!(report.true_residual <= report.tolerance() && report.is_iterative() && !report.has_swept());
/// assert_eq!(report.history.len(), report.iterations + 1);
/// assert_eq!(report.method_name(), "cg + jacobi");
/// assert!(report.failures().is_empty());
/// for (what, value) in report.summary() {
///     println!("{what}: {value}");
/// }
/// let mut report = report.converged_or_err()?;
/// report.relate_to_triad(1e10);
/// assert!(report.bandwidth_fraction.is_some());
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[must_use = "a report may say that the solve did not converge"]
pub struct Report {
    /// How it ended; in JSON by name, for example `converged` or `iteration_limit`.
    #[serde(serialize_with = "outcome_name")]
    pub outcome: Outcome,
    /// Whether the true residual meets the tolerance.
    pub converged: bool,
    /// `cg`, `gmres:30`, `lu` ...; with as many directions as were kept.
    #[serde(serialize_with = "displayed")]
    pub method: Method,
    /// Why this method.
    pub method_reason: String,
    /// What was tried, in this order; more than one only where a method was left to the program and failed, or where
    /// hybrid precision or Jacobi sweeps did.
    pub tried: Vec<Attempt>,
    /// `none`, `jacobi`, `block-jacobi:4`, `ilu0`, `ilu0:swept:2` ...: the variant that ran; or how one that was
    /// brought along describes itself.
    #[serde(serialize_with = "displayed")]
    pub preconditioner: AppliedPreconditioner,
    /// Why this preconditioner.
    pub preconditioner_reason: String,
    /// How the triangles of the preconditioner are solved with; none, in JSON `none`, where it has none.
    #[serde(serialize_with = "displayed_or_none")]
    pub triangular: Option<TriangularSolve>,
    /// Why so.
    pub triangular_reason: String,
    /// How the matrix was stored.
    #[serde(serialize_with = "displayed")]
    pub format: Storage,
    /// Why this format.
    pub format_reason: String,
    /// The order of rows and columns.
    #[serde(serialize_with = "displayed")]
    pub ordering: Ordering,
    /// Why this ordering.
    pub ordering_reason: String,
    /// What executed the solve.
    #[serde(serialize_with = "displayed")]
    pub device: Device,
    /// Why this device.
    pub device_reason: String,
    /// SpMVs that the host computed for a GPU, with maps that have no kernel source: each costs copies down and up.
    pub host_products: usize,
    /// What an iteration is made of: passes over memory or kernels, what was fused in each, bytes; absent for
    /// elimination and for the reference, which fuses nothing.
    pub explanation: Option<String>,
    /// Bytes that a usual iteration must move, counted from what was fused; absent with the explanation.
    pub iteration_bytes: Option<u64>,
    /// `f32`, `f64`, `c32` or `c64`; `f64+f32` or `c64+c32` where the inner solves are in single precision.
    #[serde(serialize_with = "displayed")]
    pub precision: ScalarTypes,
    /// Why this precision.
    pub precision_reason: String,
    /// What the inner solves have done, where the preconditioner is one.
    pub inner: Option<InnerReport>,
    /// The levels of multigrid, algebraic or by degrees, where that preconditions.
    pub multigrid: Option<MultigridReport>,
    /// Threads that took part.
    pub threads: usize,
    /// Whether the same input is known to give the same bits, whatever the number of threads: not shown for
    /// elimination, and false where a GPU has timed candidates in this solve; what it took is remembered, and repeats.
    pub deterministic: bool,
    /// Rows of the matrix.
    pub rows: usize,
    /// Stored entries of the matrix; 0 for an operator that has none.
    pub nnz: usize,
    /// The relative tolerance that was asked for.
    pub rtol: f64,
    /// The absolute tolerance that was asked for.
    pub atol: f64,
    /// Iterations done; 0 for elimination.
    pub iterations: usize,
    /// Products with A that the method makes in these iterations; those of its preconditioner, such as the smoothing of
    /// multigrid, of residual replacement, of inner solves and of the last check are not counted.
    pub products: usize,
    /// Vectors that the method keeps beside b and x; 0 for elimination.
    pub vectors: usize,
    /// How often the iteration was restarted from the true residual.
    pub restarts: usize,
    /// ||b||
    pub rhs_norm: f64,
    /// The residual that the recurrence carried to the end, relative to ||b||.
    pub recursive_residual: f64,
    /// ||b - A x|| / ||b||, computed anew from the final x.
    pub true_residual: f64,
    /// ||b - A x|| / (||A||_F ||x|| + ||b||); where A has no entries to be seen ||A||_F counts as 0, so that it is a bound.
    pub backward_error: f64,
    /// The watched norm relative to ||b||, before the first and after each iteration.
    pub history: Vec<f64>,
    /// Checks, ordering, conversion, preconditioner, or factorisation.
    pub setup_seconds: f64,
    /// Copies to and from the GPU, and the compiling of kernels; 0 elsewhere.
    pub transfer_seconds: f64,
    /// What these two were spent on, in JSON a list of `stage` and `seconds`.
    pub setup_stages: Stages,
    /// Iterations with their final check, or triangular solves.
    pub solve_seconds: f64,
    /// Dimension of the null space, where the matrix was found to be singular: x is then one solution of many, or a
    /// least-squares one. Elimination counts to 64, connected parts of a matrix whose rows sum to zero are all counted.
    pub null_space: Option<usize>,
    /// Bytes that the iterations must move, counted (not measured); absent for elimination.
    pub bytes_moved: Option<u64>,
    /// Bytes per second of a STREAM triad on the same threads, if it was measured.
    pub triad_bandwidth: Option<f64>,
    /// `bytes_moved / solve_seconds` as a fraction of the triad, if it was measured.
    pub bandwidth_fraction: Option<f64>,
    /// Diagnosis and suggestion when it did not converge.
    pub advice: Option<String>,
}

impl Report {
    /// What is known of a system before it is solved; the rest is filled in by the solver.
    pub(crate) fn of_system<S: Scalar>((rows, nnz): (usize, usize), method: Method, rhs_norm: f64) -> Self {
        Self {
            outcome: Outcome::Interrupted,
            converged: false,
            method,
            method_reason: String::new(),
            tried: Vec::new(),
            preconditioner: Preconditioner::None.into(),
            preconditioner_reason: String::new(),
            triangular: None,
            triangular_reason: String::new(),
            format: Format::Csr.into(),
            format_reason: String::new(),
            ordering: Ordering::Natural,
            ordering_reason: String::new(),
            device: Device::Cpu,
            device_reason: String::new(),
            host_products: 0,
            explanation: None,
            iteration_bytes: None,
            precision: S::KIND.into(),
            precision_reason: "that of the matrix".into(),
            inner: None,
            multigrid: None,
            threads: 1,
            deterministic: false,
            rows,
            nnz,
            rtol: 0.0,
            atol: 0.0,
            iterations: 0,
            products: 0,
            vectors: 0,
            restarts: 0,
            rhs_norm,
            recursive_residual: 0.0,
            true_residual: 0.0,
            backward_error: 0.0,
            history: Vec::new(),
            setup_seconds: 0.0,
            transfer_seconds: 0.0,
            setup_stages: Stages::default(),
            solve_seconds: 0.0,
            null_space: None,
            bytes_moved: None,
            triad_bandwidth: None,
            bandwidth_fraction: None,
            advice: None,
        }
    }

    /// That of a system of no unknowns, which is solved.
    pub(crate) fn without_unknowns<S: Scalar>() -> Self {
        let mut report = Self::of_system::<S>((0, 0), Method::CG, 0.0);
        report.conclude(Outcome::Converged);
        report.method_reason = "there are no unknowns".into();
        report
    }

    /// Sets the outcome and what follows from it.
    pub(crate) fn conclude(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        self.converged = outcome.converged();
        self.advice = (!self.converged).then(|| outcome.advice().into());
    }
    /// The same with a reason of its own.
    pub(crate) fn conclude_because(&mut self, outcome: Outcome, advice: &str) {
        self.conclude(outcome);
        self.advice = Some(advice.into());
    }

    /// Adds what a solve on the host has spent before its first iteration.
    pub(crate) fn spend(&mut self, stages: &Stages) {
        self.setup_seconds += stages.seconds();
        self.setup_stages.append(stages);
    }

    /// The same on a GPU, where copies and compiling are counted by themselves.
    pub(crate) fn spend_on_gpu(&mut self, stages: &Stages) {
        let transfer = stages.of(Stage::Transfer) + stages.of(Stage::Compile);
        self.setup_seconds += stages.seconds() - transfer;
        self.transfer_seconds += transfer;
        self.setup_stages.append(stages);
    }

    /// Adds a solve that was given up for this one.
    pub(crate) fn spend_on_attempt(&mut self, first: &Report) {
        self.setup_seconds += first.setup_seconds + first.solve_seconds;
        self.transfer_seconds += first.transfer_seconds;
        self.setup_stages.append(&first.setup_stages);
        self.setup_stages.add(Stage::Attempts, first.solve_seconds);
    }

    /// Puts a reason for the method before what is already said of it.
    pub(crate) fn reason_first(&mut self, reason: &str) {
        self.method_reason = match self.method_reason.is_empty() {
            true => reason.into(),
            false => format!("{reason}; {}", self.method_reason),
        };
    }

    /// The tolerance that the residual had to meet, relative to ||b||.
    pub fn tolerance(&self) -> f64 {
        if self.rhs_norm > 0.0 { self.rtol.max(self.atol / self.rhs_norm) } else { self.rtol }
    }

    /// Takes a measured triad, in bytes per second, and relates the solve to it.
    pub fn relate_to_triad(&mut self, triad: f64) {
        self.triad_bandwidth = Some(triad);
        self.bandwidth_fraction =
            self.bytes_moved.filter(|_| self.solve_seconds > 0.0).map(|b| b as f64 / self.solve_seconds / triad);
    }

    /// Whether the method is an iteration, and not elimination.
    pub fn is_iterative(&self) -> bool {
        self.method.krylov().is_some()
    }

    /// Whether triangles were solved with by Jacobi sweeps.
    pub fn has_swept(&self) -> bool {
        matches!(self.triangular, Some(TriangularSolve::Sweeps(_)))
    }

    /// The method with its preconditioner: `cg + jacobi`, `lu`, `cg + ilu0:swept:2`; sweeps of an inner solve in
    /// brackets.
    pub fn method_name(&self) -> String {
        let said = self.preconditioner.sweeps().is_some();
        let sweeps = self.triangular.filter(|_| self.has_swept() && !said);
        match (self.is_iterative(), sweeps) {
            (true, Some(sweeps)) => format!("{} + {} ({sweeps})", self.method, self.preconditioner),
            (true, None) => format!("{} + {}", self.method, self.preconditioner),
            (false, _) => self.method.to_string(),
        }
    }

    /// The methods that failed before this one, and how.
    pub fn failures(&self) -> Vec<String> {
        let method = self.method.to_string();
        let others = self.tried.iter().filter(|attempt| attempt.name() != method);
        others.map(Attempt::words).collect()
    }
}
