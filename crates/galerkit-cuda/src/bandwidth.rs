//! How fast a GPU reads and copies its memory: the yardstick of every measurement on it. Several launch shapes are
//! tried and each is timed by the GPU's own clock; the best median counts. Copies count what is read and what is
//! written.

use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Kernel, Shape};
use galerkit_linalg::scalar::ScalarKind;
use serde::Serialize;
use std::sync::Arc;

/// Bytes read at a time, memory permitting: 80 times the largest L2 cache of today.
const BYTES: usize = 4 << 30;
/// Bytes of a load.
const WORD: usize = 16;
const REPETITIONS: usize = 9;
/// Threads a block that are tried, with as many blocks as fit the GPU.
const SHAPES: [usize; 3] = [256, 512, 1024];
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bandwidth {
    /// Reading alone.
    pub read: f64,
    /// Copying, reads and writes together.
    pub copy: f64,
    /// Bytes that were read.
    pub bytes: usize,
}

/// The kernels, complete with their prelude.
pub fn source() -> String {
    crate::generate::prelude(ScalarKind::F64) + include_str!("../kernels/bandwidth.cu")
}

/// Measures; takes less than half a second and at most half of the free memory.
pub fn measure(gpu: &Arc<Gpu>, jit: &Jit) -> Result<Bandwidth> {
    let (free, _) = gpu.free_memory()?;
    measure_with(gpu, jit, BYTES.min(free / 2))
}

/// Measures with so many bytes.
pub fn measure_with(gpu: &Arc<Gpu>, jit: &Jit, bytes: usize) -> Result<Bandwidth> {
    let count = bytes / WORD / 2 * 2;
    let bench = Bench::new(gpu, jit, count)?;
    let (mut read, mut copy) = (0.0_f64, 0.0_f64);
    for threads in SHAPES {
        let shape = Shape::new(bench.read.resident_blocks(threads, 0)?, threads);
        read = read.max(bench.speed(&bench.read, shape, count)?);
        bench.check(count, shape)?;
    }
    for threads in SHAPES {
        // Last, because it overwrites what the sums are checked against.
        let shape = Shape::new(bench.copy.resident_blocks(threads, 0)?, threads);
        copy = copy.max(bench.speed(&bench.copy, shape, count / 2)?);
    }
    Ok(Bandwidth { read, copy: 2.0 * copy, bytes: count * WORD })
}

struct Bench {
    gpu: Arc<Gpu>,
    read: Kernel,
    copy: Kernel,
    words: Buffer,
    sums: Buffer,
}

impl Bench {
    /// Memory for so many words of 16 bytes, filled.
    fn new(gpu: &Arc<Gpu>, jit: &Jit, count: usize) -> Result<Self> {
        let module = jit.module("bandwidth", &source())?;
        let (read, copy) = (module.kernel("bandwidth_read")?, module.kernel("bandwidth_copy")?);
        let most_warps = gpu.properties().sm_count * 2048 / 32;
        let words = Buffer::new(gpu, "measuring the bandwidth", count * WORD)?;
        let bench = Self { gpu: gpu.clone(), read, copy, words, sums: Buffer::zeroed(gpu, "sums", 8 * most_warps)? };
        module.kernel("bandwidth_fill")?.launch(Shape::new(gpu.properties().sm_count * 4, 512), &bench.words(count));
        gpu.synchronize()?;
        Ok(bench)
    }

    /// The arguments: a copy goes from the first half to the second.
    fn words(&self, count: usize) -> [u64; 4] {
        let half = (self.words.bytes() / 2) as u64;
        [count as u64, self.words.address(), self.words.address() + half, self.sums.address()]
    }

    /// Bytes per second of a kernel that reads so many words: the median of several launches, after one that warms up.
    fn speed(&self, kernel: &Kernel, shape: Shape, count: usize) -> Result<f64> {
        let mut seconds = Vec::new();
        for repetition in 0..=REPETITIONS {
            let elapsed = self.gpu.time(|| kernel.launch(shape, &self.words(count)))?;
            if repetition > 0 {
                seconds.push(elapsed.as_secs_f64());
            }
        }
        seconds.sort_by(f64::total_cmp);
        Ok((count * WORD) as f64 / seconds[REPETITIONS / 2])
    }

    /// A speed counts only if everything was read.
    fn check(&self, count: usize, shape: Shape) -> Result<()> {
        let sums: Vec<u64> = self.sums.download(shape.blocks * shape.threads / 32)?;
        let sum = sums.iter().fold(0, |sum: u64, part| sum.wrapping_add(*part));
        if sum == expected_sum(count as u64) {
            return Ok(());
        }
        let reason = "the sum of what was read is wrong; the memory or the driver is faulty";
        Err(Error::Unsupported { what: "measuring the bandwidth".into(), reason: reason.into() })
    }
}

/// The sum over i < count of i + FACTOR i, modulo 2^64.
fn expected_sum(count: u64) -> u64 {
    let indices = if count.is_multiple_of(2) {
        (count / 2).wrapping_mul(count.wrapping_sub(1))
    } else {
        count.wrapping_mul((count - 1) / 2)
    };
    indices.wrapping_mul(FACTOR.wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_that_is_expected() {
        for count in 0..100u64 {
            let sum = (0..count).fold(0u64, |sum, i| sum.wrapping_add(i).wrapping_add(FACTOR.wrapping_mul(i)));
            assert_eq!(expected_sum(count), sum);
        }
        let large = 1u64 << 40; // no intermediate product may be cut wrongly
        assert_eq!(expected_sum(large), ((1u64 << 39).wrapping_mul(large - 1)).wrapping_mul(FACTOR.wrapping_add(1)));
    }

    /// The bounds of the two loops of the kernels, for every small shape: each word is read exactly once.
    #[test]
    fn every_word_is_visited_once() {
        for step in [32, 64, 96] {
            for count in 0..500 {
                let mut visits = vec![0; count];
                for thread in 0..step {
                    let mut i = thread;
                    while i + 3 * step < count {
                        (0..4).for_each(|k| visits[i + k * step] += 1);
                        i += 4 * step;
                    }
                    while i < count {
                        visits[i] += 1;
                        i += step;
                    }
                }
                assert!(visits.iter().all(|&times| times == 1));
            }
        }
    }
}
