//! What is missing and what to do about it.

use galerkit::cuda::Error;
use serde::Serialize;

/// Something that is missing.
#[derive(Debug, PartialEq, Serialize)]
pub struct Missing {
    /// What it is.
    pub what: String,
    /// The command or change that supplies it.
    pub fix: String,
    /// Whether GPUs cannot be used without it.
    pub needed_for_gpu: bool,
}

impl Missing {
    /// What an error of the CUDA engine comes to; the version of the driver, if there is one, decides which compiler
    /// fits.
    pub fn of(error: &Error, driver: Option<(u32, u32)>) -> Self {
        let (what, fix) = match error {
            Error::NoDriver => (
                "NVIDIA driver (libcuda)".into(),
                "apt-get install nvidia-driver-580 (or your distribution's package); in a container: start it with --gpus all".into(),
            ),
            Error::NoGpu => {
                ("GPU that the driver knows".into(), "see nvidia-smi; in a container: start it with --gpus all".into())
            }
            Error::OldDriver { least, .. } => (
                format!("NVIDIA driver of CUDA {}.{} or newer", least.0, least.1),
                format!("apt-get install nvidia-driver-580 (or your distribution's package): {error}"),
            ),
            Error::NoNvrtc { .. } => ("NVRTC, which compiles the GPU kernels".into(), nvrtc(driver)),
            Error::NewerNvrtc { .. } => ("NVRTC that fits the driver".into(), error.to_string()),
            other => ("working GPU".into(), other.to_string()),
        };
        Self { what, fix, needed_for_gpu: true }
    }

    /// A cache that cannot be used, and why.
    pub fn cache(reason: String) -> Self {
        let fix = format!("set GALERKIT_CACHE to a folder that can be written ({reason})");
        Self { what: "cache for compiled kernels: every run compiles them again".into(), fix, needed_for_gpu: false }
    }
}

/// A driver takes the machine code of its own CUDA generation and of older ones.
fn nvrtc(driver: Option<(u32, u32)>) -> String {
    let package =
        if driver.is_some_and(|version| version.0 == 12) { "nvidia-cuda-nvrtc-cu12" } else { "nvidia-cuda-nvrtc" };
    format!("pip install {package} (or set GALERKIT_NVRTC to libnvrtc or its folder)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_fits_the_driver() {
        let fix = |driver| Missing::of(&Error::NoNvrtc { looked: String::new() }, driver).fix;
        assert!(fix(Some((12, 8))).starts_with("pip install nvidia-cuda-nvrtc-cu12 "));
        assert!(fix(Some((13, 0))).starts_with("pip install nvidia-cuda-nvrtc "));
        assert!(fix(None).starts_with("pip install nvidia-cuda-nvrtc "));
    }
}
