//! Triangular solves by name: exact, or Jacobi sweeps.

use super::{Choice, Preconditioning, unknown};
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How triangular solves of incomplete factorisations (`ilu0`, `ilu:FILL`, `ic0`, `ilu0-blocks:N`, `parilu0:N`) are
/// done. By default as the name says: exactly, on every device, or as the [`Variant`](super::Variant) that it ends in.
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
        let sweeps = preconditioner.into().sweeps();
        sweeps.map_or(TriangularSolve::Exact, TriangularSolve::Sweeps)
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
                let refuse = || Error::InvalidParameter { name, value: count.into(), expected };
                let sweeps = count.parse().ok().filter(|sweeps| *sweeps <= MOST_SWEEPS);
                Ok(TriangularSolve::Sweeps(sweeps.ok_or_else(refuse)?))
            }
            _ => Err(unknown("way to solve with triangles", name, Self::NAMES)),
        }
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
}
