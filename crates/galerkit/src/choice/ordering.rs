//! Orderings of rows and columns by name.

use super::unknown;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// In which order rows and columns are stored while solving; the solution always comes in the order of the input. Left
/// to the program it is reverse Cuthill-McKee where that pays, and that of the matrix for a preconditioner that depends
/// on it, such as `ilu0`; colours only for a variant that says so, or picks them.
///
/// ```
/// use galerkit::{Choice, Ordering};
///
/// assert_eq!("rcm".parse::<Ordering>()?, Ordering::Rcm);
/// assert_eq!("rcm".parse::<Choice<Ordering>>()?, Choice::Given(Ordering::Rcm));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// As given.
    #[default]
    Natural,
    /// Reverse Cuthill-McKee.
    Rcm,
    /// Colour by colour: rows of one colour do not need each other, so triangular solves have as few steps as there are
    /// colours; preconditioners become weaker.
    Colours,
}

impl Ordering {
    /// The names.
    pub const NAMES: &str = "natural, rcm, colours";
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ordering::Natural => "natural",
            Ordering::Rcm => "rcm",
            Ordering::Colours => "colours",
        })
    }
}

impl FromStr for Ordering {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "natural" => Ordering::Natural,
            "rcm" => Ordering::Rcm,
            "colours" => Ordering::Colours,
            _ => return Err(unknown("ordering", name, Self::NAMES)),
        })
    }
}
