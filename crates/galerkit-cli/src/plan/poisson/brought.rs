//! Preconditioners that are made of the problem, not of its matrix.

use crate::args::Poisson;
use anyhow::{Result, bail};
use galerkit::linalg::Error as LinalgError;
use galerkit::linalg::program::Precision as Of;
use galerkit::{Choice, Krylov, Method, Precision, Preconditioning};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// p-multigrid, its cycle in a precision.
    Multigrid(Of),
    /// Block Jacobi by mesh entity.
    Entities,
}

impl Brought {
    /// The name of multigrid.
    pub const MULTIGRID: &str = "multigrid[:single]";
    /// The name of block Jacobi by mesh entity.
    pub const ENTITIES: &str = "block-jacobi:entities";

    /// What was typed where it is none of them; one that nobody knows is refused with all names.
    pub fn other(arguments: &Poisson) -> Result<Choice<Preconditioning>> {
        if Self::new(arguments)?.is_some() {
            return Ok(Choice::Auto);
        }
        arguments.precond.parse().map_err(|error| match error {
            galerkit::Error::Linalg(LinalgError::UnknownName { what, name, known }) if what == "preconditioner" => {
                let known = format!("{known}, {}, {}", Self::MULTIGRID, Self::ENTITIES);
                LinalgError::UnknownName { what, name, known }.into()
            }
            other => anyhow::Error::new(other),
        })
    }

    /// As typed, if it is one of them; with what it can be combined with.
    pub fn new(arguments: &Poisson) -> Result<Option<Self>> {
        let name = &arguments.precond;
        let brought = match name.as_str() {
            "multigrid" => Self::Multigrid(Of::Full),
            "multigrid:single" => Self::Multigrid(Of::Single),
            Self::ENTITIES => Self::Entities,
            other if other.starts_with("multigrid") => bail!("--precond {other}: it is multigrid or multigrid:single"),
            _ => return Ok(None),
        };
        let method = &arguments.method;
        match method.parse::<Choice<Method>>()? {
            Choice::Given(Method::Krylov(Krylov::Vpgcr { .. }) | Method::Lu | Method::Cholesky | Method::Dense) => {
                bail!("--precond {name} needs an iterative method other than vpgcr: --method {method} does without")
            }
            Choice::Given(Method::Krylov(_)) | Choice::Auto => {}
        }
        let precision = &arguments.machine.precision;
        if let Choice::Given(Precision::Single | Precision::Hybrid) = precision.parse()? {
            bail!("--precond {name} needs --precision f64; multigrid:single smooths in single precision");
        }
        if arguments.condense {
            bail!("--precond {name} needs interior functions: leave --condense out");
        }
        Ok(Some(brought))
    }
}
