//! What came of a solve, in stable keys: the fields of [`Report`] are the keys of the JSON report.
//!
//! Residuals are relative: ||b - A x|| / ||b|| in the Euclidean norm. `rhs_norm` turns them back into absolute ones.

use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::sparse::Csr;
use serde::{Serialize, Serializer};
use std::fmt;

mod inner;
pub(crate) mod traffic;

pub use inner::InnerReport;

/// How a solve went.
#[derive(Clone, Debug, Serialize)]
#[must_use = "a report may say that the solve did not converge"]
pub struct Report {
    /// How it ended; in JSON by name, for example `converged` or `iteration_limit`.
    #[serde(serialize_with = "by_name")]
    pub outcome: Outcome,
    /// Whether the true residual meets the tolerance.
    pub converged: bool,
    /// `cg`, `gmres:30`, `lu` ...; with as many directions as were kept.
    pub method: String,
    /// Why this method.
    pub method_reason: String,
    /// What was tried, in this order; more than one only where a method was left to the program and failed, or where
    /// hybrid precision or Jacobi sweeps did.
    pub tried: Vec<Attempt>,
    /// `none`, `jacobi`, `block-jacobi:4`, `ssor:1.5` ...
    pub preconditioner: String,
    /// Why this preconditioner.
    pub preconditioner_reason: String,
    /// `exact` or `sweeps:2`: how the triangles of the preconditioner are solved with; `none` where it has none.
    pub triangular: String,
    /// Why so.
    pub triangular_reason: String,
    /// The storage format of the products.
    pub format: String,
    /// Why this format.
    pub format_reason: String,
    /// `natural` or `rcm`.
    pub ordering: String,
    /// Why this ordering.
    pub ordering_reason: String,
    /// `cpu`, `reference` or `cuda:0`.
    pub device: String,
    /// Why this device.
    pub device_reason: String,
    /// What an iteration is made of: passes over memory or kernels, what was fused in each, bytes; absent for elimination
    /// and for the reference, which fuses nothing.
    pub explanation: Option<String>,
    /// Bytes that a usual iteration must move, counted from what was fused; absent with the explanation.
    pub iteration_bytes: Option<u64>,
    /// `f32`, `f64`, `c32` or `c64`; `f64+f32` or `c64+c32` where the inner solves are in single precision.
    pub precision: String,
    /// Why this precision.
    pub precision_reason: String,
    /// What the inner solves have done, where the preconditioner is one.
    pub inner: Option<InnerReport>,
    /// Threads that took part.
    pub threads: usize,
    /// Whether the same input is known to give the same bits, whatever the number of threads: not shown for elimination.
    pub deterministic: bool,
    /// Rows of the matrix.
    pub rows: usize,
    /// Stored entries of the matrix.
    pub nnz: usize,
    /// The relative tolerance that was asked for.
    pub rtol: f64,
    /// The absolute tolerance that was asked for.
    pub atol: f64,
    /// Iterations done; 0 for elimination.
    pub iterations: usize,
    /// Products with A in these iterations, those of exact residuals, of inner solves and of the last check not counted.
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
    /// ||b - A x|| / (||A||_F ||x|| + ||b||)
    pub backward_error: f64,
    /// The watched norm relative to ||b||, before the first and after each iteration.
    pub history: Vec<f64>,
    /// Ordering, conversion, preconditioner, or factorisation.
    pub setup_seconds: f64,
    /// Copies to and from the GPU, and the compiling of kernels; 0 elsewhere.
    pub transfer_seconds: f64,
    /// Iterations with their final check, or triangular solves.
    pub solve_seconds: f64,
    /// Bytes that the iterations must move, counted (not measured); absent for elimination.
    pub bytes_moved: Option<u64>,
    /// Bytes per second of a STREAM triad on the same threads, if it was measured.
    pub triad_bandwidth: Option<f64>,
    /// `bytes_moved / solve_seconds` as a fraction of the triad, if it was measured.
    pub bandwidth_fraction: Option<f64>,
    /// Diagnosis and suggestion when it did not converge.
    pub advice: Option<String>,
}

/// One method that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// The method.
    pub method: String,
    /// The name of its outcome, or `failed` where it could not be run to an end.
    pub outcome: String,
    /// Iterations done.
    pub iterations: usize,
    /// ||b - A x|| / ||b|| of what it found; not a number (in JSON null) if it failed.
    pub true_residual: f64,
}

impl Attempt {
    /// What came of a method.
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            method: report.method.clone(),
            outcome: report.outcome.name().into(),
            iterations: report.iterations,
            true_residual: report.true_residual,
        }
    }

    /// What came of a method in hybrid precision, before it was left for double.
    pub(crate) fn hybrid(report: &Report) -> Self {
        Self { method: format!("hybrid {}", report.method), ..Self::of(report) }
    }

    /// The same, with how triangles were solved with.
    pub(crate) fn with(self, triangular: &str) -> Self {
        Self { method: format!("{} with {triangular}", self.method), ..self }
    }

    /// A method that could not be run to an end.
    pub(crate) fn failed(method: String) -> Self {
        Self { method, outcome: "failed".into(), iterations: 0, true_residual: f64::NAN }
    }

    /// The method and how it ended, for a sentence.
    fn words(&self) -> String {
        format!("{} {} after {} iterations", self.method, self.outcome.replace('_', " "), self.iterations)
    }
}

