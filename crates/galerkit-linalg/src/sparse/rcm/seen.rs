//! A set of vertices, one bit each: it is asked for every entry of the matrix, in whatever order, and so few bytes stay
//! in a cache.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The vertices that were seen.
pub(super) struct Seen(Vec<AtomicU64>);

impl Seen {
    /// None of so many.
    pub(super) fn new(vertices: usize) -> Self {
        Self((0..vertices.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn has(&self, v: u32) -> bool {
        self.word(v).load(Relaxed) & bit(v) != 0
    }

    /// By the only thread there is.
    pub(super) fn add(&self, v: u32) {
        self.word(v).store(self.word(v).load(Relaxed) | bit(v), Relaxed);
    }

    /// While other threads add others.
    pub(super) fn add_shared(&self, v: u32) {
        self.word(v).fetch_or(bit(v), Relaxed);
    }

    /// By the only thread there is.
    pub(super) fn remove(&self, v: u32) {
        self.word(v).store(self.word(v).load(Relaxed) & !bit(v), Relaxed);
    }

    fn word(&self, v: u32) -> &AtomicU64 {
        &self.0[v as usize / 64]
    }
}

fn bit(v: u32) -> u64 {
    1 << (v % 64)
}
