//! The one place where a preconditioner is built ([`prepare`]): what a method demands of it, what is taken where none
//! was named, and who factorises: the GPU that solves, if there is one, otherwise the host. Factors that a GPU has
//! computed stay there, unless the host must look at them, or scale them for Jacobi sweeps.

pub(crate) mod multigrid_there;

use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use crate::multigrid_choice::multigrid_pays;
use crate::uploaded::Uploaded;
use galerkit_cuda::convert::Facts;
use galerkit_cuda::factor::Computed;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::map::{Diagonal, diagonal_map};
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::parallel;
use galerkit_linalg::precond::{Class, Factorisation, Factors, Preconditioner, Prepared};
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

/// The preconditioner of a method that demands this for A. One that was named and does not suit is an error; without
/// one it is the diagonal, if that suits.
pub(crate) fn precondition<S: Scalar>(
    (named, class): (Option<Preconditioner>, Class),
    A: MatrixRef<'_, S>,
    near_null: &[Vec<S>],
    gpu: Option<&Arc<Gpu>>,
) -> Result<Chosen<S>> {
    let (name, prepared, reason) = match named {
        Some(Preconditioner::None) => (Preconditioner::None, Prepared::Identity, "asked for"),
        Some(Preconditioner::Amg(amg)) => {
            (Preconditioner::Amg(amg), multigrid_of(&amg, A.host()?, class, near_null)?, "asked for")
        }
        None if !near_null.is_empty() => {
            let amg = Amg::default();
            let prepared = multigrid_of(&amg, A.host()?, class, near_null)?;
            (Preconditioner::Amg(amg), prepared, "near-null vectors were given, which multigrid uses")
        }
        Some(name) => (name, prepare_there(name, A.host()?, class, gpu)?, "asked for"),
        None if gpu.is_none()
            && let Some(why) = multigrid_pays(A.host()?, class) =>
        {
            let name = Preconditioner::Amg(Amg::default());
            if let Ok(prepared) = name.prepare(A.host()?, class) {
                return Ok(Chosen { name, prepared, reason: why });
            }
            (Preconditioner::Jacobi, Preconditioner::Jacobi.prepare(A.host()?, class)?, "multigrid refuses the matrix")
        }
        None => match Preconditioner::Jacobi.prepare(A.host()?, class) {
            Ok(prepared) => (Preconditioner::Jacobi, prepared, "the diagonal suits the method"),
            Err(_) => (Preconditioner::None, Prepared::Identity, unsuited(class)),
        },
    };
    Ok(Chosen { name, prepared, reason: reason.into() })
}

/// Algebraic multigrid, told what A nearly maps to zero.
fn multigrid_of<S: Scalar>(amg: &Amg, A: &Csr<S>, class: Class, near_null: &[Vec<S>]) -> Result<Prepared<S>> {
    Ok(Prepared::Amg(Box::new(Built::new(A, class == Class::PositiveDefinite, amg, near_null)?)))
}

/// Jacobi of a matrix that is on a GPU, where it is what was asked for, or nothing was, and the diagonal suits.
pub(crate) fn jacobi_there<S: Scalar>(
    (named, class): (Option<Preconditioner>, Class),
    (A, there): (MatrixRef<'_, S>, &Uploaded<S>),
    facts: &Facts,
) -> Option<Chosen<S>> {
    let reason = match named {
        Some(Preconditioner::Jacobi) => "asked for",
        None => "the diagonal suits the method",
        Some(_) => return None,
    };
    let is_unsuited = class == Class::PositiveDefinite && facts.not_real_positive.is_some();
    if is_unsuited || facts.not_invertible.is_some() {
        let none = Chosen { name: Preconditioner::None, prepared: Prepared::Identity, reason: unsuited(class).into() };
        return named.is_none().then_some(none); // the host says why where it was asked for
    }
    let inverse = match A.grid() {
        Some(grid) => Diagonal::new(repeated(S::one() / grid.value_at([0; 3]), A.rows())),
        None => there.jacobi().ok()?,
    };
    let prepared = Prepared::Map(diagonal_map(inverse));
    Some(Chosen { name: Preconditioner::Jacobi, prepared, reason: reason.into() })
}

/// So many times the same value: threads share the first touch of memory, which takes longer than what is written
/// there.
fn repeated<S: Scalar>(value: S, count: usize) -> Vec<S> {
    parallel::collect(count, &|_| value)
}

/// A preconditioner by name, as a method demands it. Factors come from the GPU where one solves and has the room; they
/// are those of the host, bit for bit.
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
    fn prepared<S>(name: Preconditioner, A: &Csr<S>, class: Class, gpu: Option<&Arc<Gpu>>) -> Result<Prepared<S>> = prepare_here;
}

