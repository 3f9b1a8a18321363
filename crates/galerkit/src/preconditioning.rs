//! The one place where a preconditioner is built ([`prepare`]): what a method demands of it, what is taken where none was named, and
//! who factorises: the GPU that solves, if there is one, otherwise the host.

use crate::error::{Error, Result};
use galerkit_cuda::factor;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// A preconditioner, ready to be loaded.
pub(crate) struct Chosen<S: Scalar> {
    /// Its name.
    pub(crate) name: Preconditioner,
    /// What it is made of.
    pub(crate) prepared: Prepared<S>,
    /// Why this one.
    pub(crate) reason: String,
}

/// The preconditioner of a method that demands this for A. One that was named and does not suit is an error; without one
/// it is the diagonal, if that suits.
pub(crate) fn precondition<S: Scalar>(
    named: Option<Preconditioner>,
    class: Class,
    A: &Csr<S>,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Chosen<S>> {
    let (name, prepared, reason) = match named {
        Some(name) => (name, prepare(name, A, class, gpu)?, "asked for"),
        None => match Preconditioner::Jacobi.prepare(A, class) {
            Ok(prepared) => (Preconditioner::Jacobi, prepared, "the diagonal suits the method"),
            Err(_) => (Preconditioner::None, Prepared::Identity, unsuited(class)),
        },
    };
    Ok(Chosen { name, prepared, reason: reason.into() })
}

/// A preconditioner by name, as a method demands it. Factors come from the GPU where one solves and has the room; they are
/// those of the host, bit for bit.
///
/// ```
/// use galerkit::linalg::precond::{Class, Preconditioner};
/// use galerkit::preconditioning::prepare;
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// let M = prepare(Preconditioner::Ic0 { shift: 0.0 }, &A, Class::PositiveDefinite, None)?;
/// assert!(!M.map_bytes().is_empty());
/// # Ok::<(), galerkit::Error>(())
/// ```
pub fn prepare<S: Scalar>(
    name: Preconditioner,
    A: &Csr<S>,
    class: Class,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Prepared<S>> {
    prepared(name, A, class, gpu)
}

per_scalar! {
    fn prepared<S>(name: Preconditioner, A: &Csr<S>, class: Class, gpu: Option<&Arc<Gpu>>) -> Result<Prepared<S>> = prepare_on;
}

fn prepare_on<S: Scalar>(
    name: Preconditioner,
    A: &Csr<S>,
    class: Class,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Prepared<S>> {
    match (name.recipe(), gpu) {
        (Some(recipe), Some(gpu)) => {
            let factors = match factor::factorise(gpu, A, recipe) {
                Err(galerkit_cuda::Error::OutOfMemory { .. }) => recipe.factorise(A)?,
                made => made.map_err(|error| error.into_linalg().map_or_else(Error::Cuda, Error::Linalg))?,
            };
            Ok(name.of_factors(factors, class)?)
        }
        _ => Ok(name.prepare(A, class)?),
    }
}

fn unsuited(class: Class) -> &'static str {
    match class {
        Class::PositiveDefinite => "the diagonal is not positive, as Jacobi must be for this method",
        Class::General => "the diagonal has zeros, which Jacobi cannot invert",
    }
}
