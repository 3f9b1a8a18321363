//! Where a heart beats: the engine of a run on a device, and what has gone wrong there.

use crate::choice::{Choice, Device};
use crate::error::{Error, Result};
use crate::solver::machine::Machine;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Settings, executor};
use galerkit_linalg::engine::{AnyEngine, Recorded, cpu_executor, reference_executor};

/// The device for a tissue of so many nodes, and why.
pub fn device(choice: Choice<Device>, nodes: usize) -> (Device, String) {
    choice.resolve_for_map(nodes)
}

/// An engine on a device.
///
/// ```
/// use galerkit::Device;
///
/// let engine = galerkit::heart::engine(Device::Cpu)?;
/// assert!(galerkit::heart::failure(&engine).is_none());
/// # Ok::<(), galerkit::Error>(())
/// ```
///
/// # Errors
/// If there is no such GPU, or no way to compile for it.
pub fn engine(device: Device) -> Result<AnyEngine<f64>> {
    Ok(Recorded::over(match device {
        Device::Cpu => cpu_executor(),
        Device::Reference => reference_executor(),
        Device::Cuda(number) => executor(&Gpu::open(number)?, Settings::default())?,
    }))
}

/// What has gone wrong on a GPU since the engine was made.
pub fn failure(engine: &AnyEngine<f64>) -> Option<Error> {
    engine.executor().cuda()?.failure().map(Error::from)
}
