//! The kernels of a factorisation, compiled for teams of a size and found by name.

use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Gpu, Kernel, Shape};
use galerkit_linalg::ScalarKind;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// As in the kernels' launch bounds.
const THREADS: usize = 256;
/// Blocks a multiprocessor: enough to hide latency, loops do the rest.
const BLOCKS: usize = 8;
/// Levels that should be under way at once: more teams would only wait.
const LEVELS_AHEAD: usize = 2;

const NAMES: [&str; 12] = [
    "factor_begin",
    "factor_ilu",
    "factor_ic",
    "factor_sweep",
    "factor_pivots",
    "factor_scale",
    "factor_spread",
    "factor_shift",
    "factor_hand_over",
    "factor_signs",
    "factor_hand_over_single",
    "factor_fits_single",
];

/// The complete text for rows that so many lanes share: 8, 16 or 32.
pub fn source(kind: ScalarKind, lanes: usize) -> String {
    let texts = [
        include_str!("../../kernels/messages.cuh"),
        include_str!("../../kernels/rounded.cuh"),
        include_str!("../../kernels/factor.cu"),
    ];
    format!("{}constexpr unsigned LANES = {lanes};\n{}", crate::generate::prelude(kind), texts.concat())
}

pub(super) struct Kernels {
    gpu: Arc<Gpu>,
    by_name: HashMap<&'static str, Kernel>,
    lanes: usize,
}

impl Kernels {
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &Jit, kind: ScalarKind, lanes: usize) -> Result<Self> {
        let module = jit.module("factor", &source(kind, lanes))?;
        let found: Result<_> = NAMES.iter().map(|&name| Ok((name, module.kernel(name)?))).collect();
        Ok(Self { gpu: gpu.clone(), by_name: found?, lanes })
    }

    /// How long what `work` queues takes by the GPU's own clock.
    pub(super) fn time(&self, work: impl FnOnce(&Self)) -> Result<Duration> {
        self.gpu.time(|| work(self))
    }

    /// Queues a kernel whose loops stride over so many threads.
    pub(super) fn threads(&self, name: &'static str, work: usize, words: &[u64]) {
        let most = BLOCKS * self.gpu.properties().sm_count;
        self.queue(name, work.div_ceil(THREADS).clamp(1, most), words);
    }

    /// Queues a kernel whose loops stride over rows, each for a team.
    pub(super) fn teams(&self, name: &'static str, rows: usize, words: &[u64]) {
        self.threads(name, rows * self.lanes, words);
    }

    /// Queues a kernel whose teams wait for each other: all of them are resident, and no more than levels of so many
    /// rows keep busy.
    pub(super) fn resident(&self, name: &'static str, widest: usize, words: &[u64]) {
        let wanted = (LEVELS_AHEAD * widest * self.lanes).div_ceil(THREADS).max(1);
        let fits = self.gpu.note(self.kernel(name).resident_blocks(THREADS, 0)).unwrap_or(1);
        self.queue(name, wanted.min(fits.max(1)), words);
    }

    fn queue(&self, name: &'static str, blocks: usize, words: &[u64]) {
        self.kernel(name).launch(Shape::new(blocks, THREADS), words);
    }

    fn kernel(&self, name: &'static str) -> &Kernel {
        self.by_name.get(name).expect("kernels are named in NAMES")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_named() {
        let text = source(ScalarKind::C64, 8);
        assert_eq!(text.matches("extern \"C\" __global__ void ").count(), NAMES.len());
        assert!(NAMES.iter().all(|name| text.contains(&format!(" {name}(const __grid_constant__ "))));
    }
}