fn prepare_here<S: Scalar>(
    name: Preconditioner,
    A: &Csr<S>,
    class: Class,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Prepared<S>> {
    bring(prepare_there(name, A, class, gpu)?)
}

/// The same, with factors that stay on the GPU where they were computed and will be solved with exactly.
fn prepare_there<S: Scalar>(
    name: Preconditioner,
    A: &Csr<S>,
    class: Class,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Prepared<S>> {
    let (Some(recipe), Some(gpu)) = (name.recipe(), gpu) else { return Ok(name.prepare(A, class)?) };
    let computed = match Computed::new(gpu, A, recipe) {
        Err(galerkit_cuda::Error::OutOfMemory { .. }) => return Ok(name.of_factors(recipe.factorise(A)?, class)?),
        made => made.map_err(|error| error.into_linalg().map_or_else(Error::Cuda, Error::Linalg))?,
    };
    let checks = class == Class::PositiveDefinite && computed.pattern().kind() == Factorisation::Ilu;
    let stays = name.sweeps().is_none() && has_room(gpu, A, &computed)? && (!checks || computed.is_positive()?);
    if stays { Ok(Prepared::Map(computed.boxed())) } else { Ok(name.of_factors(computed.bring()?.clone(), class)?) }
}

/// Whether the matrix and the map fit beside the factors, and some vectors.
fn has_room<S: Scalar>(gpu: &Gpu, A: &Csr<S>, computed: &Computed<S>) -> Result<bool> {
    Ok(2 * A.bytes() + 4 * computed.pattern().bytes() <= gpu.free_memory()?.0)
}

/// What was computed on a GPU, on the host.
pub(crate) fn bring<S: Scalar>(M: Prepared<S>) -> Result<Prepared<S>> {
    Ok(match &M {
        Prepared::Map(map) => match map.known::<Computed<S>>() {
            Some(computed) => Prepared::Map(computed.bring()?.clone().boxed()),
            None => M,
        },
        _ => M,
    })
}

/// Lets go of what was computed on a GPU; the pattern stays.
pub(crate) fn release<S: Scalar>(M: &mut Prepared<S>) {
    if let Prepared::Map(map) = M
        && let Some(computed) = map.known::<Computed<S>>()
    {
        *map = computed.pattern().clone().boxed();
    }
}

/// Bytes on a GPU that will be free when it is let go.
pub(crate) fn held<S: Scalar>(M: &Prepared<S>) -> usize {
    let Prepared::Map(map) = M else { return 0 };
    map.known::<Computed<S>>().map_or(0, Computed::held)
}

/// The factors of a preconditioner that is such, perhaps without their numbers.
pub(crate) fn pattern<S: Scalar>(M: &Prepared<S>) -> Option<&Factors<S>> {
    let Prepared::Map(map) = M else { return None };
    map.known::<Factors<S>>().or_else(|| map.known::<Computed<S>>().map(Computed::pattern))
}

/// The same with their numbers.
pub(crate) fn numbers<S: Scalar>(M: &Prepared<S>) -> Result<Option<&Factors<S>>> {
    let Prepared::Map(map) = M else { return Ok(None) };
    match map.known::<Computed<S>>() {
        Some(computed) => Ok(Some(computed.bring()?)),
        None => Ok(map.known::<Factors<S>>()),
    }
}

fn unsuited(class: Class) -> &'static str {
    match class {
        Class::PositiveDefinite => "the diagonal is not positive, as Jacobi must be for this method",
        Class::General => "the diagonal has zeros, which Jacobi cannot invert",
    }
}
