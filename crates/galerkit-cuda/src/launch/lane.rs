//! A lane: a stream of its own and two pinned buffers, one of which the host fills or empties while the GPU copies the
//! other.
//!
//! ```text
//! up     host   fill a | fill b | wait a, fill a | wait b, fill b | ...
//!        GPU           | copy a | copy b         | copy a         | ...
//! ```
//!
//! Lanes belong to the context, not to a thread: one at a time may use one.

use super::event::Event;
use super::refused;
use crate::error::Result;
use cudarc::driver::{result, sys};
use std::ops::Range;

/// Bytes of one of the two buffers. Small, because pinning takes 0.7 ms a MiB, and because it then stays in the cache
/// of a core.
pub(super) const ROOM: usize = 1 << 20;

/// A stream with two pinned buffers.
pub(super) struct Lane {
    stream: sys::CUstream,
    pinned: *mut u8,
    copied: [Event; 2],
}

// SAFETY: stream and pinned memory belong to the context; whoever has the lane is the only one to use them.
unsafe impl Send for Lane {}

impl Lane {
    /// A lane in the context that is current; an error where memory cannot be pinned.
    pub(super) fn new() -> Result<Self> {
        let copied = [Event::without_time()?, Event::without_time()?];
        let stream = refused("cuStreamCreate", result::stream::create(result::stream::StreamKind::NonBlocking))?;
        // SAFETY: a plain allocation; PORTABLE is not needed, because there is one context.
        let pinned = refused("cuMemHostAlloc", unsafe { result::malloc_host(2 * ROOM, 0) });
        let mut lane = Self { stream, pinned: std::ptr::null_mut(), copied };
        lane.pinned = pinned?.cast();
        Ok(lane)
    }

    /// What is copied from now on waits for an event.
    pub(super) fn after(&self, event: &Event) -> Result<()> {
        event.hold(self.stream)
    }

    /// Copies chunks, given as bytes behind an address, to the GPU, each from a buffer that `fill` has written; they
    /// are there when it returns.
    pub(super) fn upload(
        &mut self,
        to: sys::CUdeviceptr,
        chunks: &mut dyn Iterator<Item = Range<usize>>,
        fill: &dyn Fn(Range<usize>, &mut [u8]),
    ) -> Result<()> {
        let sent = chunks.enumerate().try_for_each(|(turn, chunk)| {
            let k = turn % 2;
            self.copied[k].wait()?;
            let (bytes, target) = (chunk.len(), to + chunk.start as u64);
            let buffer = &mut self.buffer(k)[..bytes];
            fill(chunk, buffer);
            let filled: *const u8 = buffer.as_ptr();
            // SAFETY: the caller's chunks are inside of its allocation; the buffer is left alone until the event has
            // passed.
            let queued = unsafe { sys::cuMemcpyHtoDAsync_v2(target, filled.cast(), bytes, self.stream) };
            refused("cuMemcpyHtoDAsync", queued.result())?;
            self.copied[k].record(self.stream)
        });
        sent.and(self.idle())
    }

    /// Copies chunks, given as bytes behind an address, from the GPU; `take` gets each as soon as it is there.
    pub(super) fn download(
        &mut self,
        from: sys::CUdeviceptr,
        chunks: &mut dyn Iterator<Item = Range<usize>>,
        take: &dyn Fn(Range<usize>, &[u8]),
    ) -> Result<()> {
        let taken = self.download_ahead(from, chunks, take);
        taken.and(self.idle())
    }

    fn download_ahead(
        &mut self,
        from: sys::CUdeviceptr,
        chunks: &mut dyn Iterator<Item = Range<usize>>,
        take: &dyn Fn(Range<usize>, &[u8]),
    ) -> Result<()> {
        let mut before: Option<Range<usize>> = None;
        for k in [0, 1].into_iter().cycle() {
            let next = chunks.next();
            if let Some(chunk) = &next {
                let buffer: *mut u8 = self.buffer(k)[..chunk.len()].as_mut_ptr();
                // SAFETY: the caller's chunks are inside of its allocation; nobody reads the buffer before the event
                // has passed.
                let queued = unsafe {
                    sys::cuMemcpyDtoHAsync_v2(buffer.cast(), from + chunk.start as u64, chunk.len(), self.stream)
                };
                refused("cuMemcpyDtoHAsync", queued.result())?;
                self.copied[k].record(self.stream)?;
            }
            if let Some(chunk) = before {
                self.copied[1 - k].wait()?;
                let bytes = chunk.len();
                take(chunk, &self.buffer(1 - k)[..bytes]);
            }
            if next.is_none() {
                break;
            }
            before = next;
        }
        Ok(())
    }

    /// One of the two buffers; the GPU must not be copying from or to it.
    fn buffer(&mut self, k: usize) -> &mut [u8] {
        assert!(k < 2);
        // SAFETY: inside of the allocation, which lives as long as the lane; the system has given it full of zeros.
        unsafe { std::slice::from_raw_parts_mut(self.pinned.add(k * ROOM), ROOM) }
    }

    /// Waits until nothing is under way, so that the next to have the lane finds it so, after an error too.
    fn idle(&self) -> Result<()> {
        // SAFETY: the stream is alive.
        refused("cuStreamSynchronize", unsafe { result::stream::synchronize(self.stream) })
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let _ = self.idle(); // the copies tell of errors
        // SAFETY: both were made by `new`, are idle, and go once.
        unsafe {
            let _ = result::stream::destroy(self.stream);
            if !self.pinned.is_null() {
                let _ = result::free_host(self.pinned.cast());
            }
        }
    }
}
