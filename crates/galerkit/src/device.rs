//! Where threads are started, how many of them a device uses, and what runs programs on it.

use crate::choice::Device;
use crate::error::{Error, Result};
use galerkit_cuda::Settings;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::engine::{AnyExecutor, cpu_executor, reference_executor};

/// More threads than this cannot be meant.
pub(crate) const MOST_THREADS: usize = 1024;

/// Refuses numbers of threads that cannot be meant.
fn check_threads(asked: usize) -> Result<()> {
    if asked == 0 || asked > MOST_THREADS { Err(Error::Threads { asked, limit: MOST_THREADS }) } else { Ok(()) }
}

/// Runs a job on a pool of so many threads; without a number on the pool that is current.
///
/// ```
/// let threads = galerkit::on_threads(Some(2), || Ok(galerkit::current_threads()))?;
/// assert_eq!(threads, 2);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub fn on_threads<T: Send>(threads: Option<usize>, job: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let Some(asked) = threads else { return job() };
    check_threads(asked)?;
    if asked == rayon::current_num_threads() {
        return job();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(asked).build();
    pool.map_err(|source| Error::ThreadPool { asked, source })?.install(job)
}

/// Makes so many threads the pool of the whole program; for programs, once, at their start.
///
/// ```
/// galerkit::use_threads(2)?;
/// assert_eq!(galerkit::current_threads(), 2);
/// assert!(galerkit::use_threads(0).is_err());
/// # Ok::<(), galerkit::Error>(())
/// ```
pub fn use_threads(asked: usize) -> Result<()> {
    check_threads(asked)?;
    let global = rayon::ThreadPoolBuilder::new().num_threads(asked).build_global();
    global.map_err(|source| Error::ThreadPool { asked, source })
}

/// Threads of the current pool.
///
/// ```
/// assert!(galerkit::current_threads() >= 1);
/// ```
pub fn current_threads() -> usize {
    rayon::current_num_threads()
}

/// How many threads of the current pool a device uses.
pub(crate) fn threads_used(device: Device) -> usize {
    match device {
        Device::Cpu => rayon::current_num_threads(),
        Device::Reference | Device::Cuda(_) => 1,
    }
}

impl Device {
    /// What runs programs in double precision on this device: an engine over it is `AnyEngine::over(executor)`.
    ///
    /// ```
    /// use galerkit::Device;
    /// use galerkit::linalg::engine::{AnyEngine, Engine};
    ///
    /// let mut e = AnyEngine::over(Device::Cpu.executor()?);
    /// let x = e.upload(&[3.0, 4.0]);
    /// let norm = e.norm(&x);
    /// assert_eq!(e.value(norm), 5.0);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn executor(self) -> Result<AnyExecutor<f64>> {
        Ok(match self {
            Device::Cpu => cpu_executor(),
            Device::Reference => reference_executor(),
            Device::Cuda(number) => galerkit_cuda::executor(&Gpu::open(number)?, Settings::default())?,
        })
    }
}
