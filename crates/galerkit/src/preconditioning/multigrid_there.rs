//! Algebraic multigrid of a matrix that is on a GPU, set up there: the hierarchy of the host, bit for bit. Where the GPU
//! cannot, somebody else preconditions, and the report says why.

use super::Chosen;
use crate::matrix::MatrixRef;
use crate::multigrid_choice::gpu::multigrid_pays_there;
use crate::precision::is_single;
use crate::uploaded::Uploaded;
use galerkit_cuda::Result;
use galerkit_cuda::convert::Facts;
use galerkit_linalg::Scalar;
use galerkit_linalg::multigrid::amg::{Amg, Kind, Relaxation};
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::program::Precision;

/// Asked for, or where nothing was and it pays, then in single precision. None where the host must do it: other kinds,
/// other smoothers, blocks, matrices that are not symmetric. An error is the GPU's.
pub(crate) fn multigrid_there<S: Scalar>(
    (named, class): (Option<Preconditioner>, Class),
    (A, there): (MatrixRef<'_, S>, &Uploaded<S>),
    facts: Option<&Facts>,
) -> Result<Option<Chosen<S>>> {
    let Some((amg, reason)) = asked((named, class), A, facts) else { return Ok(None) };
    let is_usual = amg.smoother == Relaxation::FourthKind && amg.lanczos.is_none();
    let is_plain = amg.kind == Kind::Smoothed && amg.block == 1 && is_usual;
    let is_symmetric = class == Class::PositiveDefinite || facts.is_some_and(|facts| facts.is_self_adjoint);
    if !is_plain || !is_symmetric {
        return Ok(None);
    }
    let prepared = Prepared::Amg(Box::new(there.multigrid(&amg)?));
    Ok(Some(Chosen { name: Preconditioner::Amg(amg), prepared, reason }))
}

fn asked<S: Scalar>(
    (named, class): (Option<Preconditioner>, Class),
    A: MatrixRef<'_, S>,
    facts: Option<&Facts>,
) -> Option<(Amg, String)> {
    match named {
        Some(Preconditioner::Amg(amg)) => Some((amg, "asked for; set up on the GPU".to_string())),
        None => {
            let precision = if is_single::<S>() { Precision::Full } else { Precision::Single };
            Some((Amg { precision, ..Amg::default() }, multigrid_pays_there(A, class, facts?)?))
        }
        Some(_) => None,
    }
}

impl<S: Scalar> Chosen<S> {
    /// The same, taken because the GPU could not set multigrid up.
    pub(crate) fn after(self, error: &galerkit_cuda::Error) -> Self {
        let by_host = matches!(self.name, Preconditioner::Amg(_));
        let instead = if by_host { "set up by the host" } else { "not multigrid, which would pay" };
        Self { reason: format!("{}; {instead}, because the GPU could not set it up: {error}", self.reason), ..self }
    }
}
