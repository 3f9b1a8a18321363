//! What the stages share: the kernels, memory for a moment, products.

use super::kernels::{AGGREGATES, PROLONGATOR, ROOTS, STRENGTH};
use super::options::Options;
use crate::convert::DeviceCsr;
use crate::convert::kernels::Kernels;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::pool::Pool;
use crate::product::Multiplier;
use galerkit_linalg::{Scalar, ScalarKind};
use std::sync::Arc;

/// Threads of a block.
const THREADS: usize = 256;
/// The same where blocks append to lists: all of them add to one counter.
const APPENDING: usize = 512;
/// Lanes of a row where rows are long.
const WIDE: usize = 8;
/// Entries a row, on average, from which on rows are long.
const LONG: usize = 12;

/// Kernels and memory.
pub(super) struct Tools<'a> {
    pub(super) options: &'a Options,
    pub(super) multiplier: Multiplier<'a>,
    strength: [Kernels; 2],
    roots: [Kernels; 2],
    pub(super) aggregates: Kernels,
    pub(super) prolongator: Kernels,
}

impl<'a> Tools<'a> {
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &'a Jit, kind: ScalarKind, options: &'a Options) -> Result<Self> {
        let sources: Vec<String> = super::kernels::sources(kind).into_iter().map(|(_, source)| source).collect();
        jit.compile_ahead("amg", &sources, &|| {
            crate::product::sources(kind).into_iter().map(|(_, text)| text).collect()
        });
        let load = |text| Kernels::new(gpu, jit, text, kind);
        Ok(Self {
            options,
            multiplier: Multiplier::new(gpu, jit, kind)?,
            strength: [load(&STRENGTH[0])?, load(&STRENGTH[1])?],
            roots: [load(&ROOTS[0])?, load(&ROOTS[1])?],
            aggregates: load(&AGGREGATES)?,
            prolongator: load(&PROLONGATOR)?,
        })
    }

    pub(super) fn gpu(&self) -> &Arc<Gpu> {
        self.multiplier.gpu()
    }
    pub(super) fn pool(&self) -> &Pool {
        self.multiplier.pool()
    }

    /// Queues a kernel of the strength stage for all rows of A.
    pub(super) fn strength<S: Scalar>(&self, name: &'static str, A: &DeviceCsr<S>, words: &[u64]) {
        let (which, lanes) = lanes(A);
        queue(&self.strength[which], name, A.rows * lanes, words);
    }

    /// Queues a kernel of the roots stage for so many rows of A.
    pub(super) fn roots<S: Scalar>(&self, name: &'static str, A: &DeviceCsr<S>, rows: usize, words: &[u64]) {
        let (which, lanes) = lanes(A);
        queue_appending(&self.roots[which], name, rows * lanes, words);
    }
}

/// Queues a kernel with a thread for each piece of work, if there is any.
pub(super) fn queue(kernels: &Kernels, name: &'static str, work: usize, words: &[u64]) {
    if work > 0 {
        kernels.launch_all(name, work, (THREADS, 0), words);
    }
}

/// The same for kernels whose blocks append to lists.
pub(super) fn queue_appending(kernels: &Kernels, name: &'static str, work: usize, words: &[u64]) {
    if work > 0 {
        kernels.launch_all(name, work, (APPENDING, 0), words);
    }
}

/// The words of `struct Level`.
pub(super) fn level_words<S: Scalar>(A: &DeviceCsr<S>, near_null: Option<&Buffer>) -> [u64; 5] {
    let [start, col, val] = A.addresses();
    [A.rows as u64, start, col, val, near_null.map_or(0, Buffer::address)]
}

/// Which kernels, and how many lanes a row.
fn lanes<S: Scalar>(A: &DeviceCsr<S>) -> (usize, usize) {
    if A.nnz > LONG * A.rows { (1, WIDE) } else { (0, 1) }
}
