//! What a user can choose, each with the name that command lines, reports and files use; and [`Choice`], which leaves
//! it to the program. A name that nobody knows is linalg's error, as for its own names: reports stand below the errors
//! of the facade, and have choices in them.

mod autotuning;
mod device;
mod method;
mod ordering;
mod parse;
mod preconditioning;
mod replacement;
mod triangular_solve;
mod variant;

pub use autotuning::Autotuning;
pub use device::Device;
pub use method::Method;
pub use ordering::Ordering;
pub use preconditioning::Preconditioning;
pub use replacement::ResidualReplacement;
pub use triangular_solve::TriangularSolve;
pub use variant::Variant;

use galerkit_linalg::Error as LinalgError;
use std::fmt;

/// What was asked for, or that the program is to choose; the report says what it chose and why. By name it is `auto`,
/// or the name of a value.
///
/// ```
/// use galerkit::linalg::sparse::Format;
/// use galerkit::{Choice, Device};
///
/// assert_eq!(Choice::from(Device::Cpu), Choice::Given(Device::Cpu));
/// assert_eq!("auto".parse::<Choice<Format>>()?, Choice::Auto);
/// assert_eq!("csr".parse::<Choice<Format>>()?.to_string(), "csr");
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice<T> {
    /// The program chooses.
    #[default]
    Auto,
    /// This one.
    Given(T),
}

impl<T> Choice<T> {
    /// What was given, if something was.
    ///
    /// ```
    /// use galerkit::{Choice, Ordering};
    ///
    /// assert_eq!(Choice::Given(Ordering::Rcm).given(), Some(Ordering::Rcm));
    /// assert_eq!(Choice::<Ordering>::Auto.given(), None);
    /// ```
    pub fn given(self) -> Option<T> {
        match self {
            Choice::Auto => None,
            Choice::Given(value) => Some(value),
        }
    }
}

impl<T> From<T> for Choice<T> {
    fn from(value: T) -> Self {
        Choice::Given(value)
    }
}

impl<T: fmt::Display> fmt::Display for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Auto => f.write_str("auto"),
            Choice::Given(value) => value.fmt(f),
        }
    }
}

/// The error for a name nobody knows.
pub(crate) fn unknown(what: &'static str, name: &str, known: &str) -> LinalgError {
    LinalgError::UnknownName { what, name: name.into(), known: known.into() }
}
