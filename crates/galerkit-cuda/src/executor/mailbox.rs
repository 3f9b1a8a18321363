//! Scalars that a kernel writes where the host sees them, behind instructions that were queued ahead: the host looks at pinned memory
//! until they are there, which is sooner than a copy and the end of the stream.

use crate::error::Result;
use crate::launch::{Gpu, Pinned};
use galerkit_linalg::Scalar;
use std::sync::Arc;

pub(super) const WORDS: usize = 32;
/// Not yet written: a NaN that no computation makes, in single precision too.
const EMPTY: u64 = u64::MAX;

/// Some words of pinned memory.
pub(super) struct Mailbox {
    pub(super) words: Pinned,
}

impl Mailbox {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self { words: Pinned::new(gpu, WORDS)? })
    }
    /// Makes it empty.
    pub(super) fn clear(&self) {
        (0..WORDS).for_each(|i| self.words.write(i, EMPTY));
    }
    /// The scalar at a place.
    pub(super) fn number<S: Scalar>(&self, place: usize) -> S {
        let begin = place * size_of::<S>();
        let words = [begin / 8, begin / 8 + 1].map(|i| if i < WORDS { self.words.read(i) } else { 0 });
        bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&words)[begin % 8..][..size_of::<S>()])
    }
}
