//! The yardstick: the bandwidth of a STREAM triad a = b + s c on the threads that solve, counted as STREAM does
//! (24 bytes an entry, McCalpin 1995), best of several runs. [`triad`] is the quick look that a solve takes; benchmarks
//! use [`Triad::beyond_caches`], arrays so large that no shared last-level cache holds them.

use galerkit_linalg::backend::triad_step;
use galerkit_linalg::parallel;
use std::time::Instant;

/// Entries of each of the three arrays in a quick look: 3 x 64 MiB.
const QUICK: usize = 8 << 20;
/// Entries of each of the three arrays in a benchmark: 3 x 512 MiB.
const LARGE: usize = 64 << 20;
const REPETITIONS: usize = 5;

/// The three arrays, filled by the threads that will use them.
pub struct Triad {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    best: f64,
}

impl Triad {
    /// Arrays for a quick look.
    pub fn quick() -> Self {
        Self::with_length(QUICK)
    }

    /// Arrays that no cache holds.
    pub fn beyond_caches() -> Self {
        Self::with_length(LARGE)
    }

    /// Allocates and touches the arrays in the current thread pool.
    fn with_length(length: usize) -> Self {
        let filled = |value: f64| {
            let mut all = vec![0.0; length];
            parallel::each_chunk(&mut all, share(length), &|_, part| part.fill(value));
            all
        };
        Self { a: filled(0.0), b: filled(1.0), c: filled(2.0), best: 0.0 }
    }

    /// Runs the triad a few times.
    pub fn measure(&mut self) {
        let length = self.a.len();
        let block = share(length);
        for _ in 0..REPETITIONS {
            let begun = Instant::now();
            parallel::each_chunk(&mut self.a, block, &|first, a| {
                let range = first..first + a.len();
                triad_step(a, &self.b[range.clone()], &self.c[range], 3.0);
            });
            self.best = self.best.max(24.0 * length as f64 / begun.elapsed().as_secs_f64());
        }
        std::hint::black_box(&self.a);
    }

    /// Bytes per second of the best run so far; 0 before the first.
    pub fn best(&self) -> f64 {
        self.best
    }
}

/// The part of a thread.
fn share(length: usize) -> usize {
    length.div_ceil(rayon::current_num_threads()).max(1)
}

/// Bytes per second of a triad on the current thread pool; takes a few tenths of a second.
pub fn triad() -> f64 {
    let mut triad = Triad::quick();
    triad.measure();
    triad.best()
}
