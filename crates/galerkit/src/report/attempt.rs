//! One method that was tried.

use crate::choice::{Method, TriangularSolve};
use galerkit_linalg::krylov::Outcome;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// One method that was tried. In JSON `method` is its [`name`](Attempt::name), and `outcome` the name of the outcome,
/// or `failed`.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// let report = Solver::new().solve(&A, &vec![1.0; A.rows()])?.report;
/// assert_eq!(report.tried[0].method, Method::Cholesky);
/// assert_eq!(report.tried[0].name(), "cholesky");
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// Whether its inner solves were in single precision, before it was left for double.
    pub is_hybrid: bool,
    /// How triangles were solved with, where that was given up afterwards.
    pub triangular: Option<TriangularSolve>,
    /// How it ended; none if it could not be run to an end.
    pub outcome: Option<Outcome>,
    /// Iterations done.
    pub iterations: usize,
    /// ||b - A x|| / ||b|| of what it found; not a number (in JSON null) if it failed.
    pub true_residual: f64,
}

impl Attempt {
    /// With how triangles were solved with.
    pub(crate) fn with(self, triangular: Option<TriangularSolve>) -> Self {
        Self { triangular, ..self }
    }

    /// A method that could not be run to an end.
    pub(crate) fn failed(method: Method) -> Self {
        let (outcome, iterations, true_residual) = (None, 0, f64::NAN);
        Self { method, is_hybrid: false, triangular: None, outcome, iterations, true_residual }
    }

    /// The method with what was special about it: `cg`, `hybrid vpgcr:8`, `cg with sweeps:2`.
    pub fn name(&self) -> String {
        let hybrid = if self.is_hybrid { "hybrid " } else { "" };
        match self.triangular {
            Some(triangular) => format!("{hybrid}{} with {triangular}", self.method),
            None => format!("{hybrid}{}", self.method),
        }
    }

    /// The name of the outcome, or `failed`.
    pub fn outcome_name(&self) -> &'static str {
        self.outcome.map_or("failed", Outcome::name)
    }

    /// The method and how it ended, for a sentence.
    pub(super) fn words(&self) -> String {
        format!("{} {} after {} iterations", self.name(), self.outcome_name().replace('_', " "), self.iterations)
    }
}

impl Serialize for Attempt {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let mut fields = serializer.serialize_struct("Attempt", 4)?;
        fields.serialize_field("method", &self.name())?;
        fields.serialize_field("outcome", self.outcome_name())?;
        fields.serialize_field("iterations", &self.iterations)?;
        fields.serialize_field("true_residual", &self.true_residual)?;
        fields.end()
    }
}
