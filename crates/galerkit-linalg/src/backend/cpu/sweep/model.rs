//! How long a sweep would take, by playing through its plan: chunks go in order to whichever thread is free first,
//! blocks wait for what they need. Times are nanoseconds of one core of a server; only their ratios matter.

use super::plan::{Order, Plan, cuts};
use std::cmp::Reverse;

/// Work on a row, and on each of its entries.
const ROW: f64 = 3.0;
const ENTRY: f64 = 0.6;
/// Until a value that another thread has just written can be used.
const LATENCY: f64 = 200.0;
/// Taking a chunk, and beginning a block.
const CHUNK: f64 = 100.0;
const BLOCK: f64 = 10.0;
/// Until another thread has begun to help.
pub const WAKE: f64 = 25_000.0;
/// Below this gain threads that would wait are better left to others. Matrices for which 1.3 to 1.4 was predicted
/// (`nsjac`, `memplus`) gained nothing on two threads of a busy machine.
pub const LEAST_GAIN: f64 = 1.45;
/// A plan that keeps the threads busy for so much of the time is taken without looking at others.
pub const GOOD: f64 = 0.9;

/// Fewer threads are taken if they need at most so many times as long.
const ENOUGH: f64 = 1.25;

/// Rows of a block: few enough that a chunk can follow close behind another, enough to pay for the look at its
/// progress.
const BLOCK_ROWS: usize = 64;
/// The smallest and largest chunks that are thought of, as powers of two.
const CHUNKS: std::ops::RangeInclusive<u32> = 6..=18;
/// So many sizes are played through; the others are judged by the beginnings of their chunks.
const FINALISTS: usize = 3;

/// So many rows with so many entries on one thread.
pub fn work(rows: usize, entries: usize) -> f64 {
    rows as f64 * ROW + entries as f64 * ENTRY
}

/// The fastest plan for so many threads, the time it takes and how many of them it keeps busy, if it is fast enough to
/// be worth it.
pub fn best(order: Order<'_>, threads: usize) -> Option<Best> {
    let alone = work(order.rows(), order.entries(0..order.rows()));
    if threads < 2 || alone < WAKE {
        return None;
    }
    let distances = order.distances();
    let chunks = CHUNKS.rev().map(|power| 1 << power).filter(|chunk| 2 * threads * chunk <= order.rows());
    let mut choices: Vec<_> = chunks.map(|chunk| cuts(&distances, chunk)).collect();
    choices.sort_by_cached_key(|cuts| Reverse(overlap(&distances, cuts)));
    let mut found: Option<(f64, Plan)> = None;
    for cuts in choices.into_iter().take(FINALISTS) {
        let plan = Plan::new(order, cuts, BLOCK_ROWS);
        let time = seconds(order, &plan, threads);
        if found.as_ref().is_none_or(|best| time < best.0) {
            found = Some((time, plan));
        }
        if alone >= GOOD * threads as f64 * time {
            break;
        }
    }
    let (time, plan) = found.filter(|(time, _)| alone >= LEAST_GAIN * time)?;
    let (time, threads) = fewest(order, &plan, (time, threads));
    Some(Best { time, plan, threads })
}

/// What was found.
pub struct Best {
    pub time: f64,
    pub plan: Plan,
    pub threads: usize,
}

/// Half as many threads as long as that takes little longer. Those who mostly wait go to sleep, wake up late with a
/// chunk that others need, and hold up all: ILU(0) of 102,400 unknowns with 640 levels took seven times as long on 16
/// threads as on one.
fn fewest(order: Order<'_>, plan: &Plan, (mut time, mut threads): (f64, usize)) -> (f64, usize) {
    let limit = ENOUGH * time;
    while threads > 2 {
        let slower = seconds(order, plan, threads / 2);
        if slower > limit {
            break;
        }
        (time, threads) = (slower, threads / 2);
    }
    (time, threads)
}

/// How many chunks could be at work at once, in hundredths, judged by their first rows: a chunk starts when the one
/// before it has passed the closest row that its first row needs.
fn overlap(distances: &[u32], cuts: &[usize]) -> usize {
    let lag = |cut: &[usize]| (cut[1] - cut[0]).saturating_sub(distances[cut[1]] as usize) + BLOCK_ROWS;
    let lags: usize = cuts[..cuts.len() - 1].windows(2).map(lag).sum();
    100 * distances.len() / lags.max(1)
}

/// When the last chunk ends.
fn seconds(order: Order<'_>, plan: &Plan, threads: usize) -> f64 {
    let mut free: Vec<f64> = (0..threads).map(|thread| if thread == 0 { 0.0 } else { WAKE }).collect();
    let mut ended: Vec<f64> = Vec::new();
    for c in 0..plan.chunks() {
        let first = (0..threads).min_by(|&a, &b| free[a].total_cmp(&free[b])).expect("there are threads");
        let mut now = free[first] + CHUNK;
        for (b, block) in plan.blocks(c).enumerate() {
            for need in plan.needs(c, b) {
                let last = plan.number(need.chunk as usize, need.blocks as usize - 1);
                now = now.max(ended[last] + LATENCY);
            }
            now += BLOCK + work(block.len(), order.entries(block));
            ended.push(now);
        }
        free[first] = now;
    }
    free.into_iter().fold(0.0, f64::max)
}
