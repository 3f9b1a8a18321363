//! The kernels of an ordering, compiled, with their launch shapes.

use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Kernel, Shape};
use galerkit_linalg::ScalarKind;
use std::sync::Arc;

/// Threads of a block that waits for others: as few blocks as possible, because they meet three times a level.
const RESIDENT_THREADS: usize = 1024;
const THREADS: usize = 256;
/// Blocks a multiprocessor: enough to hide latency, loops do the rest.
const BLOCKS: usize = 8;
/// Threads that share a row, as in the kernels.
const LANES: usize = 8;

/// The complete text.
pub fn source() -> String {
    let texts = [
        include_str!("../../kernels/scan.cuh"),
        include_str!("../../kernels/ordering.cu"),
        include_str!("../../kernels/mirror.cu"),
    ];
    crate::generate::prelude(ScalarKind::F64) + &texts.concat()
}

pub(super) struct Kernels {
    look: Kernel,
    number: Kernel,
    reverse: Kernel,
    /// Blocks of [`RESIDENT_THREADS`] that can wait for each other.
    resident: usize,
    sm_count: usize,
}

impl Kernels {
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &Jit) -> Result<Self> {
        let module = jit.module("ordering", &source())?;
        let number = module.kernel("ordering_number")?;
        let sm_count = gpu.properties().sm_count;
        let resident = number.resident_blocks(RESIDENT_THREADS, 0)?.clamp(1, sm_count);
        let (look, reverse) = (module.kernel("mirror_look")?, module.kernel("ordering_reverse")?);
        Ok(Self { look, number, reverse, resident, sm_count })
    }

    /// Queues the look at a pattern; `addresses` are start, col and what is found.
    pub(super) fn look(&self, rows: usize, addresses: [u64; 3]) {
        self.look.launch(self.shape(rows * LANES), &[&[rows as u64][..], &addresses].concat());
    }

    /// Blocks of the sweeps: one a multiprocessor at most.
    pub(super) fn blocks(&self, rows: usize) -> usize {
        (rows * LANES).div_ceil(RESIDENT_THREADS).clamp(1, self.resident)
    }

    /// Queues all sweeps; `limits` are the most levels and components, `addresses` those of the kernel's arrays.
    pub(super) fn number(&self, rows: usize, limits: [usize; 2], addresses: [u64; 7]) {
        let shape = Shape { cooperative: true, ..Shape::new(self.blocks(rows), RESIDENT_THREADS) };
        let sizes = [rows, limits[0], limits[1]].map(|size| size as u64);
        self.number.launch(shape, &[&sizes[..], &addresses].concat());
    }

    /// Queues the reversal of an order.
    pub(super) fn reverse(&self, rows: usize, order: &Buffer, old: &Buffer) {
        self.reverse.launch(self.shape(rows), &[rows as u64, order.address(), old.address()]);
    }

    fn shape(&self, work: usize) -> Shape {
        Shape::new(work.div_ceil(THREADS).clamp(1, BLOCKS * self.sm_count), THREADS)
    }
}
