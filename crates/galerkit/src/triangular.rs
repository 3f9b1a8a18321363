//! How the triangles of an incomplete factorisation are solved with: exactly, or by Jacobi sweeps; by name, and by choice.
//!
//! On the CPU `auto` is exact: that takes the fewest iterations as a rule. On a GPU rows of an exact solve wait for each other,
//! level after level; `triangular_model.rs` weighs that against sweeps, and against exact solves colour by colour.

mod measured;
#[doc(hidden)]
pub mod probe;
pub(crate) mod setup;

use crate::choice::{Choice, Preconditioning, unknown};
use crate::error::{Error, Result};
use galerkit_linalg::Error as LinalgError;
use galerkit_linalg::precond::Preconditioner;
use std::fmt;
use std::str::FromStr;

/// How triangular solves of incomplete factorisations (`ilu0`, `ilu:FILL`, `ic0`, `ilu0-blocks:N`,
/// `parilu0:N`) are done. Left to the program they are exact on the CPU; on a GPU what is expected to be the fastest, with
/// exact solves after sweeps that fail.
///
/// ```
/// use galerkit::{Choice, TriangularSolve};
///
/// assert_eq!("sweeps:2".parse::<TriangularSolve>()?, TriangularSolve::Sweeps(2));
/// assert_eq!("auto".parse::<Choice<TriangularSolve>>()?, Choice::Auto);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangularSolve {
    /// Exactly.
    Exact,
    /// By so many Jacobi sweeps for each triangle.
    Sweeps(usize),
}

/// Beyond this exact solves are cheaper.
const MOST_SWEEPS: usize = 100;
/// Where no number is given, as for `ilu0-sweeps`.
const USUAL_SWEEPS: usize = 3;

impl TriangularSolve {
    /// The names.
    pub const NAMES: &str = "exact, sweeps:N";

    /// What the name of a preconditioner says, with nothing left to choose: exact, unless it sweeps.
    ///
    /// ```
    /// use galerkit::linalg::precond::Preconditioner;
    /// use galerkit::TriangularSolve;
    ///
    /// assert_eq!(TriangularSolve::by_name(Preconditioner::Ilu0Sweeps { sweeps: 3 }), TriangularSolve::Sweeps(3));
    /// assert_eq!(TriangularSolve::by_name(Preconditioner::Jacobi), TriangularSolve::Exact);
    /// ```
    pub fn by_name(preconditioner: impl Into<Choice<Preconditioning>>) -> Self {
        let sweeps = preconditioner.into().named().and_then(|named| named.sweeps());
        sweeps.map_or(TriangularSolve::Exact, TriangularSolve::Sweeps)
    }
}

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

impl fmt::Display for TriangularSolve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TriangularSolve::Exact => f.write_str("exact"),
            TriangularSolve::Sweeps(count) => write!(f, "sweeps:{count}"),
        }
    }
}

impl FromStr for TriangularSolve {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        match (name, name.strip_prefix("sweeps:")) {
            ("exact", _) => Ok(TriangularSolve::Exact),
            ("sweeps", _) => Ok(TriangularSolve::Sweeps(USUAL_SWEEPS)),
            (_, Some(count)) => {
                let (name, expected) = ("sweeps", "each triangle is swept 0 to 100 times");
                let refuse = || LinalgError::InvalidParameter { name, value: count.into(), expected };
                let sweeps = count.parse().ok().filter(|sweeps| *sweeps <= MOST_SWEEPS);
                Ok(TriangularSolve::Sweeps(sweeps.ok_or_else(refuse)?))
            }
            _ => Err(unknown("way to solve with triangles", name, Self::NAMES)),
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
    fn names() {
        for (text, choice) in [
            ("auto", Choice::Auto),
            ("exact", TriangularSolve::Exact.into()),
            ("sweeps:0", TriangularSolve::Sweeps(0).into()),
            ("sweeps:100", TriangularSolve::Sweeps(100).into()),
        ] {
            assert_eq!(text.parse::<Choice<TriangularSolve>>().unwrap(), choice);
            assert_eq!(choice.to_string(), text);
        }
        assert_eq!("sweeps".parse::<TriangularSolve>().unwrap(), TriangularSolve::Sweeps(3));
        let said = |text: &str| text.parse::<Choice<TriangularSolve>>().unwrap_err().to_string();
        assert!(said("exakt").contains("auto, exact, sweeps:N"), "{}", said("exakt"));
        for wrong in ["sweeps:101", "sweeps:-1", "sweeps:", "sweeps:two"] {
            assert!(said(wrong).contains("0 to 100 times"), "{}", said(wrong));
        }
    }

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
