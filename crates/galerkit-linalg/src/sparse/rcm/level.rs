//! The next level of a Cuthill-McKee sweep: the vertices that the last level leads to and no earlier one did. They follow their parent,
//! the first vertex of the last level that leads to them, in order of degree, then of number.
//!
//! One thread walks the parents in order and takes every vertex that it meets first. Several threads do it in two steps:
//! (1) each walks its share of the parents, and for every vertex w the least position of a parent is kept, parent(w) = min p;
//! (2) each places the vertices whose least parent is one of its share. What is kept does not depend on who came first.
//!
//! ```text
//! last level       a     b     c        positions 4 5 6
//! leads to         x y   y z   x        parent(x) = min(4, 6) = 4, parent(y) = min(4, 5) = 4, parent(z) = 5
//! next level       x y | z |            x before y by degree
//! ```

use super::Graph;
use crate::parallel;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// Vertices of a level from which on it is shared: below, waking a thread costs more than it does.
pub(super) const PARALLEL: usize = 1 << 10;
/// Parents of a share at least.
const SHARE: usize = 1 << 8;
/// Shares for each thread, so that those who are done early find more.
const SHARES: usize = 4;
/// No parent yet.
const NOBODY: u32 = u32::MAX;

/// What is known of each vertex.
pub(super) struct Marks {
    /// The last sweep, counted within its component, that reached it; 0 before the first.
    seen: Vec<AtomicU8>,
    /// While its level is being found by threads: the least position of a parent.
    parent: Vec<AtomicU32>,
    shares: Vec<Share>,
}

/// What one thread has found.
#[derive(Default)]
struct Share {
    /// Position of the parent and the vertex, by position, then by number; more than belong to this share.
    met: Vec<(u32, u32)>,
    /// Degree above, number below: the vertices that belong to it.
    placed: Vec<u64>,
}

impl Marks {
    pub(super) fn new(vertices: usize) -> Self {
        let seen = (0..vertices).map(|_| AtomicU8::new(0)).collect();
        let parent = (0..vertices).map(|_| AtomicU32::new(NOBODY)).collect();
        Self { seen, parent, shares: Vec::new() }
    }

    pub(super) fn is_seen(&self, v: u32) -> bool {
        self.seen[v as usize].load(Relaxed) != 0
    }

    pub(super) fn see(&self, v: u32, sweep: u8) {
        self.seen[v as usize].store(sweep, Relaxed);
    }

    /// Appends the next level to the order.
    pub(super) fn number_next(&self, graph: &Graph<'_>, order: &mut Vec<u32>, level: Range<usize>, sweep: u8) {
        for position in level {
            let children = order.len();
            for &w in graph.neighbours(order[position]) {
                if self.seen[w as usize].load(Relaxed) != sweep {
                    self.see(w, sweep);
                    order.push(w);
                }
            }
            order[children..].sort_by_key(|&w| graph.degree(w));
        }
    }

    /// The same on several threads.
    pub(super) fn number_next_on_threads(
        &mut self,
        graph: &Graph<'_>,
        order: &mut Vec<u32>,
        level: Range<usize>,
        sweep: u8,
    ) {
        let most = SHARES * rayon::current_num_threads();
        let size = level.len().div_ceil(most).max(SHARE);
        let count = level.len().div_ceil(size);
        let Self { seen, parent, shares } = self;
        shares.resize_with(count.max(shares.len()), Share::default);
        let known = Known { graph, seen, parent, sweep };
        parallel::each_chunk(&mut shares[..count], 1, &|k, share| {
            let first = level.start + k * size;
            known.meet(&order[first..level.end.min(first + size)], first as u32, &mut share[0].met);
        });
        parallel::each_chunk(&mut shares[..count], 1, &|_, share| known.place(&mut share[0]));
        for share in &shares[..count] {
            order.extend(share.placed.iter().map(|&key| key as u32));
        }
    }
}

/// What the threads of a level share.
struct Known<'a> {
    graph: &'a Graph<'a>,
    seen: &'a [AtomicU8],
    parent: &'a [AtomicU32],
    sweep: u8,
}

impl Known<'_> {
    /// Step 1: notes each vertex that has no earlier parent yet; a vertex is met once by each share.
    fn meet(&self, parents: &[u32], first: u32, met: &mut Vec<(u32, u32)>) {
        met.clear();
        for (&v, position) in parents.iter().zip(first..) {
            for &w in self.graph.neighbours(v) {
                if self.seen[w as usize].load(Relaxed) == self.sweep {
                    continue;
                }
                let least = &self.parent[w as usize];
                if least.load(Relaxed) > position && least.fetch_min(position, Relaxed) > position {
                    met.push((position, w));
                }
            }
        }
    }

    /// Step 2: the vertices that have kept their parent, parent by parent. Whoever is placed is taken out of the next question.
    fn place(&self, share: &mut Share) {
        let Share { met, placed } = share;
        placed.clear();
        for children in met.chunk_by(|a, b| a.0 == b.0) {
            let first = placed.len();
            for &(position, w) in children {
                if self.parent[w as usize].load(Relaxed) == position {
                    self.seen[w as usize].store(self.sweep, Relaxed);
                    self.parent[w as usize].store(NOBODY, Relaxed);
                    placed.push(self.graph.degree(w) << 32 | u64::from(w));
                }
            }
            placed[first..].sort_unstable();
        }
    }
}
