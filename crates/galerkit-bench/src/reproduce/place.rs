//! Where something is solved: a core, all cores, a GPU.

use galerkit::{Device, current_threads};

/// Where it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What computes.
    pub device: Device,
    /// Threads on the CPU; none: as many as the current pool has.
    pub threads: Option<usize>,
}

impl Place {
    /// One core of the CPU, which all others are compared to.
    pub const ONE_CORE: Place = Place { device: Device::Cpu, threads: Some(1) };

    /// A device with all it has.
    pub fn whole(device: Device) -> Self {
        Self { device, threads: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.device, self.threads) {
            (Device::Cpu, Some(1)) => f.write_str("cpu, 1 core"),
            (Device::Cpu, threads) => write!(f, "cpu, {} threads", threads.unwrap_or_else(current_threads)),
            (device, _) => write!(f, "{device}"),
        }
    }
}
