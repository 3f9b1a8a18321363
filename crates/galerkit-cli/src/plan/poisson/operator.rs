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
    /// As typed; without a matrix only what does without. Nothing if the space may decide.
    pub fn new(arguments: &Poisson) -> Result<Option<Self>> {
        let is_single = arguments.machine.precision.parse::<Choice<Precision>>()? == Choice::Given(Precision::Single);
        match (arguments.operator.as_str(), needs_matrix(arguments)?) {
            ("auto", None) if is_single => Ok(Some(Self::Assembled)), // what auto prefers without a matrix is in double
            ("assembled", _) | ("auto", Some(_)) => Ok(Some(Self::Assembled)),
            ("auto", None) => Ok(None),
            ("matrix-free", None) => Ok(Some(Self::MatrixFree)),
            ("matrix-free", Some(problem)) => bail!("{problem}"),
            (other, _) => bail!("--operator {other}: it is auto, assembled or matrix-free"),
        }
    }
}

/// What was asked for and cannot do without a matrix, and the way out.
fn needs_matrix(arguments: &Poisson) -> Result<Option<String>> {
    let (method, precond) = (&arguments.method, &arguments.precond);
    let is_direct =
        |method| matches!(method, Method::Krylov(Krylov::Vpgcr { .. }) | Method::Lu | Method::Cholesky | Method::Dense);
    if let Choice::Given(given) = method.parse::<Choice<Method>>()?
        && is_direct(given)
    {
        return Ok(Some(format!(
            "--method {method} needs a matrix: with --operator matrix-free it is cg, minres, gmres:M or another \
             iterative method, or use --operator assembled"
        )));
    }
    let named = Brought::other(arguments)?;
    let does_without = matches!(
        named,
        Choice::Auto
            | Choice::Given(Preconditioning::Named(
                Preconditioner::None | Preconditioner::Jacobi | Preconditioner::Chebyshev { .. },
            ))
    );
    let precision = &arguments.machine.precision;
    let is_hybrid = precision.parse::<Choice<Precision>>()? == Choice::Given(Precision::Hybrid);
    Ok(match (does_without, is_hybrid, arguments.condense) {
        (false, ..) => Some(format!(
            "--precond {precond} needs a matrix: with --operator matrix-free it is none, jacobi, chebyshev:DEGREE, {} or {}, or use \
             --operator assembled",
            Brought::MULTIGRID,
            Brought::ENTITIES
        )),
        (_, true, _) => {
            Some(format!("--precision {precision} needs a matrix: use --precision f64 or f32, or --operator assembled"))
        }
        (.., true) => Some("--condense needs a matrix: leave it out, or use --operator assembled".into()),
        (true, false, false) => None,
    })
}
