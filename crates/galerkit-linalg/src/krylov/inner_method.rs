//! The method of an inner solve as a user names it: `jacobi`, `increments`, or a Krylov method.

use super::{Krylov, Run, Stop, increments, richardson};
use crate::engine::{Engine, Operator};
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A method that can run inside another one's iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InnerMethod {
    /// Sweeps x = x + M (b - A x) that stop by the residual.
    Richardson,
    /// The same sweeps, which stop by the increment.
    Increments,
    /// A Krylov method; see [`InnerMethod::krylov`].
    Krylov(Krylov),
}

const CANNOT: &str = "it has an inner solve of its own: choose gcr:M, the same method without one, or gmres:M, bicgstab, idr:S or, \
     for symmetric matrices, cg or minres";

impl InnerMethod {
    /// The names, with their parameters.
    pub const NAMES: &str = "jacobi, increments, richardson, cg, fcg, pipecg, minres, bicgstab, idr:S, gcr:M, orthodir:M, gmres:M, cbgmres:M, fgmres:M";

    /// A Krylov method as an inner one; refused if it cannot be.
    pub fn krylov(method: Krylov) -> Result<Self> {
        match method {
            Krylov::Vpgcr { .. } => {
                Err(Error::InvalidParameter { name: "inner method", value: method.to_string(), expected: CANNOT })
            }
            _ => Ok(InnerMethod::Krylov(method)),
        }
    }

    /// Solves A x = b from x; M approximates the inverse of A.
    #[rustfmt::skip]
    pub fn run<E: Engine>(self, e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
        match self {
            InnerMethod::Richardson => richardson(e, A, M, b, x, stop),
            InnerMethod::Increments => increments(e, A, M, b, x, stop),
            InnerMethod::Krylov(method) => method.run(e, A, M, b, x, stop),
        }
    }

    /// What the method is on vectors in single precision: see [`Krylov::in_single`].
    pub fn in_single(self) -> Self {
        match self {
            InnerMethod::Krylov(method) => InnerMethod::Krylov(method.in_single()),
            other => other,
        }
    }

    /// Vectors that the method keeps, beside b and x.
    pub fn vectors(self) -> usize {
        match self {
            InnerMethod::Richardson => 2,
            InnerMethod::Increments => 3,
            InnerMethod::Krylov(method) => method.vectors(),
        }
    }
}

impl fmt::Display for InnerMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InnerMethod::Richardson => f.write_str("richardson"),
            InnerMethod::Increments => f.write_str("increments"),
            InnerMethod::Krylov(method) => method.fmt(f),
        }
    }
}

impl FromStr for InnerMethod {
    type Err = Error;

    /// Reads a name; `jacobi` is `richardson`, which the diagonal preconditions unless something else is said.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "jacobi" | "richardson" => Ok(InnerMethod::Richardson),
            "increments" => Ok(InnerMethod::Increments),
            _ => Self::krylov(text.parse().map_err(|error| match error {
                Error::UnknownName { name, .. } => {
                    Error::UnknownName { what: "inner method", name, known: Self::NAMES.into() }
                }
                other => other,
            })?),
        }
    }
}
