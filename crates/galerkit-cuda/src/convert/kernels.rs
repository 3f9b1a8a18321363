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

/// The kernels that one module has.
pub(super) struct Text {
    /// For messages.
    pub(super) name: &'static str,
    pub(super) kernels: &'static [&'static str],
    /// What stands behind the prelude.
    pub(super) texts: &'static [&'static str],
}

const SCAN: &str = concat!(include_str!("../../kernels/scan.cuh"), include_str!("../../kernels/scan.cu"));
const SORT: &str = include_str!("../../kernels/sort.cu");

/// CSR to ELL-WARP.
pub(super) const ELL_WARP: Text = Text {
    name: "convert",
    kernels: &[
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
    ],
    texts: &[SCAN, SORT, include_str!("../../kernels/convert.cu"), include_str!("../../kernels/refill.cu")],
};

/// CSR to slices.
pub(super) const SLICES: Text = Text {
    name: "slices",
    kernels: &[
        "scan_sums",
        "scan_partials",
        "scan_apply",
        "sort_windows",
        "widths",
        "check_narrow",
        "store_wide",
        "store_narrow",
        "store_aligned",
        "find_diagonals",
        "store_diagonals",
        "localise",
    ],
    texts: &[SCAN, include_str!("../../kernels/slices.cu")],
};

/// What set-up must know of a matrix.
pub(super) const FACTS: Text = Text {
    name: "facts",
    kernels: &["row_facts", "mirror_facts", "diagonal"],
    texts: &[include_str!("../../kernels/facts.cu")],
};

/// The rows of a stencil on a grid.
pub(super) const GRID: Text =
    Text { name: "grid", kernels: &["grid_rows"], texts: &[include_str!("../../kernels/grid.cu")] };

/// Everything there is.
const ALL: [&Text; 4] = [&ELL_WARP, &SLICES, &FACTS, &GRID];

impl Text {
    fn source(&self, kind: ScalarKind) -> String {
        crate::generate::prelude(kind) + &self.texts.concat()
    }
}

/// Compiles, or loads, what set-up asks for first, side by side.
pub fn compile_ahead(jit: &Jit, kind: ScalarKind) -> Result<()> {
    jit.modules("set-up", &[FACTS.source(kind), SLICES.source(kind)], &Vec::new).map(drop)
}

/// The same for a matrix that is born on the GPU, about which nothing has to be found out.
pub fn compile_ahead_of_birth(jit: &Jit, kind: ScalarKind) -> Result<()> {
    jit.modules("set-up", &[GRID.source(kind), SLICES.source(kind)], &Vec::new).map(drop)
}

/// The complete texts, with their names.
pub fn sources(kind: ScalarKind) -> Vec<(&'static str, String)> {
    ALL.map(|text| (text.name, text.source(kind))).into()
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
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &Jit, text: &Text, kind: ScalarKind) -> Result<Self> {
        let module = jit.module(text.name, &text.source(kind))?;
        let found: Result<_> = text.kernels.iter().map(|&name| Ok((name, module.kernel(name)?))).collect();
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

    /// Blocks for so many threads' work.
    pub(super) fn blocks(&self, work: usize) -> usize {
        work.div_ceil(THREADS).clamp(1, BLOCKS * self.gpu.properties().sm_count)
    }

    /// Queues a kernel whose loops stride over `work` threads.
    pub(super) fn launch(&self, name: &'static str, work: usize, words: &[u64]) {
        self.launch_shape(name, Shape::new(self.blocks(work), THREADS), words);
    }

    fn launch_shape(&self, name: &'static str, shape: Shape, words: &[u64]) {
        self.by_name.get(name).expect("kernels are named with their text").launch(shape, words);
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
        for text in ALL {
            let source = text.source(ScalarKind::C64);
            let kernels = source.matches("extern \"C\" __global__ void ").count();
            assert_eq!(kernels, text.kernels.len(), "{}", text.name);
            assert!(text.kernels.iter().all(|name| source.contains(&format!("__global__ void {name}("))));
        }
    }
}
