//! What products and transposes share: kernels that are compiled when first needed, memory that is used again,
//! counters.

use super::kernels::{DENSE, ROWS, SORTS, TABLES};
use crate::convert::DeviceCsr;
use crate::convert::kernels::{Kernels, Text};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::pool::Pool;
use galerkit_linalg::{Scalar, ScalarKind};
use std::cell::OnceCell;
use std::sync::Arc;

/// Counters that kernels add to.
const COUNTERS: usize = 8;
const THREADS: usize = 256;

/// Multiplies and transposes.
pub(crate) struct Multiplier<'a> {
    gpu: Arc<Gpu>,
    jit: &'a Jit,
    kind: ScalarKind,
    pool: Pool,
    counters: Buffer,
    rows: Kernels,
    tables: [OnceCell<Kernels>; TABLES.len()],
    dense: OnceCell<Kernels>,
    sorts: [OnceCell<Kernels>; SORTS.len()],
}

impl<'a> Multiplier<'a> {
    /// For matrices of a scalar.
    pub(crate) fn new(gpu: &Arc<Gpu>, jit: &'a Jit, kind: ScalarKind) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            jit,
            kind,
            pool: Pool::new(gpu, "a product of matrices"),
            counters: Buffer::zeroed(gpu, "counters", 8 * COUNTERS)?,
            rows: Kernels::new(gpu, jit, &ROWS, kind)?,
            tables: Default::default(),
            dense: OnceCell::new(),
            sorts: Default::default(),
        })
    }

    pub(crate) fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
    /// Memory for a moment.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }
    /// Prefix sums, and what stands around tables.
    pub(crate) fn rows(&self) -> &Kernels {
        &self.rows
    }
    pub(super) fn table(&self, which: usize) -> Result<&Kernels> {
        self.compiled(&self.tables[which], &TABLES[which].text)
    }
    pub(super) fn dense(&self) -> Result<&Kernels> {
        self.compiled(&self.dense, &DENSE)
    }
    pub(super) fn sort(&self, which: usize) -> Result<&Kernels> {
        self.compiled(&self.sorts[which], &SORTS[which].2)
    }

    fn compiled<'b>(&self, cell: &'b OnceCell<Kernels>, text: &Text) -> Result<&'b Kernels> {
        match cell.get() {
            Some(kernels) => Ok(kernels),
            None => {
                let kernels = Kernels::new(&self.gpu, self.jit, text, self.kind)?;
                Ok(cell.get_or_init(|| kernels))
            }
        }
    }

    /// Sets all counters to zero, in stream order; where they are.
    pub(crate) fn zero_counters(&self) -> u64 {
        self.counters.clear_first(self.counters.bytes());
        self.counters.address()
    }
    /// The first counters as 32-bit numbers; waits for everything queued.
    pub(crate) fn counts<const N: usize>(&self) -> Result<[usize; N]> {
        let found = self.counters.download::<u32>(N)?;
        Ok(std::array::from_fn(|k| found[k] as usize))
    }
    /// The same as 64-bit numbers.
    pub(crate) fn sums<const N: usize>(&self) -> Result<[u64; N]> {
        let found = self.counters.download::<u64>(N)?;
        Ok(std::array::from_fn(|k| found[k]))
    }

    /// Queues a kernel of [`Self::rows`] with a thread for each piece of work.
    pub(super) fn launch(&self, name: &'static str, work: usize, words: &[u64]) {
        self.rows.launch_all(name, work, (THREADS, 0), words);
    }

    /// Entries of the longest row.
    pub(super) fn longest(&self, rows: usize, start: &Buffer) -> Result<usize> {
        let counter = self.zero_counters();
        self.rows.launch("product_longest", rows, &[rows as u64, start.address(), counter]);
        Ok(self.counts::<1>()?[0])
    }

    /// Overwrites entries below the diagonal by the conjugates of those above, and the diagonal by its real part; the
    /// pattern must mirror itself.
    pub(crate) fn mirror<S: Scalar>(&self, A: &DeviceCsr<S>) {
        let [start, col, val] = A.addresses();
        self.launch("product_mirror", 8 * A.rows, &[A.rows as u64, start, col, val]);
    }
}
