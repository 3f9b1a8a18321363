//! On which device a solve runs, and why: the GPU where one can be used and the system is worth it. What was taken is
//! never silent: the reason goes into the report, and programs print it.

use crate::choice::{Choice, Device, Method};
use crate::error::Result;
use galerkit_cuda::Error as CudaError;
use galerkit_cuda::available::{Kernels, kernels};
use galerkit_cuda::error::Amount;
use galerkit_cuda::launch::{Properties, gpus};
use std::sync::OnceLock;

/// Below so many entries a solve is over on the CPU before a GPU has been opened.
pub const SMALL: usize = 50_000;
/// The same in rows, of ten entries each, where entries cannot be counted.
const FEW_ROWS: usize = SMALL / 10;

impl Device {
    /// The device for a system with so many stored entries that is solved by this method, and why. Without a GPU that
    /// can be used the reason says what is missing and what installs it.
    ///
    /// ```
    /// use galerkit::{Device, Method};
    ///
    /// let (device, reason) = Device::auto(100, Method::CG);
    /// assert_eq!(device, Device::Cpu);
    /// assert!(reason.contains("too few for a GPU"));
    /// ```
    pub fn auto(nnz: usize, method: Method) -> (Device, String) {
        if let Some(reason) = elimination(method) {
            return (Device::Cpu, reason);
        }
        if nnz < SMALL {
            return (Device::Cpu, format!("{nnz} entries are too few for a GPU, which pays from {SMALL}"));
        }
        Self::of_machine()
    }

    /// The first GPU if it can be used, else the CPU; and why.
    ///
    /// ```
    /// let (device, reason) = galerkit::Device::of_machine();
    /// println!("{device}: {reason}");
    /// ```
    pub fn of_machine() -> (Device, String) {
        static FIRST: OnceLock<std::result::Result<Properties, CudaError>> = OnceLock::new();
        match FIRST.get_or_init(|| usable(0).and_then(fitting)) {
            Ok(gpu) => (Device::Cuda(gpu.ordinal), format!("{}, {}", gpu.name, Amount(gpu.memory))),
            Err(error) => (Device::Cpu, lack(error)),
        }
    }

    /// An error, which names the fix, where this device cannot be used here: no driver, no such GPU, no compiler.
    ///
    /// ```
    /// use galerkit::Device;
    ///
    /// Device::Cpu.require()?;
    /// assert!(Device::Cuda(99).require().is_err());
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn require(self) -> Result<()> {
        if let Device::Cuda(number) = self {
            usable(number)?;
        }
        Ok(())
    }
}

impl Choice<Device> {
    /// The device of a solve, and why.
    pub(crate) fn resolve(self, nnz: usize, method: Method) -> (Device, String) {
        match (self, elimination(method)) {
            (Choice::Auto, _) => Device::auto(nnz, method),
            (Choice::Given(Device::Cuda(_)), Some(reason)) => (Device::Cpu, reason),
            (Choice::Given(device), _) => (device, "asked for".into()),
        }
    }

    /// The device of iterations with an operator of so many rows that has no entries to be counted, and why.
    ///
    /// ```
    /// use galerkit::{Choice, Device};
    ///
    /// let (device, reason) = Choice::Given(Device::Cpu).resolve_for_map(1_000_000);
    /// assert_eq!((device, reason.as_str()), (Device::Cpu, "asked for"));
    /// ```
    pub fn resolve_for_map(self, rows: usize) -> (Device, String) {
        match self {
            Choice::Given(device) => (device, "asked for".into()),
            Choice::Auto if rows < FEW_ROWS => {
                (Device::Cpu, format!("{rows} unknowns are too few for a GPU, which pays from {FEW_ROWS}"))
            }
            Choice::Auto => Device::of_machine(),
        }
    }
}

/// Why a method stays on the CPU whatever there is.
fn elimination(method: Method) -> Option<String> {
    match method {
        Method::Lu | Method::Cholesky | Method::Dense => Some(format!("{method} runs on the CPU only")),
        Method::Krylov(_) => None,
    }
}

/// A GPU and where its kernels come from.
fn usable(number: usize) -> galerkit_cuda::Result<(Properties, Kernels)> {
    let mut list = gpus()?;
    if number >= list.len() {
        return Err(CudaError::NoSuchGpu { asked: number, count: list.len() });
    }
    let gpu = list.swap_remove(number);
    let kernels = kernels(Some(&gpu))?;
    Ok((gpu, kernels))
}

/// A GPU, unless its driver is not likely to take what the compiler makes: one that was asked for may try.
fn fitting((gpu, kernels): (Properties, Kernels)) -> galerkit_cuda::Result<Properties> {
    kernels.fit(&gpu)?;
    Ok(gpu)
}

/// What is missing, in one line; the sentence of the error also says what to do instead of using a GPU.
fn lack(error: &CudaError) -> String {
    match error {
        CudaError::NoDriver => "no NVIDIA driver found".into(),
        CudaError::NoGpu => "the NVIDIA driver knows no GPU, see nvidia-smi".into(),
        CudaError::OldDriver { found, least } => format!(
            "the NVIDIA driver is of CUDA {}.{}, and {}.{} is the least: update it",
            found.0, found.1, least.0, least.1
        ),
        CudaError::NoNvrtc { .. } => "no NVRTC found, install it with `pip install nvidia-cuda-nvrtc`".into(),
        other => other.to_string().lines().next().unwrap_or_default().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems_and_elimination_stay_on_the_cpu_and_say_so() {
        let (device, reason) = Device::auto(SMALL - 1, Method::CG);
        assert_eq!(
            (device, reason.as_str()),
            (Device::Cpu, "49999 entries are too few for a GPU, which pays from 50000")
        );
        for method in [Method::Lu, Method::Cholesky, Method::Dense] {
            let said = format!("{method} runs on the CPU only");
            assert_eq!(Device::auto(1 << 30, method), (Device::Cpu, said.clone()));
            assert_eq!(Choice::Given(Device::Cuda(0)).resolve(1 << 30, method), (Device::Cpu, said));
        }
        let given = Choice::Given(Device::Reference);
        assert_eq!(given.resolve(1, Method::Lu), (Device::Reference, "asked for".into()));
    }

    #[test]
    fn what_is_missing_is_one_line_with_its_fix() {
        let nvrtc = lack(&CudaError::NoNvrtc { looked: "a, b".into() });
        assert!(nvrtc.contains("pip install nvidia-cuda-nvrtc") && !nvrtc.contains('\n'));
        assert_eq!(lack(&CudaError::NoDriver), "no NVIDIA driver found");
        let broken = CudaError::Compile { kernel: "k".into(), architecture: "sm_90".into(), log: "a\nb".into() };
        assert!(!lack(&broken).contains('\n'));
    }
}
