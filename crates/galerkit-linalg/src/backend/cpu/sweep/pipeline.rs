//! Both sweeps on several threads, in natural order. Chunks are taken in order by whoever is free; a chunk waits, block
//! by block, until the chunks it needs have come far enough. Each row keeps its order of summation: the bits are those
//! of one thread.
//!
//! It ends with any number of threads that really run, even one: a chunk is only ever waited for by later ones and has
//! been taken by a thread that is at work on it, so the earliest chunk that is not done waits for nobody. Threads do
//! not return to rayon in between, and late ones find nothing left.

use super::model::{self, Best};
use super::plan::{Order, Plan};
use super::rows;
use super::shared::Shared;
use crate::map::{Numbers, Triangular};
use crate::parallel;
use crate::scalar::Scalar;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

/// Looks at a counter before the processor is offered to other threads, and before this one goes to sleep. Who is
/// waited for may have lost its processor to another program; an idle processor is what brings it back.
const SPINS: usize = 500;
const OFFERS: usize = 520;
const NAP: Duration = Duration::from_micros(20);

/// The plans of both sweeps.
#[derive(Debug)]
pub struct Pipeline {
    forward: Plan,
    backward: Plan,
    /// Threads that it keeps busy.
    pub threads: usize,
    /// How many times as fast as one thread, by the model.
    pub gain: f64,
}

impl Pipeline {
    /// The best plans for so many threads; none if one thread does as well.
    pub fn new<S: Scalar>(M: &impl Triangular<S>, threads: usize) -> Option<Self> {
        let (lower, upper) = (Order::ascending(M.lower())?, Order::descending(M.upper())?);
        let [forward, backward] = best_of_both(lower, upper, threads);
        let (forward, backward) = (forward?, backward?);
        let entries = M.lower().nnz() + M.upper().nnz();
        let gain = model::work(2 * lower.rows(), entries) / (forward.time + backward.time);
        let threads = forward.threads.max(backward.threads);
        Some(Self { forward: forward.plan, backward: backward.plan, threads, gain })
    }

    /// Plans whose chunks have at least `chunk` rows, and their blocks `block`.
    #[cfg(test)]
    pub fn with_sizes<S: Scalar>(M: &impl Triangular<S>, threads: usize, chunk: usize, block: usize) -> Option<Self> {
        let plan = |order: Order<'_>| Plan::new(order, super::plan::cuts(&order.distances(), chunk), block);
        let (lower, upper) = (Order::ascending(M.lower())?, Order::descending(M.upper())?);
        Some(Self { forward: plan(lower), backward: plan(upper), threads, gain: 0.0 })
    }

    /// y = M^-1 x
    pub fn apply<S: Scalar>(&self, M: &impl Triangular<S>, numbers: Numbers<'_, S>, x: &[S], y: &mut [S]) {
        let n = y.len();
        let y = Shared::new(y);
        let (forward, backward) = (Progress::new(&self.forward), Progress::new(&self.backward));
        let work = || {
            forward.take_part(&self.forward, |positions| rows::forward((M, numbers), x, y, positions));
            forward.wait_for_all();
            backward.take_part(&self.backward, |p| rows::backward((M, numbers), y, n - p.end..n - p.start));
        };
        parallel::on_threads(self.threads, &work);
    }
}

/// The best plans of both sweeps, with the times that the model gives them.
fn best_of_both(lower: Order<'_>, upper: Order<'_>, threads: usize) -> [Option<Best>; 2] {
    rayon::join(|| model::best(lower, threads), || model::best(upper, threads)).into()
}

/// Blocks of a chunk that are done; alone on its cache lines, because one thread writes it while others read.
#[derive(Default)]
#[repr(align(128))]
struct Done(AtomicU32);

/// How far a sweep has come.
struct Progress {
    next: AtomicUsize,
    done: Vec<Done>,
    /// Chunks that are not done.
    left: AtomicUsize,
    /// A thread has panicked, so what others wait for may never come.
    failed: AtomicBool,
}

impl Progress {
    fn new(plan: &Plan) -> Self {
        let done = (0..plan.chunks()).map(|_| Done::default()).collect();
        Self { next: 0.into(), done, left: plan.chunks().into(), failed: false.into() }
    }

    /// Takes chunks until none are left.
    fn take_part(&self, plan: &Plan, rows: impl Fn(Range<usize>)) {
        let _alarm = Alarm(self);
        let mut seen = [(u32::MAX, 0u32); SEEN];
        loop {
            let c = self.next.fetch_add(1, Ordering::Relaxed);
            if c >= plan.chunks() {
                return;
            }
            for (b, block) in plan.blocks(c).enumerate() {
                for need in plan.needs(c, b) {
                    let last = &mut seen[need.chunk as usize % SEEN];
                    if last.0 != need.chunk || last.1 < need.blocks {
                        let done = &self.done[need.chunk as usize].0;
                        // Acquire: what that chunk's thread has written before it counted is seen from here on.
                        self.wait(|| {
                            *last = (need.chunk, done.load(Ordering::Acquire));
                            last.1 >= need.blocks
                        });
                    }
                }
                rows(block);
                // Release: the rows above come before the count.
                self.done[c].0.store(b as u32 + 1, Ordering::Release);
            }
            self.left.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits until every chunk is done, by whichever thread.
    fn wait_for_all(&self) {
        self.wait(|| self.left.load(Ordering::Acquire) == 0);
    }

    fn wait(&self, mut come: impl FnMut() -> bool) {
        let mut looks = 0;
        while !come() {
            looks += 1;
            if looks < SPINS {
                std::hint::spin_loop();
                continue;
            }
            assert!(!self.failed.load(Ordering::Relaxed), "another thread of this sweep has panicked");
            if looks < OFFERS { std::thread::yield_now() } else { std::thread::sleep(NAP) }
        }
    }
}

/// How many chunks a thread remembers the progress of.
const SEEN: usize = 8;

/// Tells the others when its thread unwinds.
struct Alarm<'a>(&'a Progress);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
    }
}
