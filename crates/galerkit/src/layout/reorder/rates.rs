//! How fast machines order, permute and multiply, for entries in random order, which is when an order is asked for.
//! `galerkit bench ordering 'gallery:tetra?n=126&order=random'` measures them: here by the processor time of both
//! threads of a busy Xeon.

use crate::device::current_threads;
use galerkit_cuda::launch::Properties;
use galerkit_cuda::tune::read_bandwidth;
use std::fmt;

/// Seconds of one thread for each entry: all sweeps, and the look whether the pattern is symmetric.
const ORDER: f64 = 30e-9;
/// The same for permuting rows and columns.
const PERMUTE: f64 = 40e-9;
/// Bytes that one thread of a CPU moves in a second: half of a triad on two (benches/results/2026-11-15-xeon-2core).
const CPU_BANDWIDTH: f64 = 13e9;
/// Bytes that go to a GPU in a second (assumed).
const BUS: f64 = 20e9;
/// Seconds of a level on a GPU (assumed), and levels of all sweeps for each row along the edge of a cube: three sweeps
/// of two edges.
const LEVEL: f64 = 10e-6;
const LEVELS: f64 = 6.0;
/// Seconds that a GPU takes however small the graph: allocations, launches, a kernel from the cache on disk (assumed).
const CALL: f64 = 5e-3;

/// The machine that a system is solved on.
pub(super) struct Rates {
    /// Bytes a second.
    bandwidth: f64,
    /// Threads that order and permute.
    threads: usize,
    gpu: bool,
}

/// Seconds.
pub(super) struct Cost {
    pub(super) ordering: f64,
    pub(super) permuting: f64,
    /// Whether a GPU orders faster.
    pub(super) on_gpu: bool,
}

impl Cost {
    pub(super) fn total(&self) -> f64 {
        self.ordering + self.permuting
    }
}

impl Rates {
    /// Of a GPU with the threads of its host, or of one thread of a CPU.
    pub(super) fn of(gpu: Option<&Properties>) -> Self {
        match gpu {
            Some(properties) => {
                Self { bandwidth: read_bandwidth(properties), threads: current_threads().max(1), gpu: true }
            }
            None => Self { bandwidth: CPU_BANDWIDTH, threads: 1, gpu: false },
        }
    }

    /// Seconds to move so many bytes.
    pub(super) fn seconds(&self, bytes: f64) -> f64 {
        bytes / self.bandwidth
    }

    /// What an order of a matrix costs.
    pub(super) fn cost(&self, rows: usize, nnz: usize) -> Cost {
        let (rows, nnz, threads) = (rows as f64, nnz as f64, self.threads as f64);
        let (here, permuting) = (nnz * ORDER / threads, nnz * PERMUTE / threads);
        let there = CALL + (8.0 * rows + 4.0 * nnz) / BUS + LEVELS * rows.cbrt() * LEVEL;
        let on_gpu = self.gpu && there < here;
        Cost { ordering: if on_gpu { there } else { here }, permuting, on_gpu }
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.gpu {
            true => write!(f, "for the GPU and {} threads", self.threads),
            false => write!(f, "seconds of one thread"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangular_model::tests::properties;

    #[test]
    fn a_gpu_orders_what_is_large() {
        let rates = Rates { threads: 16, ..Rates::of(Some(&properties())) };
        let (large, small) = (rates.cost(2_000_376, 29_626_126), rates.cost(10_000, 150_000));
        assert!(large.on_gpu && !small.on_gpu);
        assert!(large.ordering < 29_626_126.0 * ORDER / 16.0);
        assert_eq!(small.ordering, 150_000.0 * ORDER / 16.0);
        assert_eq!(large.total(), large.ordering + large.permuting);
        assert!(!Rates::of(None).cost(2_000_376, 29_626_126).on_gpu);
    }
}
