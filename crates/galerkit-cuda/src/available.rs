//! Whether this machine can run the CUDA engine: a driver, a GPU, and kernels for it. What `--device auto` asks and
//! `galerkit doctor` explains.

use crate::error::{Error, Result};
use crate::jit::{Cache, Found, Places, Version};
use crate::launch::{Properties, gpus};
use std::path::PathBuf;

/// Where the kernels of a GPU come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Kernels {
    /// NVRTC at a path (or by a name that the system's loader knows).
    Compiled(PathBuf, Version),
    /// No NVRTC: only the so many kernels that the cache has for the architecture.
    Cached(usize),
}

impl Kernels {
    /// An error if the compiler is of a newer generation of CUDA than the driver of a GPU, which then takes none of its
    /// machine code.
    pub fn fit(&self, gpu: &Properties) -> Result<()> {
        match (self, gpu.driver) {
            (Kernels::Compiled(path, nvrtc), driver) if nvrtc.0 > driver.0 => {
                let (path, nvrtc, reason) = (path.clone(), *nvrtc, "it is of a newer generation".into());
                Err(Error::NewerNvrtc { path, nvrtc, driver, reason })
            }
            _ => Ok(()),
        }
    }
}

/// The first GPU and where its kernels come from; the error says what is missing and what installs it.
pub fn available() -> Result<(Properties, Kernels)> {
    let gpu = gpus()?.remove(0);
    let kernels = kernels(Some(&gpu))?;
    Ok((gpu, kernels))
}

/// Where kernels come from, for a GPU or, without one, for compiling alone.
pub fn kernels(gpu: Option<&Properties>) -> Result<Kernels> {
    let cache = Cache::of_environment();
    let mut compiler = Found::new(&Places::of_environment(gpu.map(|gpu| gpu.driver.0)), cache.clone());
    match compiler.look() {
        Ok((path, version)) => Ok(Kernels::Compiled(path, version)),
        Err(error) => match gpu.map_or(0, |gpu| cache.count_for(&gpu.architecture())) {
            0 => Err(error),
            count => Ok(Kernels::Cached(count)),
        },
    }
}
