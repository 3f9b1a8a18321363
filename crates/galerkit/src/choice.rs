//! What a user can choose, each with the name that command lines, reports and files use.

use crate::error::{Error, Result};
use crate::inner::InnerChoice;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Format;
use std::fmt;
use std::str::FromStr;

/// How A x = b is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By what can be seen of the matrix, and by what comes of it: a method that fails is followed by another, see
    /// [`Report::tried`](crate::Report::tried).
    #[default]
    Auto,
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
        format!("auto, {}, lu, cholesky, dense", Krylov::NAMES)
    }

    /// The Krylov method, if it is one.
    pub fn krylov(self) -> Option<Krylov> {
        match self {
            Method::Krylov(krylov) => Some(krylov),
            Method::Auto | Method::Lu | Method::Cholesky | Method::Dense => None,
        }
    }
}

impl From<Krylov> for Method {
    fn from(krylov: Krylov) -> Self {
        Method::Krylov(krylov)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Auto => f.write_str("auto"),
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
            "auto" => Method::Auto,
            "lu" => Method::Lu,
            "cholesky" => Method::Cholesky,
            "dense" => Method::Dense,
            _ => Method::Krylov(name.parse().map_err(|error| match error {
                galerkit_linalg::Error::UnknownName { .. } => unknown("method", name, &Self::names()),
                other => other.into(),
            })?),
        })
    }
}

/// What approximates the inverse of A in an iterative method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PreconditionerChoice {
    /// Jacobi where the diagonal suits the method, else none.
    #[default]
    Auto,
    /// This one.
    Given(Preconditioner),
    /// An inner solve, for flexible methods.
    Inner(InnerChoice),
}

impl PreconditionerChoice {
    /// The names.
    pub fn names() -> String {
        format!("auto, {}, inner:METHOD[,rtol=R][,limit=N][,precond=NAME]", Preconditioner::NAMES)
    }
}

impl PreconditionerChoice {
    /// The preconditioner that was named, for the method or for its inner solve.
    pub fn named(&self) -> Option<Preconditioner> {
        match self {
            PreconditionerChoice::Auto => None, // Jacobi or none
            PreconditionerChoice::Given(preconditioner) => Some(*preconditioner),
            PreconditionerChoice::Inner(inner) => inner.preconditioner,
        }
    }
}

impl From<Preconditioner> for PreconditionerChoice {
    fn from(preconditioner: Preconditioner) -> Self {
        PreconditionerChoice::Given(preconditioner)
    }
}

impl From<InnerChoice> for PreconditionerChoice {
    fn from(inner: InnerChoice) -> Self {
        PreconditionerChoice::Inner(inner)
    }
}

impl FromStr for PreconditionerChoice {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        match name.split_once(':') {
            _ if name == "auto" => Ok(PreconditionerChoice::Auto),
            _ if name == "inner" => Ok(PreconditionerChoice::Inner(InnerChoice::default())),
            Some(("inner", inner)) => Ok(PreconditionerChoice::Inner(inner.parse()?)),
            _ => Ok(PreconditionerChoice::Given(name.parse().map_err(|error| match error {
                galerkit_linalg::Error::UnknownName { .. } => unknown("preconditioner", name, &Self::names()),
                other => other.into(),
            })?)),
        }
    }
}

impl fmt::Display for PreconditionerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PreconditionerChoice::Auto => f.write_str("auto"),
            PreconditionerChoice::Given(preconditioner) => preconditioner.fmt(f),
            PreconditionerChoice::Inner(inner) => inner.fmt(f),
        }
    }
}

/// How the matrix is stored for the products.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FormatChoice {
    /// Chosen from the row lengths and the device.
    #[default]
    Auto,
    /// This one.
    Given(Format),
}

impl FromStr for FormatChoice {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(if name == "auto" { FormatChoice::Auto } else { FormatChoice::Given(name.parse()?) })
    }
}

impl fmt::Display for FormatChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatChoice::Auto => f.write_str("auto"),
            FormatChoice::Given(format) => format.fmt(f),
        }
    }
}

/// In which order rows and columns are stored while solving; the solution always comes in the order of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderingChoice {
    /// Reverse Cuthill-McKee when it pays; on a GPU with exact triangular solves colours where they win.
    #[default]
    Auto,
    /// As given.
    Natural,
    /// Reverse Cuthill-McKee.
    Rcm,
    /// Colour by colour: rows of one colour do not need each other, so triangular solves have as few steps as there are
    /// colours; preconditioners become weaker.
    Colours,
}

impl OrderingChoice {
    /// The names.
    pub const NAMES: &str = "auto, natural, rcm, colours";
}

impl fmt::Display for OrderingChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OrderingChoice::Auto => "auto",
            OrderingChoice::Natural => "natural",
            OrderingChoice::Rcm => "rcm",
            OrderingChoice::Colours => "colours",
        })
    }
}

impl FromStr for OrderingChoice {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "auto" => OrderingChoice::Auto,
            "natural" => OrderingChoice::Natural,
            "rcm" => OrderingChoice::Rcm,
            "colours" => OrderingChoice::Colours,
            _ => return Err(unknown("ordering", name, Self::NAMES)),
        })
    }
}

/// What executes the solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// Threads and SIMD.
    #[default]
    Cpu,
    /// Obvious sequential loops: the oracle.
    Reference,
    /// The NVIDIA GPU of this number.
    Cuda(usize),
}

impl Device {
    /// The names.
    pub const NAMES: &str = "auto, cpu, cuda, cuda:N, reference";
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => f.write_str("cpu"),
            Device::Reference => f.write_str("reference"),
            Device::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl FromStr for Device {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        let number = |text: &str| text.parse().map(Device::Cuda).map_err(|_| unknown("device", name, Self::NAMES));
        match name {
            "cpu" => Ok(Device::Cpu),
            "reference" => Ok(Device::Reference),
            "cuda" => Ok(Device::Cuda(0)),
            _ => name.strip_prefix("cuda:").map_or_else(|| Err(unknown("device", name, Self::NAMES)), number),
        }
    }
}

/// What executes the solve, chosen or given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The first GPU where there is one and the system is worth it; see [`Device::auto`].
    Auto,
    /// This one.
    Given(Device),
}

impl Default for DeviceChoice {
    fn default() -> Self {
        DeviceChoice::Given(Device::Cpu)
    }
}

impl From<Device> for DeviceChoice {
    fn from(device: Device) -> Self {
        DeviceChoice::Given(device)
    }
}

impl FromStr for DeviceChoice {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(if name == "auto" { DeviceChoice::Auto } else { DeviceChoice::Given(name.parse()?) })
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Given(device) => device.fmt(f),
        }
    }
}

/// The error for a name nobody knows.
pub(crate) fn unknown(what: &'static str, name: &str, known: &str) -> Error {
    galerkit_linalg::Error::UnknownName { what, name: name.into(), known: known.into() }.into()
}
