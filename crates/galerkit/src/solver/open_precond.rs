//! What preconditions an operator that is a linear map: what was named, if the operator shows what that needs, or what
//! was brought along.

use super::Solver;
use super::open_map::{OpenMap, OpenPreconditioner};
use crate::choice::{Choice, Preconditioning};
use crate::error::{Error, Result};
use crate::preconditioning::Chosen;
use galerkit_linalg::Scalar;
use galerkit_linalg::error::check_length;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared, chebyshev_of_diagonal, jacobi_of_diagonal};

const OTHERS: &str = "choose the preconditioner none, jacobi or chebyshev, bring one along, or assemble the matrix";
const NO_DIAGONAL: &str = "give it by OpenMap::diagonal, or choose the preconditioner none";
const NO_BOUND: &str = "give it by OpenMap::eigenvalue_bound, or choose the preconditioner jacobi or none";

/// The preconditioner of an operator.
pub(super) enum Conditioned<'a, S: Scalar> {
    Chosen(Box<Chosen<S>>),
    Brought(&'a dyn OpenPreconditioner<S>),
}

impl<S: Scalar> OpenMap<S> {
    /// The preconditioner for a method that demands this. One that was named and cannot be had is an error; left to the
    /// program it is what was brought along, else the diagonal if that is known and suits.
    pub(super) fn precondition(&self, solver: &Solver, class: Class) -> Result<Conditioned<'_, S>> {
        let named = match solver.preconditioner {
            Choice::Given(asked @ (Preconditioning::Inner(_) | Preconditioning::Variant(..))) => {
                let instead = "choose the preconditioner none or jacobi, or bring one along";
                return Err(self.lacks(asked.to_string(), "the entries of a matrix", instead));
            }
            Choice::Given(Preconditioning::Named(name)) => name,
            Choice::Auto => return Ok(self.usual(class)),
        };
        let prepared = match named {
            Preconditioner::None => Prepared::Identity,
            Preconditioner::Jacobi => jacobi_of_diagonal(self.known_diagonal(named)?, class)?,
            Preconditioner::Chebyshev { degree } => {
                let diagonal = self.known_diagonal(named)?;
                let missing = "a bound of the eigenvalues of D^-1 A";
                let upper = self.bound.ok_or_else(|| self.lacks(named.to_string(), missing, NO_BOUND))?;
                chebyshev_of_diagonal(diagonal, degree, upper, class)?
            }
            other => return Err(self.lacks(other.to_string(), "the entries of a matrix", OTHERS)),
        };
        Ok(Conditioned::Chosen(Box::new(Chosen { name: named, prepared, reason: "asked for".into() })))
    }

    fn usual(&self, class: Class) -> Conditioned<'_, S> {
        if let Some(brought) = &self.brought {
            return Conditioned::Brought(&**brought);
        }
        let suited = self.diagonal.clone().map(|diagonal| jacobi_of_diagonal(diagonal, class));
        let (name, prepared, reason) = match suited {
            Some(Ok(prepared)) => (Preconditioner::Jacobi, prepared, "the diagonal suits the method"),
            Some(Err(_)) => (Preconditioner::None, Prepared::Identity, "the diagonal does not suit the method"),
            None => (Preconditioner::None, Prepared::Identity, "the diagonal is not known"),
        };
        Conditioned::Chosen(Box::new(Chosen { name, prepared, reason: reason.into() }))
    }

    fn known_diagonal(&self, asked: Preconditioner) -> Result<Vec<S>> {
        self.diagonal.clone().ok_or_else(|| self.lacks(asked.to_string(), "the diagonal", NO_DIAGONAL))
    }

    /// The error for something that the operator does not show.
    pub(super) fn lacks(&self, asked: String, missing: &'static str, instead: &'static str) -> Error {
        Error::NotKnownOfMap { asked, missing, map: self.map.name(), instead }
    }

    /// An error unless the diagonal has an entry for each row.
    pub(super) fn check_diagonal(&self) -> Result<()> {
        let length = self.diagonal.as_ref().map_or(self.rows(), Vec::len);
        Ok(check_length("the diagonal", self.rows(), length)?)
    }
}
