//! The one place where a preconditioner is built: what a method demands of it, and what is taken where none was named.

use crate::choice::PreconditionerChoice;
use crate::error::Result;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::precond::{Preconditioner, jacobi};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Linear, Scalar};

/// A preconditioner, ready to be loaded.
pub(crate) struct Chosen<S> {
    /// Its name.
    pub(crate) name: Preconditioner,
    /// The map; none for the identity.
    pub(crate) map: Option<Linear<S>>,
    /// Why this one.
    pub(crate) reason: String,
}

/// The preconditioner of a method for A. One that was named and does not suit is an error.
pub(crate) fn precondition<S: Scalar>(choice: PreconditionerChoice, method: Krylov, A: &Csr<S>) -> Result<Chosen<S>> {
    match choice {
        PreconditionerChoice::Given(name) => {
            Ok(Chosen { name, map: build(name, method, A)?, reason: "asked for".into() })
        }
        PreconditionerChoice::Auto => Ok(match build(Preconditioner::Jacobi, method, A) {
            Ok(map) => Chosen { name: Preconditioner::Jacobi, map, reason: "the diagonal suits the method".into() },
            Err(_) => Chosen { name: Preconditioner::None, map: None, reason: unsuited(method).into() },
        }),
    }
}

/// Methods with an inner product of M need it positive definite; the others take any that exists.
fn build<S: Scalar>(name: Preconditioner, method: Krylov, A: &Csr<S>) -> Result<Option<Linear<S>>> {
    match name {
        Preconditioner::Jacobi if !method.needs_hermitian() => Ok(Some(jacobi(A)?)),
        name => Ok(name.build(A)?),
    }
}

fn unsuited(method: Krylov) -> &'static str {
    match method.needs_hermitian() {
        true => "the diagonal is not positive, as Jacobi must be for this method",
        false => "the diagonal has zeros, which Jacobi cannot invert",
    }
}
