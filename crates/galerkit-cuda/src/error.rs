//! What can go wrong between here and a GPU, each with what to do about it.

use std::path::PathBuf;
use std::sync::Arc;

/// Errors of this crate.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are named in the sentence
pub enum Error {
    #[error(
        "no NVIDIA driver found (libcuda): install it from your distribution, e.g. `apt-get install nvidia-driver-580`, or solve on the CPU"
    )]
    NoDriver,
    #[error(
        "the NVIDIA driver is of CUDA {}.{} and {}.{} is the least that will do: update it, e.g. `apt-get install nvidia-driver-580`, or solve on the CPU",
        found.0, found.1, least.0, least.1
    )]
    OldDriver { found: (u32, u32), least: (u32, u32) },
    #[error("the NVIDIA driver knows no GPU: look at `nvidia-smi`, or solve on the CPU")]
    NoGpu,
    #[error("there is no GPU {asked}: the driver knows {count}, numbered from 0; choose one of those")]
    NoSuchGpu { asked: usize, count: usize },
    #[error(
        "no NVRTC found, which compiles the kernels: `pip install nvidia-cuda-nvrtc`, or set GALERKIT_NVRTC to libnvrtc or its folder (looked at: {looked})"
    )]
    NoNvrtc { looked: String },
    #[error("{path} is not a usable NVRTC: {reason}; set GALERKIT_NVRTC to another or `pip install nvidia-cuda-nvrtc`")]
    BadNvrtc { path: PathBuf, reason: String },
    #[error(
        "the driver (CUDA {}.{}) does not take the machine code of NVRTC {}.{} at {path} ({reason}): update the driver, or {}",
        driver.0, driver.1, nvrtc.0, nvrtc.1, older_nvrtc(driver.0)
    )]
    NewerNvrtc { path: PathBuf, nvrtc: (u32, u32), driver: (u32, u32), reason: String },
    #[error("cuSPARSE refused {call}: {reason}")]
    Cusparse { call: String, reason: String },
    #[error("kernel {kernel} does not compile for {architecture}; {}:\n{log}", whose_fault(log))]
    Compile { kernel: String, architecture: String, log: String },
    #[error("{what} needs {needed_} of GPU memory and {free_} of {total} are free{}: use a smaller problem, another format, single precision, or the CPU",
            whose_memory(*needed, *free), needed_ = Amount(*needed), free_ = Amount(*free), total = Amount(*total))]
    OutOfMemory { what: String, needed: usize, free: usize, total: usize },
    #[error("the driver refused {call}: {reason}")]
    Driver { call: String, reason: String },
    #[error("{what} cannot run on the GPU: {reason}")]
    Unsupported { what: String, reason: String },
    /// Said of the matrix, not of the GPU.
    #[error(transparent)]
    Linalg(Arc<galerkit_linalg::Error>), // shared, because this type is cloned and that one is not
}

/// What the compiler calls the source that a map has brought along, before the map's name.
pub(crate) const SOURCE_OF: &str = "the device source of ";

/// Where an NVRTC of a generation of CUDA comes from: the wheel without a number is the newest.
fn older_nvrtc(generation: u32) -> String {
    match generation {
        12 => "`pip install nvidia-cuda-nvrtc-cu12` and set GALERKIT_NVRTC to its folder".into(),
        other => format!("set GALERKIT_NVRTC to an NVRTC of CUDA {other}"),
    }
}

/// What is free may be in pieces, and others may take it between the look and the allocation.
fn whose_memory(needed: usize, free: usize) -> &'static str {
    if needed <= free {
        ", but the driver refused it: it was taken in between, or is in pieces; try again"
    } else {
        " (nvidia-smi shows who else uses it)"
    }
}

fn whose_fault(log: &str) -> &'static str {
    if log.contains(SOURCE_OF) {
        "mend the device source that is named below, at the line that is named"
    } else {
        "this is a bug in galerkit, please report it"
    }
}

impl From<galerkit_linalg::Error> for Error {
    fn from(error: galerkit_linalg::Error) -> Self {
        Error::Linalg(Arc::new(error))
    }
}

impl Error {
    /// What was said of the matrix, if it is that; otherwise the error as it is.
    pub fn into_linalg(self) -> std::result::Result<galerkit_linalg::Error, Self> {
        match self {
            Error::Linalg(error) => Arc::try_unwrap(error).map_err(Error::Linalg),
            other => Err(other),
        }
    }
}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Bytes as people say them.
pub struct Amount(pub usize);

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..1024 => write!(f, "{bytes} B"),
            1024..0x10_0000 => write!(f, "{:.1} KiB", bytes / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.1} MiB", bytes / f64::from(1 << 20)),
            _ => write!(f, "{:.1} GiB", bytes / f64::from(1 << 30)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_said_with_the_amounts() {
        let error = Error::OutOfMemory {
            what: "the matrix".into(),
            needed: 13_314_398_618,
            free: 9_771_050_598,
            total: 1 << 34,
        };
        let said = error.to_string();
        assert!(
            said.starts_with("the matrix needs 12.4 GiB of GPU memory and 9.1 GiB of 16.0 GiB are free (nv"),
            "{said}"
        );
        let error = Error::OutOfMemory { what: "b".into(), needed: 8, free: 9, total: 10 };
        assert!(error.to_string().contains("taken in between, or is in pieces; try again"), "{error}");
        assert_eq!(
            [Amount(5), Amount(2048), Amount(3 << 20)].map(|amount| amount.to_string()),
            ["5 B", "2.0 KiB", "3.0 MiB"]
        );
    }
}
