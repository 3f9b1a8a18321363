//! How often the recursive residual is replaced (van der Vorst and Ye 2000).

use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// When the residual of the recurrence is replaced by b - A x. Left to the program it is every 50 iterations, in
/// BiCGSTAB never: there it costs biorthogonality, and up to 1.8 times the iterations on real matrices.
///
/// ```
/// use galerkit::{Choice, ResidualReplacement};
///
/// assert_eq!("20".parse::<ResidualReplacement>()?, ResidualReplacement::Every(20));
/// assert_eq!("never".parse::<ResidualReplacement>()?, ResidualReplacement::Never);
/// assert_eq!("auto".parse::<Choice<ResidualReplacement>>()?, Choice::Auto);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResidualReplacement {
    /// After each multiple of so many iterations, 1 or more.
    Every(usize),
    /// Never.
    Never,
}

impl ResidualReplacement {
    /// The period as programs count it: 0 is never.
    pub(crate) fn period(self) -> usize {
        match self {
            ResidualReplacement::Every(period) => period,
            ResidualReplacement::Never => 0,
        }
    }

    /// An error for every 0 iterations.
    pub(crate) fn require(self) -> Result<()> {
        if self == ResidualReplacement::Every(0) { Err(refuse("0")) } else { Ok(()) }
    }
}

fn refuse(value: &str) -> Error {
    let expected = "the residual is replaced every 1 or more iterations, or never";
    Error::InvalidParameter { name: "residual replacement", value: value.into(), expected }
}

impl fmt::Display for ResidualReplacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResidualReplacement::Every(period) => period.fmt(f),
            ResidualReplacement::Never => f.write_str("never"),
        }
    }
}

impl FromStr for ResidualReplacement {
    type Err = Error;

    /// `never`, or a period; 0 is an older spelling of `never`.
    fn from_str(text: &str) -> Result<Self> {
        match (text, text.parse()) {
            ("never", _) | (_, Ok(0)) => Ok(ResidualReplacement::Never),
            (_, Ok(period)) => Ok(ResidualReplacement::Every(period)),
            (_, Err(_)) => Err(refuse(text)),
        }
    }
}
