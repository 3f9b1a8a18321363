//! The methods by name: Krylov's, and elimination.

use super::{Choice, unknown};
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How A x = b is solved. Left to the program it goes by what can be seen of the matrix, and by what comes of it: a
/// method that fails is followed by another, see [`Report::tried`](crate::Report::tried).
///
/// ```
/// use galerkit::{Choice, Krylov, Method};
///
/// assert_eq!("gmres:50".parse::<Method>()?, Method::Krylov(Krylov::Gmres { restart: 50 }));
/// assert_eq!("auto".parse::<Choice<Method>>()?, Choice::Auto);
/// assert_eq!(Method::CG.krylov(), Some(Krylov::Cg));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A Krylov method.
    Krylov(Krylov),
    /// Sparse LU with pivoting, for any regular matrix.
    Lu,
    /// Sparse Cholesky, for Hermitian positive definite matrices.
    Cholesky,
    /// Dense Gaussian elimination with partial pivoting, for small matrices.
    Dense,
}

impl Method {
    /// Conjugate gradients.
    pub const CG: Method = Method::Krylov(Krylov::Cg);

    /// The names, in the order of the enum.
    pub fn names() -> String {
        format!("{}, lu, cholesky, dense", Krylov::NAMES)
    }

    /// The Krylov method, if it is one.
    pub fn krylov(self) -> Option<Krylov> {
        match self {
            Method::Krylov(krylov) => Some(krylov),
            Method::Lu | Method::Cholesky | Method::Dense => None,
        }
    }
}

impl From<Krylov> for Method {
    fn from(krylov: Krylov) -> Self {
        Method::Krylov(krylov)
    }
}

impl From<Krylov> for Choice<Method> {
    fn from(krylov: Krylov) -> Self {
        Choice::Given(krylov.into())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Krylov(krylov) => krylov.fmt(f),
            Method::Lu => f.write_str("lu"),
            Method::Cholesky => f.write_str("cholesky"),
            Method::Dense => f.write_str("dense"),
        }
    }
}

impl FromStr for Method {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "lu" => Method::Lu,
            "cholesky" => Method::Cholesky,
            "dense" => Method::Dense,
            _ => Method::Krylov(name.parse().map_err(|error| match error {
                Error::UnknownName { .. } => unknown("method", name, &Self::names()),
                other => other,
            })?),
        })
    }
}
