//! What preconditions an iterative method, by name: a preconditioner of `linalg`, or an inner solve.

use super::{Choice, Variant, unknown};
use crate::inner::InnerSolve;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What approximates the inverse of A in an iterative method. Left to the program it is Jacobi where the diagonal suits
/// the method, else none; after iterations that failed so, `ilu0:auto`.
///
/// ```
/// use galerkit::linalg::precond::Preconditioner;
/// use galerkit::{Choice, InnerSolve, Preconditioning};
///
/// assert_eq!("jacobi".parse::<Preconditioning>()?, Preconditioning::Named(Preconditioner::Jacobi));
/// assert_eq!("inner".parse::<Preconditioning>()?, Preconditioning::Inner(InnerSolve::default()));
/// assert_eq!("auto".parse::<Choice<Preconditioning>>()?, Choice::Auto);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preconditioning {
    /// The same map in every iteration; triangular solves are exact, in the order of the matrix, unless the name says
    /// sweeps.
    Named(Preconditioner),
    /// A factorisation that is solved with otherwise.
    Variant(Preconditioner, Variant),
    /// An inner solve, for flexible methods.
    Inner(InnerSolve),
}

impl Preconditioning {
    /// The names.
    pub fn names() -> String {
        format!(
            "{}, FACTORISATION:VARIANT with {}, inner:METHOD[,rtol=R][,limit=N][,precond=NAME]",
            Preconditioner::NAMES,
            Variant::NAMES
        )
    }

    /// The preconditioner by its name, of the method or of its inner solve.
    pub(crate) fn named(self) -> Option<Preconditioner> {
        match self {
            Preconditioning::Named(preconditioner) | Preconditioning::Variant(preconditioner, _) => {
                Some(preconditioner)
            }
            Preconditioning::Inner(inner) => inner.preconditioner,
        }
    }

    /// Its variant, if its name says one.
    pub(crate) fn variant(self) -> Option<Variant> {
        match self {
            Preconditioning::Variant(_, variant) => Some(variant),
            Preconditioning::Named(_) | Preconditioning::Inner(_) => None,
        }
    }

    /// Jacobi sweeps in place of each triangular solve, if its name says so.
    pub(crate) fn sweeps(self) -> Option<usize> {
        match self.variant() {
            Some(Variant::Swept(count)) => Some(count),
            _ => self.named().and_then(|named| named.sweeps()),
        }
    }
}

impl Choice<Preconditioning> {
    /// The preconditioner that was named, for the method or for its inner solve.
    pub(crate) fn named(self) -> Option<Preconditioner> {
        self.given().and_then(Preconditioning::named) // left to the program: Jacobi or none
    }

    /// The variant that was named.
    pub(crate) fn variant(self) -> Option<Variant> {
        self.given().and_then(Preconditioning::variant)
    }

    /// The sweeps that were named.
    pub(crate) fn sweeps(self) -> Option<usize> {
        self.given().and_then(Preconditioning::sweeps)
    }
}

impl From<Preconditioner> for Preconditioning {
    fn from(preconditioner: Preconditioner) -> Self {
        Preconditioning::Named(preconditioner)
    }
}

impl From<InnerSolve> for Preconditioning {
    fn from(inner: InnerSolve) -> Self {
        Preconditioning::Inner(inner)
    }
}

impl From<Preconditioner> for Choice<Preconditioning> {
    fn from(preconditioner: Preconditioner) -> Self {
        Choice::Given(preconditioner.into())
    }
}

impl From<InnerSolve> for Choice<Preconditioning> {
    fn from(inner: InnerSolve) -> Self {
        Choice::Given(inner.into())
    }
}

impl FromStr for Preconditioning {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        match name.split_once(':') {
            _ if name == "inner" => Ok(Preconditioning::Inner(InnerSolve::default())),
            Some(("inner", inner)) => Ok(Preconditioning::Inner(inner.parse()?)),
            _ => match Variant::split(name) {
                Some((base, variant)) => {
                    let (base, variant) = (by_name(base, name)?, variant.parse::<Variant>()?);
                    let refuse = || unknown("preconditioner", name, &Self::names());
                    if variant.suits(base) { Ok(Preconditioning::Variant(base, variant)) } else { Err(refuse()) }
                }
                None => by_name(name, name).map(Preconditioning::Named),
            },
        }
    }
}

/// A preconditioner of `linalg`; `whole` is what an unknown one is called in the error.
fn by_name(name: &str, whole: &str) -> Result<Preconditioner> {
    name.parse().map_err(|error| match error {
        Error::UnknownName { what: "preconditioner", .. } => {
            unknown("preconditioner", whole, &Preconditioning::names())
        }
        other => other,
    })
}

impl fmt::Display for Preconditioning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Preconditioning::Named(preconditioner) => preconditioner.fmt(f),
            Preconditioning::Variant(preconditioner, variant) => write!(f, "{preconditioner}:{variant}"),
            Preconditioning::Inner(inner) => inner.fmt(f),
        }
    }
}
