//! Devices by name.

use super::unknown;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What executes the solve.
///
/// ```
/// use galerkit::{Choice, Device};
///
/// assert_eq!("cuda:1".parse::<Device>()?, Device::Cuda(1));
/// assert_eq!("auto".parse::<Choice<Device>>()?, Choice::Auto);
/// # Ok::<(), galerkit::Error>(())
/// ```
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
    pub const NAMES: &str = "cpu, cuda, cuda:N, reference";
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
