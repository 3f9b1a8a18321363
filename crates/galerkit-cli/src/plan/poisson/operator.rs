//! The operator of the linear system: a matrix, or the problem applied cell by cell. What needs a matrix is refused
//! before a mesh is read.

use super::brought::Brought;
use crate::args::Poisson;
use anyhow::{Result, bail};
use galerkit::linalg::precond::Preconditioner;
use galerkit::{Choice, Krylov, Method, Precision, Preconditioning};

/// Whether there is a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// It is assembled.
    Assembled,
    /// There is none.
    MatrixFree,
}

impl Operator {
    /// As typed; without a matrix only what does without.
    pub fn new(arguments: &Poisson) -> Result<Self> {
        match arguments.operator.as_str() {
            "assembled" => return Ok(Self::Assembled),
            "matrix-free" => {}
            other => bail!("--operator {other}: it is assembled or matrix-free"),
        }
        let (method, precond) = (&arguments.method, &arguments.precond);
        match method.parse::<Choice<Method>>()? {
            Choice::Given(Method::Krylov(Krylov::Vpgcr { .. }) | Method::Lu | Method::Cholesky | Method::Dense) => {
                bail!(
                    "--method {method} needs a matrix: with --operator matrix-free it is cg, minres, gmres:M or another \
                 iterative method, or use --operator assembled"
                )
            }
            Choice::Given(Method::Krylov(_)) | Choice::Auto => {}
        }
        let named = match Brought::new(arguments)? {
            Some(_) => Choice::Auto,
            None => precond.parse::<Choice<Preconditioning>>()?,
        };
        match named {
            Choice::Auto
            | Choice::Given(Preconditioning::Named(
                Preconditioner::None | Preconditioner::Jacobi | Preconditioner::Chebyshev { .. },
            )) => {}
            Choice::Given(_) => bail!(
                "--precond {precond} needs a matrix: with --operator matrix-free it is none, jacobi, chebyshev:DEGREE, {} or {}, or use \
                 --operator assembled",
                Brought::MULTIGRID,
                Brought::ENTITIES
            ),
        }
        let precision = &arguments.machine.precision;
        if let Choice::Given(Precision::Single | Precision::Hybrid) = precision.parse()? {
            bail!("--precision {precision} needs a matrix: use --precision f64, or --operator assembled");
        }
        if arguments.condense {
            bail!("--condense needs a matrix: leave it out, or use --operator assembled");
        }
        Ok(Self::MatrixFree)
    }
}
