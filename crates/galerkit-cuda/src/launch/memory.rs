//! Memory: buffers on the GPU, and pinned words on the host that both sides see. How arrays get there and back is
//! `transfer`.

use super::{Gpu, refused};
use crate::error::{Error, Result};
use cudarc::driver::{DriverError, result, sys};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes on the GPU. Freed when dropped, after the work that uses them: freeing waits.
pub struct Buffer {
    pub(super) gpu: Arc<Gpu>,
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

impl Buffer {
    /// Room for so many bytes, contents undefined. Checked against what is free before it is asked for.
    pub fn new(gpu: &Arc<Gpu>, what: &str, bytes: usize) -> Result<Self> {
        gpu.require_memory(what, bytes)?;
        // SAFETY: a plain allocation; at least one byte, because the driver refuses zero.
        match unsafe { result::malloc_sync(bytes.max(1)) } {
            Ok(pointer) => Ok(Self { gpu: gpu.clone(), pointer, bytes }),
            // Others use the GPU too, and what is free may be in pieces.
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
                let (free, total) = gpu.free_memory()?;
                Err(Error::OutOfMemory { what: what.into(), needed: bytes, free, total })
            }
            Err(error) => refused("cuMemAlloc", Err(error)),
        }
    }

    /// Room for so many bytes, all zero.
    pub fn zeroed(gpu: &Arc<Gpu>, what: &str, bytes: usize) -> Result<Self> {
        Self::filled(gpu, what, bytes, 0)
    }

    /// Room for so many bytes, all the same.
    pub fn filled(gpu: &Arc<Gpu>, what: &str, bytes: usize, byte: u8) -> Result<Self> {
        let mut buffer = Self::new(gpu, what, bytes)?;
        buffer.fill(byte);
        Ok(buffer)
    }

    /// Sets every byte to zero, in stream order.
    pub fn clear(&mut self) {
        self.fill(0);
    }

    fn fill(&mut self, byte: u8) {
        self.gpu.enter();
        // SAFETY: the buffer has `bytes` bytes and outlives the stream's work, because freeing it waits.
        let done = unsafe { result::memset_d8_async(self.pointer, byte, self.bytes, self.gpu.stream) };
        self.gpu.note(refused("cuMemsetD8Async", done));
    }

    /// Sets the first so many bytes to zero, in stream order.
    pub fn clear_first(&self, bytes: usize) {
        assert!(bytes <= self.bytes);
        self.gpu.enter();
        // SAFETY: as for `fill`; nobody on the host has a view of these bytes.
        let done = unsafe { result::memset_d8_async(self.pointer, 0, bytes, self.gpu.stream) };
        self.gpu.note(refused("cuMemsetD8Async", done));
    }

    /// Copies words of pinned memory to the beginning, in stream order; they must stay as they are until the stream has
    /// passed.
    pub fn upload_pinned(&mut self, pinned: &Pinned, first: usize, words: usize) {
        assert!(first + words <= pinned.length && 8 * words <= self.bytes, "{words} words from {first} on");
        self.gpu.enter();
        // SAFETY: inside both allocations; the words are only ever accessed whole, and stay while the copy is under
        // way.
        let queued = unsafe {
            let from = std::slice::from_raw_parts(pinned.words.add(first).cast::<u64>(), words);
            result::memcpy_htod_async(self.pointer, from, self.gpu.stream)
        };
        self.gpu.note(refused("cuMemcpyHtoDAsync", queued));
    }

    /// Copies some bytes to the beginning of pinned memory and waits for them and everything before: no detour through
    /// the driver's own pinned memory, as a plain download takes.
    pub fn download_pinned(&self, from: usize, bytes: usize, pinned: &Pinned) -> Result<()> {
        assert!(from + bytes <= self.bytes && bytes <= 8 * pinned.length, "{bytes} bytes from {from} on");
        self.gpu.enter();
        // SAFETY: inside both allocations; nobody looks at the words before the stream was waited for.
        let queued = unsafe {
            let to = std::slice::from_raw_parts_mut(pinned.words.cast::<u8>(), bytes);
            result::memcpy_dtoh_async(to, self.pointer + from as u64, self.gpu.stream)
        };
        refused("cuMemcpyDtoHAsync", queued)?;
        self.gpu.synchronize()
    }

    /// Copies another buffer's first bytes here, in stream order.
    pub fn copy_from(&mut self, other: &Buffer, bytes: usize) {
        assert!(bytes <= self.bytes.min(other.bytes));
        self.gpu.enter();
        // SAFETY: lengths were checked; both buffers outlive the copy, because freeing waits.
        let done = unsafe { result::memcpy_dtod_async(self.pointer, other.pointer, bytes, self.gpu.stream) };
        self.gpu.note(refused("cuMemcpyDtoDAsync", done));
    }

    /// Another buffer with the same bytes, in stream order.
    pub fn duplicate(&self, what: &str) -> Result<Self> {
        let mut copy = Self::new(&self.gpu, what, self.bytes)?;
        copy.copy_from(self, self.bytes);
        Ok(copy)
    }

    /// Its address, as a word for kernel arguments.
    pub fn address(&self) -> u64 {
        self.pointer
    }
    /// Its size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// The GPU it is on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.gpu.enter();
        // SAFETY: allocated by `new`, freed once; the driver waits for work that may use it.
        let _ = unsafe { result::free_sync(self.pointer) }; // a lost context has freed it already
    }
}

/// 64-bit words in pinned host memory at the same address for host and GPU. Each word is read and written whole.
pub struct Pinned {
    gpu: Arc<Gpu>,
    words: *mut AtomicU64,
    length: usize,
}

// SAFETY: pinned memory belongs to the context, not to a thread, and is only accessed by atomic operations.
unsafe impl Send for Pinned {}

impl Pinned {
    /// So many words, all zero.
    pub fn new(gpu: &Arc<Gpu>, length: usize) -> Result<Self> {
        gpu.enter();
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: a plain allocation of 8-byte words, page aligned by the driver.
        let pointer = refused("cuMemHostAlloc", unsafe { result::malloc_host(8 * length.max(1), flags) })?;
        let pinned = Self { gpu: gpu.clone(), words: pointer.cast(), length };
        (0..length).for_each(|i| pinned.write(i, 0));
        Ok(pinned)
    }

    /// A word as the GPU wrote it last, with everything the GPU wrote before it.
    pub fn read(&self, i: usize) -> u64 {
        self.word(i).load(Ordering::Acquire)
    }
    /// Writes a word.
    pub fn write(&self, i: usize, value: u64) {
        self.word(i).store(value, Ordering::Release);
    }
    /// Its address, as a word for kernel arguments.
    pub fn address(&self) -> u64 {
        self.words as u64
    }

    fn word(&self, i: usize) -> &AtomicU64 {
        assert!(i < self.length);
        // SAFETY: inside the allocation, aligned, and only ever accessed as whole words by both sides.
        unsafe { &*self.words.add(i) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let _ = self.gpu.synchronize(); // the GPU may still write to it; the error stays in its slot
        // SAFETY: allocated by `new`, freed once; the stream is idle.
        let _ = unsafe { result::free_host(self.words.cast()) };
    }
}
