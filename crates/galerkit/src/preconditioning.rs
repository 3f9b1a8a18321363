//! The one place where a preconditioner is built: what a method demands of it, and what is taken where none was named.

use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared};
use galerkit_linalg::sparse::Csr;

/// A preconditioner, ready to be loaded.
pub(crate) struct Chosen<S> {
    /// Its name.
    pub(crate) name: Preconditioner,
    /// What it is made of.
    pub(crate) prepared: Prepared<S>,
    /// Why this one.
    pub(crate) reason: String,
}

/// The preconditioner of a method that demands this for A. One that was named and does not suit is an error; without one
/// it is the diagonal, if that suits.
pub(crate) fn precondition<S: Scalar>(named: Option<Preconditioner>, class: Class, A: &Csr<S>) -> Result<Chosen<S>> {
    let (name, prepared, reason) = match named {
        Some(name) => (name, name.prepare(A, class)?, "asked for"),
        None => match Preconditioner::Jacobi.prepare(A, class) {
            Ok(prepared) => (Preconditioner::Jacobi, prepared, "the diagonal suits the method"),
            Err(_) => (Preconditioner::None, Prepared::Identity, unsuited(class)),
        },
    };
    Ok(Chosen { name, prepared, reason: reason.into() })
}

fn unsuited(class: Class) -> &'static str {
    match class {
        Class::PositiveDefinite => "the diagonal is not positive, as Jacobi must be for this method",
        Class::General => "the diagonal has zeros, which Jacobi cannot invert",
    }
}
