//! How the triangles of an incomplete factorisation are solved with: exactly, or by Jacobi sweeps; what its name says,
//! or what pays.
//!
//! `ilu0`, `ilu:FILL`, `ic0` and `ssor` are exact in the order of the matrix on every device, so their iteration counts
//! do not depend on it. Variants are other preconditioners and have other names: `ilu0:swept:2`, `ilu0:coloured`.
//! `ilu0:auto` is exact on the CPU, where that takes the fewest iterations as a rule. On a GPU rows of an exact solve
//! wait for each other, level after level; `triangular_model.rs` weighs that against sweeps, and against exact solves
//! colour by colour.

mod measured;
#[doc(hidden)]
pub mod probe;
pub(crate) mod request;
pub(crate) mod setup;

pub use crate::choice::TriangularSolve;

use crate::choice::{Choice, Ordering, Preconditioning, Variant};
use crate::error::{Error, Result};
use galerkit_linalg::precond::Preconditioner;
impl Choice<TriangularSolve> {
    /// An error where a preconditioner cannot have its triangles solved with so.
    pub(crate) fn require(self, preconditioner: Choice<Preconditioning>) -> Result<()> {
        let sweeps = preconditioner.sweeps();
        let factorised = preconditioner.named().is_some_and(|named| named.recipe().is_some());
        let (preconditioner, asked) = (preconditioner.to_string(), self.to_string());
        match (self, sweeps) {
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
}

impl Choice<Ordering> {
    /// An error where the name of a preconditioner says another order.
    pub(crate) fn require(self, preconditioner: Choice<Preconditioning>) -> Result<()> {
        let is_coloured = preconditioner.variant() == Some(Variant::Coloured);
        match self {
            Choice::Given(Ordering::Natural | Ordering::Rcm) if is_coloured => {
                Err(Error::ColouredByName { preconditioner: preconditioner.to_string(), asked: self.to_string() })
            }
            _ => Ok(()),
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

    /// The name of what runs: a factorisation whose triangles are swept, or whose rows are stored colour by colour, is
    /// a variant.
    pub(crate) fn variant_of(&self, name: Preconditioner, ordering: Ordering) -> Preconditioning {
        let variant = match (self.way, ordering) {
            (Some(TriangularSolve::Sweeps(count)), _) => Variant::Swept(count),
            (_, Ordering::Colours) => Variant::Coloured,
            _ => return name.into(),
        };
        if variant.suits(name) { Preconditioning::Variant(name, variant) } else { name.into() }
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
        for name in ["ilu0-sweeps:3", "parilu0:5:3", "ic0:swept:3", "inner:bicgstab,precond=ilu0-sweeps:3"] {
            assert!(require(auto, name).is_ok() && require(sweeps(3), name).is_ok());
            assert!(said(exact, name).contains("exact contradicts"), "{}", said(exact, name));
            assert!(said(two, name).contains("sweeps:2 contradicts"), "{}", said(two, name));
        }
        for name in ["ilu0", "ilu:2:auto", "ic0:coloured", "ilu0-blocks:3", "parilu0:5", "inner:cg,precond=ic0"] {
            assert!([auto, exact, two].into_iter().all(|choice| require(choice, name).is_ok()), "{name}");
        }
        for name in ["auto", "none", "jacobi", "ssor:1.2", "chebyshev:3", "inner:jacobi", "inner:cg,precond=ssor:1"] {
            assert!(require(auto, name).is_ok() && require(exact, name).is_ok(), "{name}");
            assert!(said(two, name).contains("choose ilu0"), "{}", said(two, name));
        }
    }

    #[test]
    fn a_name_that_says_colours_keeps_its_meaning() {
        let require = |choice: Choice<Ordering>, name: &str| choice.require(name.parse().unwrap());
        let [natural, rcm, colours] = [Ordering::Natural, Ordering::Rcm, Ordering::Colours].map(Choice::Given);
        for given in [natural, rcm] {
            let said = require(given, "ilu0:coloured").unwrap_err().to_string();
            assert!(said.contains(&format!("{given} contradicts")), "{said}");
            assert!(require(given, "ilu0").is_ok() && require(given, "ilu0:auto").is_ok());
        }
        assert!(require(colours, "ilu0:coloured").is_ok() && require(Choice::Auto, "ilu0:coloured").is_ok());
    }
}
