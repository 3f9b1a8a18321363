//! Whether a GPU decides by times or by a model.

use super::unknown;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How what is left to the program is decided on a GPU: format, kernel parameters, triangular solves. Equal decisions
/// give equal bits: one that was timed is cached, and repeats from then on; the model's are always the same.
///
/// ```
/// use galerkit::{Autotuning, Solver};
///
/// let reproducible = Solver::new().autotuning(Autotuning::Modelled);
/// assert_eq!("modelled".parse::<Autotuning>()?, Autotuning::Modelled);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autotuning {
    /// The candidates that a model puts first are timed at the beginning of a long solve, and the fastest is kept.
    #[default]
    Timed,
    /// A model decides alone, always in the same way.
    Modelled,
}

impl Autotuning {
    /// The names.
    pub const NAMES: &str = "timed, modelled";
}

impl fmt::Display for Autotuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Autotuning::Timed => "timed",
            Autotuning::Modelled => "modelled",
        })
    }
}

impl FromStr for Autotuning {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "timed" => Autotuning::Timed,
            "modelled" => Autotuning::Modelled,
            _ => return Err(unknown("autotuning", name, Self::NAMES)),
        })
    }
}
