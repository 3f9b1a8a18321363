//! How the triangles of an incomplete factorisation are solved with: exactly, or by Jacobi sweeps; what was asked for, or what pays.
//!
//! On the CPU `auto` is exact: that takes the fewest iterations as a rule. On a GPU rows of an exact solve wait for each other,
//! level after level; `triangular_model.rs` weighs that against sweeps, and against exact solves colour by colour.

mod measured;
#[doc(hidden)]
pub mod probe;
pub(crate) mod setup;

pub use crate::choice::TriangularSolve;

use crate::choice::{Choice, Preconditioning};
use crate::error::{Error, Result};
use galerkit_linalg::precond::Preconditioner;

impl Choice<TriangularSolve> {
    /// An error where a preconditioner cannot have its triangles solved with so.
    pub(crate) fn require(self, preconditioner: Choice<Preconditioning>) -> Result<()> {
        let named = preconditioner.named();
        let factorised = named.is_some_and(|named| named.recipe().is_some());
        let (preconditioner, asked) = (preconditioner.to_string(), self.to_string());
        match (self, named.and_then(|named| named.sweeps())) {
            (Choice::Given(TriangularSolve::Exact), Some(_)) => Err(Error::SweepsByName { preconditioner, asked }),
            (Choice::Given(TriangularSolve::Sweeps(count)), Some(named)) if named != count => {
                Err(Error::SweepsByName { preconditioner, asked })
            }
            (Choice::Given(TriangularSolve::Sweeps(_)), None) if !factorised => {
                Err(Error::NoFactors { preconditioner, asked })
            }
            _ => Ok(()),
        }
    }

    /// The sweeps that were asked for, here or by the name of the preconditioner.
    fn sweeps(self, named: Option<Preconditioner>) -> Option<usize> {
        match self {
            Choice::Given(TriangularSolve::Sweeps(count)) => Some(count),
            Choice::Auto | Choice::Given(TriangularSolve::Exact) => named.and_then(|named| named.sweeps()),
        }
    }
}

/// How the triangles are solved with, and why; none where there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solves {
    pub(crate) way: Option<TriangularSolve>,
    pub(crate) reason: String,
    /// Whether times of this very solve have decided.
    pub(crate) measured: bool,
}

impl Solves {
    fn new(way: impl Into<Option<TriangularSolve>>, reason: impl Into<String>) -> Self {
        Self { way: way.into(), reason: reason.into(), measured: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_says_sweeps_keeps_its_meaning() {
        let require = |choice: Choice<TriangularSolve>, name: &str| choice.require(name.parse().unwrap());
        let said = |choice, name| require(choice, name).unwrap_err().to_string();
        let sweeps = |count| Choice::Given(TriangularSolve::Sweeps(count));
        let (auto, exact, two) = (Choice::Auto, Choice::Given(TriangularSolve::Exact), sweeps(2));
        for name in ["ilu0-sweeps:3", "parilu0:5:3", "inner:bicgstab,precond=ilu0-sweeps:3"] {
            assert!(require(auto, name).is_ok() && require(sweeps(3), name).is_ok());
            assert!(said(exact, name).contains("exact contradicts"), "{}", said(exact, name));
            assert!(said(two, name).contains("sweeps:2 contradicts"), "{}", said(two, name));
        }
        for name in ["ilu0", "ilu:2", "ic0:0.1", "ilu0-blocks:3", "parilu0:5", "inner:cg,precond=ic0"] {
            assert!([auto, exact, two].into_iter().all(|choice| require(choice, name).is_ok()), "{name}");
        }
        for name in ["auto", "none", "jacobi", "ssor:1.2", "chebyshev:3", "inner:jacobi", "inner:cg,precond=ssor:1"] {
            assert!(require(auto, name).is_ok() && require(exact, name).is_ok(), "{name}");
            assert!(said(two, name).contains("choose ilu0"), "{}", said(two, name));
        }
    }
}
