//! Values of a report that nothing else has a type for, and how values become JSON: by the names that people read.

use crate::choice::Preconditioning;
use galerkit_linalg::ScalarKind;
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::sparse::Format;
use serde::Serializer;
use std::fmt;

/// How a matrix was stored: `csr`, `sell:8:1` ..., or `dense`; `matrix-free` where it was not.
///
/// ```
/// use galerkit::linalg::sparse::Format;
/// use galerkit::report::Storage;
///
/// assert_eq!(Storage::from(Format::Csr).to_string(), "csr");
/// assert_eq!(Storage::Dense.to_string(), "dense");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In a sparse format.
    Sparse(Format),
    /// With all its zeros, for dense elimination.
    Dense,
    /// Not at all: an operator was applied.
    MatrixFree,
}

impl From<Format> for Storage {
    fn from(format: Format) -> Self {
        Storage::Sparse(format)
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Storage::Sparse(format) => format.fmt(f),
            Storage::Dense => f.write_str("dense"),
            Storage::MatrixFree => f.write_str("matrix-free"),
        }
    }
}

/// What a method was preconditioned by, by name.
///
/// ```
/// use galerkit::linalg::precond::Preconditioner;
/// use galerkit::report::AppliedPreconditioner;
///
/// assert_eq!(AppliedPreconditioner::from(Preconditioner::Jacobi).to_string(), "jacobi");
/// assert_eq!(AppliedPreconditioner::Brought("p-multigrid".into()).to_string(), "p-multigrid");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AppliedPreconditioner {
    /// One of those that a solver can be asked for.
    Chosen(Preconditioning),
    /// One that was brought along, as it describes itself.
    Brought(String),
}

impl AppliedPreconditioner {
    /// How many Jacobi sweeps its name says.
    pub(crate) fn sweeps(&self) -> Option<usize> {
        match self {
            AppliedPreconditioner::Chosen(choice) => choice.sweeps(),
            AppliedPreconditioner::Brought(_) => None,
        }
    }
}

impl<P: Into<Preconditioning>> From<P> for AppliedPreconditioner {
    fn from(choice: P) -> Self {
        AppliedPreconditioner::Chosen(choice.into())
    }
}

impl fmt::Display for AppliedPreconditioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppliedPreconditioner::Chosen(choice) => choice.fmt(f),
            AppliedPreconditioner::Brought(description) => f.write_str(description),
        }
    }
}

/// The scalars of a solve: `f32`, `f64`, `c32` or `c64`; `f64+f32` or `c64+c32` where the inner solves are in single
/// precision.
///
/// ```
/// use galerkit::linalg::ScalarKind;
/// use galerkit::report::ScalarTypes;
///
/// let hybrid = ScalarTypes { inner: Some(ScalarKind::F32), ..ScalarKind::F64.into() };
/// assert_eq!(hybrid.to_string(), "f64+f32");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarTypes {
    /// That of the matrix and of the answer.
    pub outer: ScalarKind,
    /// That of inner solves, where it is another.
    pub inner: Option<ScalarKind>,
}

impl From<ScalarKind> for ScalarTypes {
    fn from(outer: ScalarKind) -> Self {
        Self { outer, inner: None }
    }
}

impl fmt::Display for ScalarTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outer.name())?;
        self.inner.map_or(Ok(()), |inner| write!(f, "+{}", inner.name()))
    }
}

/// Outcomes go by name.
pub(super) fn outcome_name<T: Serializer>(outcome: &Outcome, serializer: T) -> Result<T::Ok, T::Error> {
    serializer.serialize_str(outcome.name())
}

/// Scalars go by name.
pub(super) fn scalar_name<T: Serializer>(kind: &ScalarKind, serializer: T) -> Result<T::Ok, T::Error> {
    serializer.serialize_str(kind.name())
}

/// Values go by what people read.
pub(super) fn displayed<V: fmt::Display, T: Serializer>(value: &V, serializer: T) -> Result<T::Ok, T::Error> {
    serializer.collect_str(value)
}

/// The same, or `none`.
pub(super) fn displayed_or_none<V, T>(value: &Option<V>, serializer: T) -> Result<T::Ok, T::Error>
where
    V: fmt::Display,
    T: Serializer,
{
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_str("none"),
    }
}
