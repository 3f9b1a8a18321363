//! What the inner solves of a solve have done.

use super::values::{displayed, scalar_name};
use galerkit_cuda::error::Amount;
use galerkit_linalg::ScalarKind;
use galerkit_linalg::krylov::InnerMethod;
use galerkit_linalg::precond::Preconditioner;
use serde::Serialize;

/// The inner solves, all together.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
/// let solver = Solver::new().method(Krylov::Cg).precision(Precision::Hybrid);
/// let inner = solver.solve(&A, &vec![1.0; A.rows()])?.report.inner.expect("CG is the inner solve");
/// assert_eq!((inner.precision.name(), inner.discarded), ("f32", 0));
/// assert!(inner.bytes_fraction().is_none_or(|fraction| fraction < 0.8));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InnerReport {
    /// `richardson`, `increments`, `cg` ...
    #[serde(serialize_with = "displayed")]
    pub method: InnerMethod,
    /// The preconditioner of the inner method.
    #[serde(serialize_with = "displayed")]
    pub preconditioner: Preconditioner,
    /// `f32` or `c32` where the solve is hybrid, else that of the matrix.
    #[serde(serialize_with = "scalar_name")]
    pub precision: ScalarKind,
    /// The relative tolerance of each solve.
    pub rtol: f64,
    /// The most iterations of each solve.
    pub limit: usize,
    /// Solves.
    pub solves: usize,
    /// Iterations, over all solves.
    pub iterations: usize,
    /// Products with A in these iterations.
    pub products: usize,
    /// Solves that did not bring the residual down, or were not finite: the outer method took the residual instead.
    pub discarded: usize,
    /// Iterations of each solve, in order; of the last 16 if there were more, and empty where the outer method is GCR
    /// or FGMRES.
    pub per_solve: Vec<usize>,
    /// Vectors that the inner method keeps, its right-hand side and solution included.
    pub vectors: usize,
    /// Bytes that an inner iteration must move, counted from what can be fused.
    pub iteration_bytes: Option<u64>,
    /// Bytes that the same iteration would move in the precision of the matrix.
    pub full_iteration_bytes: Option<u64>,
}

impl InnerReport {
    /// The bytes of an inner iteration as a fraction of those in the precision of the matrix.
    pub fn bytes_fraction(&self) -> Option<f64> {
        let full = self.full_iteration_bytes.filter(|bytes| *bytes > 0)?;
        Some(self.iteration_bytes? as f64 / full as f64)
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Self { method, preconditioner, precision, iterations, solves, discarded, .. } = self;
        let bytes = match (self.iteration_bytes, self.bytes_fraction()) {
            (Some(bytes), Some(fraction)) if fraction < 1.0 => {
                format!("; {} an iteration, {fraction:.2} of those in double precision", Amount(bytes as usize))
            }
            _ => String::new(),
        };
        let lost = if *discarded > 0 { format!(", {discarded} discarded") } else { String::new() };
        let plural = if *solves == 1 { "" } else { "s" };
        format!(
            "{method} + {preconditioner} in {}, {iterations} iterations in {solves} solve{plural}{lost}{bytes}",
            precision.name()
        )
    }
}
