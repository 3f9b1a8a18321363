//! The driver, its GPUs, and one of them opened: primary context, one stream, the first error that happened on it.

use super::refused;
use crate::error::{Error, Result};
use cudarc::driver::{result, sys};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a GPU says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Properties {
    /// Its number.
    pub ordinal: usize,
    /// Its name.
    pub name: String,
    /// Compute capability, for example (9, 0).
    pub capability: (u32, u32),
    /// Bytes of its memory.
    pub memory: usize,
    /// Bytes of its L2 cache.
    pub l2: usize,
    /// Multiprocessors.
    pub sm_count: usize,
    /// Most bytes of shared memory that a block can have.
    pub shared: usize,
    /// CUDA version of the driver, for example (13, 0).
    pub driver: (u32, u32),
}

impl Properties {
    /// The name of the architecture as compilers want it: `sm_90`.
    pub fn architecture(&self) -> String {
        format!("sm_{}{}", self.capability.0, self.capability.1)
    }
}

/// One GPU, opened. Work is queued on one stream, in order.
pub struct Gpu {
    properties: Properties,
    context: sys::CUcontext,
    pub(super) stream: sys::CUstream,
    first_error: Mutex<Option<Error>>,
    copying: AtomicU64,
}

// SAFETY: contexts and streams may be used from any thread that has made the context current, which every entry does.
unsafe impl Send for Gpu {}
// SAFETY: as above; the driver locks its own state, ours is behind a mutex.
unsafe impl Sync for Gpu {}

/// Wakes the driver; an error if there is none.
fn wake() -> Result<()> {
    // SAFETY: only looks whether the library can be loaded.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    result::init().map_err(|error| match error.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => Error::NoGpu,
        _ => Error::Driver { call: "cuInit".into(), reason: format!("{:?}", error.0) },
    })
}

/// All GPUs the driver knows; at least one.
pub fn gpus() -> Result<Vec<Properties>> {
    wake()?;
    let count = refused("cuDeviceGetCount", result::device::get_count())? as usize;
    if count == 0 { Err(Error::NoGpu) } else { (0..count).map(properties).collect() }
}

/// The oldest driver that has every function that is called here, and takes what the compilers of today make.
const LEAST_DRIVER: (u32, u32) = (12, 0);

/// The CUDA version of the driver; an error if it is too old, because functions that it lacks could not even be asked
/// for.
fn driver() -> Result<(u32, u32)> {
    let mut version = 0;
    // SAFETY: writes one integer.
    refused("cuDriverGetVersion", unsafe { sys::cuDriverGetVersion(&mut version) }.result())?;
    let found = (version as u32 / 1000, version as u32 % 1000 / 10);
    if found < LEAST_DRIVER { Err(Error::OldDriver { found, least: LEAST_DRIVER }) } else { Ok(found) }
}

fn properties(ordinal: usize) -> Result<Properties> {
    use sys::CUdevice_attribute as Attribute;
    let driver = driver()?;
    let device = refused("cuDeviceGet", result::device::get(ordinal as i32))?;
    // SAFETY: the device was given by the driver.
    let attribute = |which| refused("cuDeviceGetAttribute", unsafe { result::device::get_attribute(device, which) });
    Ok(Properties {
        ordinal,
        name: refused("cuDeviceGetName", result::device::get_name(device))?,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? as u32,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)? as u32,
        ),
        // SAFETY: the device was given by the driver.
        memory: refused("cuDeviceTotalMem", unsafe { result::device::total_mem(device) })?,
        l2: attribute(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)? as usize,
        sm_count: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as usize,
        shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as usize,
        driver,
    })
}

/// GPUs whose context stays until the process ends: making it takes a fifth of a second, and code that was loaded lives
/// in it.
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Gpu {
    /// Opens a GPU by its number.
    pub fn open(ordinal: usize) -> Result<Arc<Self>> {
        wake()?;
        let count = refused("cuDeviceGetCount", result::device::get_count())? as usize;
        if count == 0 {
            return Err(Error::NoGpu);
        }
        if ordinal >= count {
            return Err(Error::NoSuchGpu { asked: ordinal, count });
        }
        let properties = properties(ordinal)?;
        let device = refused("cuDeviceGet", result::device::get(ordinal as i32))?;
        // SAFETY: the device was given by the driver; the context is released when the Gpu is dropped.
        let retain = || refused("cuDevicePrimaryCtxRetain", unsafe { result::primary_ctx::retain(device) });
        let context = retain()?;
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.contains(&ordinal) {
            retain()?;
            kept.push(ordinal);
        }
        // SAFETY: the context was just retained.
        refused("cuCtxSetCurrent", unsafe { result::ctx::set_current(context) })?;
        let stream = refused("cuStreamCreate", result::stream::create(result::stream::StreamKind::NonBlocking))?;
        Ok(Arc::new(Self { properties, context, stream, first_error: Mutex::new(None), copying: AtomicU64::new(0) }))
    }

    /// What this GPU says of itself.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Makes this GPU the one that the calling thread talks to.
    pub(super) fn enter(&self) {
        // SAFETY: the context lives as long as self.
        let entered = refused("cuCtxSetCurrent", unsafe { result::ctx::set_current(self.context) });
        self.note(entered);
    }

    /// Bytes free and bytes in all.
    pub fn free_memory(&self) -> Result<(usize, usize)> {
        self.enter();
        refused("cuMemGetInfo", result::mem_get_info())
    }

    /// An error unless so many bytes are free.
    pub fn require_memory(&self, what: &str, needed: usize) -> Result<()> {
        let (free, total) = self.free_memory()?;
        if needed <= free { Ok(()) } else { Err(Error::OutOfMemory { what: what.into(), needed, free, total }) }
    }

    /// Keeps the first error of calls that only queue work; the next call that waits reports it.
    pub fn note<T>(&self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    }

    /// How long the host has waited so far for arrays that go up or come back, and for what was queued before them.
    pub fn copying(&self) -> Duration {
        Duration::from_nanos(self.copying.load(Ordering::Relaxed))
    }

    /// Copies, and counts the time.
    pub(super) fn copy<R>(&self, copy: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        let copied = copy();
        self.copying.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        copied
    }

    /// The first error so far.
    pub fn failure(&self) -> Option<Error> {
        self.first_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks whether the GPU is still well, without waiting.
    pub fn poll(&self) -> Result<()> {
        self.enter();
        // SAFETY: the stream lives as long as self.
        let looked = unsafe { sys::cuStreamQuery(self.stream) };
        let well = matches!(looked, sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_NOT_READY);
        if well { Ok(()) } else { refused("work on the GPU", looked.result()) }
    }

    /// Waits for everything queued; the first error so far, if there was one.
    pub fn synchronize(&self) -> Result<()> {
        self.enter();
        // SAFETY: the stream lives as long as self.
        let waited = refused("cuStreamSynchronize", unsafe { result::stream::synchronize(self.stream) });
        self.note(waited);
        self.failure().map_or(Ok(()), Err)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.enter();
        // SAFETY: nothing can use stream and context after self; queued work is waited for first.
        unsafe {
            let _ = result::stream::synchronize(self.stream); // nobody is left to tell
            let _ = result::stream::destroy(self.stream);
            if let Ok(device) = result::device::get(self.properties.ordinal as i32) {
                let _ = result::primary_ctx::release(device);
            }
        }
    }
}
