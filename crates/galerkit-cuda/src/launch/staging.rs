//! Large arrays between pageable memory and a GPU. The driver copies such arrays on one thread, at an eighth of what
//! the bus gives; here several threads take turns at their chunks, each through a lane (`lane.rs`). The user's arrays
//! are never pinned, because that takes longer than copying them.
//!
//! Lanes are made when a copy is large enough to pay for them and stay for the next one, as the context does. They are
//! no tasks of rayon: each waits for the GPU most of its time, and would keep a thread of that pool from its work.

use super::Gpu;
use super::event::Event;
use super::lane::{Lane, ROOM};
use crate::error::Result;
use cudarc::driver::sys;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Bytes below which the driver's own way is as fast.
const LEAST: usize = 4 << 20;
/// Threads beyond which an H200's bus was not used better: 42 GB/s with 12, 36 with 16.
const THREADS: usize = 12;
/// A copy may pin one more lane for so many of its bytes: pinning takes five times as long as the driver takes for a
/// copy.
const BYTES_A_LANE: usize = 16 << 20;

/// How arrays are cut up, and by how many threads they are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staging {
    threads: usize,
    chunk: usize,
}

impl Staging {
    /// As many threads as the process may use, at most 12.
    pub fn usual() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self { threads: threads.min(THREADS), chunk: ROOM }
    }

    /// So many threads, and chunks of so many bytes, at most a MiB: for measurements. No threads: by the driver.
    pub fn new(threads: usize, chunk: usize) -> Self {
        Self { threads, chunk: chunk.clamp(1, ROOM) }
    }

    /// How many threads could copy to a GPU at once with what is pinned so far.
    pub fn lanes(gpu: &Gpu) -> usize {
        with_pool(gpu.properties().ordinal, |pool| pool.made)
    }

    /// Whether a copy of so many bytes is not for the driver.
    pub(super) fn pays(self, bytes: usize) -> bool {
        bytes >= LEAST && self.threads > 0
    }

    /// Copies what `fill` writes to the GPU, after an event on another stream; the bytes are there when it returns.
    /// False where it is for the driver: few bytes, no lane.
    pub(super) fn upload(
        self,
        gpu: &Gpu,
        after: Option<&Event>,
        (to, bytes, unit): (sys::CUdeviceptr, usize, usize),
        fill: &(dyn Fn(Range<usize>, &mut [u8]) + Sync),
    ) -> Result<bool> {
        let chunks = Chunks::new(self.chunk, bytes, unit);
        self.on_lanes(gpu, bytes, &|lane| {
            after.map_or(Ok(()), |event| lane.after(event))?;
            lane.upload(to, &mut chunks.taken_by_one(), fill)
        })
    }

    /// Copies from the GPU and hands each chunk to `take` on some thread; the stream must be idle. False where it is
    /// for the driver.
    pub(super) fn download(
        self,
        gpu: &Gpu,
        (from, bytes, unit): (sys::CUdeviceptr, usize, usize),
        take: &(dyn Fn(Range<usize>, &[u8]) + Sync),
    ) -> Result<bool> {
        let chunks = Chunks::new(self.chunk, bytes, unit);
        self.on_lanes(gpu, bytes, &|lane| lane.download(from, &mut chunks.taken_by_one(), take))
    }

    /// Runs work on as many lanes as a copy deserves, each on a thread of its own, the first on this one.
    fn on_lanes(self, gpu: &Gpu, bytes: usize, work: &(dyn Fn(&mut Lane) -> Result<()> + Sync)) -> Result<bool> {
        if !self.pays(bytes) {
            return Ok(false);
        }
        let mut taken = Taken::new(gpu, self.threads.min(bytes.div_ceil(2 * self.chunk)), bytes / BYTES_A_LANE);
        let Some((first, others)) = taken.lanes.split_first_mut() else { return Ok(false) };
        thread::scope(|scope| {
            let one = |lane| {
                gpu.enter();
                work(lane)
            };
            // A thread that cannot be had is not missed: the others take its chunks.
            let start = |lane| thread::Builder::new().spawn_scoped(scope, move || one(lane)).ok();
            let started: Vec<_> = others.iter_mut().filter_map(start).collect();
            let mine = work(first);
            let ends = started
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            ends.fold(mine, Result::and)
        })?;
        Ok(true)
    }
}

/// The chunks of an array, in bytes; several threads take the next one each.
struct Chunks {
    next: AtomicUsize,
    chunk: usize,
    bytes: usize,
}

impl Chunks {
    /// Chunks of about a size that are whole elements.
    fn new(chunk: usize, bytes: usize, unit: usize) -> Self {
        let unit = unit.max(1);
        Self { next: AtomicUsize::new(0), chunk: (chunk / unit).max(1) * unit, bytes }
    }

    fn taken_by_one(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::from_fn(|| {
            let first = self.next.fetch_add(1, Ordering::Relaxed).saturating_mul(self.chunk);
            (first < self.bytes).then(|| first..self.bytes.min(first + self.chunk))
        })
    }
}

/// The lanes of a GPU that nobody uses, and how many there are in all. Like its context they stay until the process
/// ends.
struct Pool {
    ordinal: usize,
    made: usize,
    free: Vec<Lane>,
}

static POOLS: Mutex<Vec<Pool>> = Mutex::new(Vec::new());

/// Lanes that one copy has; they go back when it ends.
struct Taken {
    ordinal: usize,
    lanes: Vec<Lane>,
}

impl Taken {
    /// Up to so many lanes, of which so many may be new. Fewer where others have them or memory cannot be pinned.
    fn new(gpu: &Gpu, wanted: usize, new: usize) -> Self {
        let ordinal = gpu.properties().ordinal;
        gpu.enter();
        let lanes = with_pool(ordinal, |pool| {
            let rest = pool.free.len() - pool.free.len().min(wanted);
            let mut lanes = pool.free.split_off(rest);
            let missing = (wanted - lanes.len()).min(new).min(wanted.saturating_sub(pool.made));
            let made: Vec<Lane> = (0..missing).map_while(|_| Lane::new().ok()).collect();
            pool.made += made.len();
            lanes.extend(made);
            lanes
        });
        Self { ordinal, lanes }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        with_pool(self.ordinal, |pool| pool.free.append(&mut self.lanes));
    }
}

fn with_pool<R>(ordinal: usize, use_it: impl FnOnce(&mut Pool) -> R) -> R {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = pools.iter().position(|pool| pool.ordinal == ordinal).unwrap_or_else(|| {
        pools.push(Pool { ordinal, made: 0, free: Vec::new() });
        pools.len() - 1
    });
    use_it(&mut pools[found])
}
