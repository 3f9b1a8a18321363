//! What a user can choose, each with the name that command lines, reports and files use.

use crate::error::{Error, Result};
use galerkit_linalg::sparse::Format;
use std::fmt;
use std::str::FromStr;

/// How A x = b is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Conjugate gradients for Hermitian matrices with a positive diagonal, elimination for all others and for those
    /// that turn out not to be positive definite.
    #[default]
    Auto,
    /// Conjugate gradients, for Hermitian positive definite matrices.
    Cg,
    /// Sparse LU with pivoting, for any regular matrix.
    Lu,
    /// Sparse Cholesky, for Hermitian positive definite matrices.
    Cholesky,
    /// Dense Gaussian elimination with partial pivoting, for small matrices.
    Dense,
}

impl Method {
    /// The names, in the order of the enum.
    pub const NAMES: &str = "auto, cg, lu, cholesky, dense";
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Auto => "auto",
            Method::Cg => "cg",
            Method::Lu => "lu",
            Method::Cholesky => "cholesky",
            Method::Dense => "dense",
        })
    }
}

impl FromStr for Method {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "auto" => Method::Auto,
            "cg" => Method::Cg,
            "lu" => Method::Lu,
            "cholesky" => Method::Cholesky,
            "dense" => Method::Dense,
            _ => return Err(unknown("method", name, Self::NAMES)),
        })
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
    /// Reverse Cuthill-McKee when it pays.
    #[default]
    Auto,
    /// As given.
    Natural,
    /// Reverse Cuthill-McKee.
    Rcm,
}

impl fmt::Display for OrderingChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OrderingChoice::Auto => "auto",
            OrderingChoice::Natural => "natural",
            OrderingChoice::Rcm => "rcm",
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
            _ => return Err(unknown("ordering", name, "auto, natural, rcm")),
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
