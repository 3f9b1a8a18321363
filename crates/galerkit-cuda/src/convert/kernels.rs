//! The kernels of a conversion, compiled and found by name.

use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Kernel, Shape};
use galerkit_linalg::ScalarKind;
use std::collections::HashMap;
use std::sync::Arc;

const THREADS: usize = 256;
/// Blocks a multiprocessor: enough to hide latency, loops do the rest.
const BLOCKS: usize = 8;
/// Most blocks of a prefix sum: their sums are added up by one block.
const SCAN_BLOCKS: usize = 1024;

const NAMES: [&str; 20] = [
    "scan_sums",
    "scan_partials",
    "scan_apply",
    "sort_count",
    "sort_scatter",
    "longest_row",
    "row_keys",
    "place_rows",
    "count_warps",
    "lay_warps",
    "fill",
    "renumber",
    "scatter_stored",
    "scatter_sorted",
    "long_rows",
    "scatter_long",
    "refill",
    "permute_gather",
    "permute_scatter",
    "narrow",
];

/// The complete text.
pub fn source(kind: ScalarKind) -> String {
    let texts = [
        include_str!("../../kernels/scan.cuh"),
        include_str!("../../kernels/sort.cu"),
        include_str!("../../kernels/convert.cu"),
        include_str!("../../kernels/refill.cu"),
    ];
    crate::generate::prelude(kind) + &texts.concat()
}

pub(super) struct Kernels {
    gpu: Arc<Gpu>,
    by_name: HashMap<&'static str, Kernel>,
    /// Sums of the blocks of a prefix sum.
    partials: Buffer,
    /// The sum over all.
    total: Buffer,
}

impl Kernels {
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &Jit, kind: ScalarKind) -> Result<Self> {
        let module = jit.module("convert", &source(kind))?;
        let found: Result<_> = NAMES.iter().map(|&name| Ok((name, module.kernel(name)?))).collect();
        Ok(Self {
            gpu: gpu.clone(),
            by_name: found?,
            partials: Buffer::new(gpu, "the partial sums of a conversion", 8 * (SCAN_BLOCKS + 1))?,
            total: Buffer::new(gpu, "a sum of a conversion", 8)?,
        })
    }

    pub(super) fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Queues a kernel whose loops stride over `work` threads.
    pub(super) fn launch(&self, name: &'static str, work: usize, words: &[u64]) {
        let most = BLOCKS * self.gpu.properties().sm_count;
        self.launch_shape(name, Shape::new(work.div_ceil(THREADS).clamp(1, most), THREADS), words);
    }

    fn launch_shape(&self, name: &'static str, shape: Shape, words: &[u64]) {
        self.by_name.get(name).expect("kernels are named in NAMES").launch(shape, words);
    }

    /// Queues the prefix sum of `count` 64-bit numbers in place; entry `count` becomes the sum of all.
    pub(super) fn scan(&self, data: &Buffer, count: usize) {
        debug_assert!(data.bytes() >= 8 * (count + 1));
        let (blocks, chunk) = scan_shape(count);
        let words = [count as u64, chunk as u64, data.address(), self.partials.address()];
        self.launch_shape("scan_sums", Shape::new(blocks, THREADS), &words);
        let partials = [blocks as u64, self.partials.address(), self.total.address()];
        self.launch_shape("scan_partials", Shape::new(1, SCAN_BLOCKS), &partials);
        self.launch_shape("scan_apply", Shape::new(blocks, THREADS), &words);
    }

    /// The sum over all of the last prefix sum; waits for it.
    pub(super) fn scan_total(&self) -> Result<usize> {
        Ok(self.total.download::<u64>(1)?[0] as usize)
    }
}

/// Blocks of a prefix sum and entries of a block.
fn scan_shape(count: usize) -> (usize, usize) {
    let blocks = count.div_ceil(8 * THREADS).clamp(1, SCAN_BLOCKS);
    (blocks, count.div_ceil(blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_a_scan_cover_everything() {
        for count in [0, 1, 2047, 2048, 2049, 1 << 21, (1 << 21) + 1, 5_000_000_017] {
            let (blocks, chunk) = scan_shape(count);
            assert!((1..=SCAN_BLOCKS).contains(&blocks) && blocks * chunk >= count);
        }
    }

    #[test]
    fn every_kernel_is_named() {
        let text = source(ScalarKind::C64);
        let kernels = text.matches("extern \"C\" __global__ void ").count();
        assert_eq!(kernels, NAMES.len());
        assert!(NAMES.iter().all(|name| text.contains(&format!("__global__ void {name}("))));
    }
}
