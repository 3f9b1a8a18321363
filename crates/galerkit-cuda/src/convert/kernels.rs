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
/// Most blocks of a launch.
const MOST_BLOCKS: usize = (1 << 31) - 1;
/// Most blocks of a prefix sum: their sums are added up by one block.
const SCAN_BLOCKS: usize = 1024;

/// The kernels that one module has.
pub(crate) struct Text {
    /// For messages.
    pub(crate) name: &'static str,
    pub(crate) kernels: &'static [&'static str],
    /// Definitions that its texts need.
    pub(crate) constants: &'static str,
    /// What stands behind the prelude and the constants.
    pub(crate) texts: &'static [&'static str],
}

/// Prefix sums.
pub(crate) const SCAN: &str = concat!(include_str!("../../kernels/scan.cuh"), include_str!("../../kernels/scan.cu"));
const SORT: &str = include_str!("../../kernels/sort.cu");

/// CSR to ELL-WARP.
pub(crate) const ELL_WARP: Text = Text {
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
    constants: "",
    texts: &[SCAN, SORT, include_str!("../../kernels/convert.cu"), include_str!("../../kernels/refill.cu")],
};

/// CSR to slices.
pub(crate) const SLICES: Text = Text {
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
    constants: "",
    texts: &[SCAN, include_str!("../../kernels/slices.cu")],
};

/// What set-up must know of a matrix.
pub(crate) const FACTS: Text = Text {
    name: "facts",
    kernels: &["row_facts", "mirror_facts", "diagonal"],
    constants: "",
    texts: &[include_str!("../../kernels/facts.cu")],
};

/// The rows of a stencil on a grid.
pub(crate) const GRID: Text =
    Text { name: "grid", kernels: &["grid_rows"], constants: "", texts: &[include_str!("../../kernels/grid.cu")] };

/// Everything there is.
const ALL: [&Text; 4] = [&ELL_WARP, &SLICES, &FACTS, &GRID];

impl Text {
    /// The complete source.
    pub(crate) fn source(&self, kind: ScalarKind) -> String {
        crate::generate::prelude(kind) + self.constants + &self.texts.concat()
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

pub(crate) struct Kernels {
    gpu: Arc<Gpu>,
    by_name: HashMap<&'static str, Kernel>,
    /// Sums of the blocks of a prefix sum, and the sum over all; none where the module has no prefix sums.
    sums: Option<[Buffer; 2]>,
}

impl Kernels {
    pub(crate) fn new(gpu: &Arc<Gpu>, jit: &Jit, text: &Text, kind: ScalarKind) -> Result<Self> {
        let module = jit.module(text.name, &text.source(kind))?;
        let found: Result<_> = text.kernels.iter().map(|&name| Ok((name, module.kernel(name)?))).collect();
        let room = |words: usize| Buffer::new(gpu, "the partial sums of a conversion", 8 * words);
        let scans = text.kernels.contains(&"scan_sums");
        let sums = if scans { Some([room(SCAN_BLOCKS + 1)?, room(1)?]) } else { None };
        Ok(Self { gpu: gpu.clone(), by_name: found?, sums })
    }

    pub(crate) fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Blocks for so many threads' work.
    pub(crate) fn blocks(&self, work: usize) -> usize {
        work.div_ceil(THREADS).clamp(1, BLOCKS * self.gpu.properties().sm_count)
    }

    /// Queues a kernel whose loops stride over `work` threads.
    pub(crate) fn launch(&self, name: &'static str, work: usize, words: &[u64]) {
        self.launch_shape(name, Shape::new(self.blocks(work), THREADS), words);
    }

    /// Queues a kernel of so many threads a block, a thread for each piece of work.
    pub(crate) fn launch_all(&self, name: &'static str, work: usize, (threads, shared): (usize, usize), words: &[u64]) {
        let blocks = work.div_ceil(threads).clamp(1, MOST_BLOCKS);
        self.launch_shape(name, Shape { shared, ..Shape::new(blocks, threads) }, words);
    }

    fn launch_shape(&self, name: &'static str, shape: Shape, words: &[u64]) {
        self.by_name.get(name).expect("kernels are named with their text").launch(shape, words);
    }

    /// Queues the prefix sum of `count` 64-bit numbers in place; entry `count` becomes the sum of all.
    pub(crate) fn scan(&self, data: &Buffer, count: usize) {
        debug_assert!(data.bytes() >= 8 * (count + 1));
        let (blocks, chunk) = scan_shape(count);
        let [partials, total] = self.sums().map(Buffer::address);
        let words = [count as u64, chunk as u64, data.address(), partials];
        self.launch_shape("scan_sums", Shape::new(blocks, THREADS), &words);
        self.launch_shape("scan_partials", Shape::new(1, SCAN_BLOCKS), &[blocks as u64, partials, total]);
        self.launch_shape("scan_apply", Shape::new(blocks, THREADS), &words);
    }

    /// The sum over all of the last prefix sum; waits for it.
    pub(crate) fn scan_total(&self) -> Result<usize> {
        Ok(self.sums()[1].download::<u64>(1)?[0] as usize)
    }

    fn sums(&self) -> [&Buffer; 2] {
        self.sums.as_ref().expect("the module has prefix sums").each_ref()
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