/// Outcomes go by name.
fn by_name<T: Serializer>(outcome: &Outcome, serializer: T) -> std::result::Result<T::Ok, T::Error> {
    serializer.serialize_str(outcome.name())
}

impl Report {
    /// What is known of a system before it is solved; the rest is filled in by the solver.
    pub(crate) fn of_system<S: Scalar>(A: &Csr<S>, rhs_norm: f64) -> Self {
        Self {
            outcome: Outcome::Interrupted,
            converged: false,
            method: String::new(),
            method_reason: String::new(),
            tried: Vec::new(),
            preconditioner: "none".into(),
            preconditioner_reason: String::new(),
            triangular: "none".into(),
            triangular_reason: String::new(),
            format: "csr".into(),
            format_reason: String::new(),
            ordering: "natural".into(),
            ordering_reason: String::new(),
            device: "cpu".into(),
            device_reason: String::new(),
            explanation: None,
            iteration_bytes: None,
            precision: S::KIND.name().into(),
            precision_reason: "that of the matrix".into(),
            inner: None,
            threads: 1,
            deterministic: false,
            rows: A.rows(),
            nnz: A.nnz(),
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
            solve_seconds: 0.0,
            bytes_moved: None,
            triad_bandwidth: None,
            bandwidth_fraction: None,
            advice: None,
        }
    }

    /// Sets the outcome and what follows from it.
    pub(crate) fn conclude(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        self.converged = outcome.converged();
        self.advice = (!self.converged).then(|| outcome.advice().into());
    }

    /// What was tried, this solve included.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        if self.tried.is_empty() { vec![Attempt::of(self)] } else { self.tried.clone() }
    }

    /// Puts a reason for the method before what is already said of it.
    pub(crate) fn reason_first(&mut self, reason: &str) {
        self.method_reason = match self.method_reason.is_empty() {
            true => reason.into(),
            false => format!("{reason}; {}", self.method_reason),
        };
    }

    /// The report if it converged, an error that carries it if not.
    pub fn converged_or_err(self) -> Result<Self> {
        if self.converged { Ok(self) } else { Err(Error::NotConverged(Box::new(self))) }
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

    /// The lines of the summary table: what, and how much.
    pub fn summary(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("outcome", self.outcome.name().replace('_', " ")),
            ("matrix", format!("{} rows, {} entries, {}", self.rows, self.nnz, self.precision)),
            ("method", self.method_line()),
            ("storage", format!("{}, {} ordering", self.format, self.ordering)),
            ("device", self.device_line()),
            ("true residual", format!("{:.3e} relative, {:.1e} asked", self.true_residual, self.tolerance())),
            ("backward error", format!("{:.3e}", self.backward_error)),
            ("time", format!("{:.3} s solve, {:.3} s set-up", self.solve_seconds, self.setup_seconds)),
        ];
        if let Some(inner) = &self.inner {
            lines.insert(3, ("inner solves", inner.line()));
        }
        if self.tried.len() > 1 {
            lines.insert(3, ("tried before", self.failures().join("; ")));
        }
        if let Some(bytes) = self.bytes_moved.filter(|_| self.solve_seconds > 0.0) {
            let rate = bytes as f64 / self.solve_seconds / 1e9;
            let fraction = self.bandwidth_fraction.map(|f| format!(", {f:.2} of a triad")).unwrap_or_default();
            lines.push(("memory", format!("{:.2} GB moved, {rate:.1} GB/s{fraction}", bytes as f64 / 1e9)));
        }
        if let Some(advice) = &self.advice {
            lines.push(("advice", advice.clone()));
        }
        lines
    }

    /// Whether the method is an iteration, and not elimination.
    pub fn is_iterative(&self) -> bool {
        self.vectors > 0
    }

    /// Whether triangles were solved with by Jacobi sweeps.
    pub fn has_swept(&self) -> bool {
        self.triangular.starts_with("sweeps")
    }

    /// The method with its preconditioner: `cg + jacobi`, `lu`, `cg + ilu0 (sweeps:2)` if sweeps are not in the name.
    pub fn method_name(&self) -> String {
        let hidden = self.has_swept() && !self.preconditioner.contains("-sweeps:");
        match self.is_iterative() {
            true if hidden => format!("{} + {} ({})", self.method, self.preconditioner, self.triangular),
            true => format!("{} + {}", self.method, self.preconditioner),
            false => self.method.clone(),
        }
    }

    /// The methods that failed before this one, and how.
    pub fn failures(&self) -> Vec<String> {
        let others = self.tried.iter().filter(|attempt| attempt.method != self.method);
        others.map(Attempt::words).collect()
    }

    fn method_line(&self) -> String {
        let restarts = match self.restarts {
            0 => String::new(),
            1 => ", 1 restart".into(),
            n => format!(", {n} restarts"),
        };
        match self.is_iterative() {
            true => format!("{}, {} iterations{restarts}", self.method_name(), self.iterations),
            false => self.method.clone(),
        }
    }

    fn device_line(&self) -> String {
        match self.threads {
            1 => format!("{}, 1 thread", self.device),
            n => format!("{}, {n} threads", self.device),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (what, value)) in self.summary().into_iter().enumerate() {
            write!(f, "{}{what:<15} {value}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}
