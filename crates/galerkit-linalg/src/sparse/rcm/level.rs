//! The next level of a Cuthill-McKee sweep: the vertices that the last level leads to and no earlier one did. They
//! follow their parent, the first vertex of the last level that leads to them, in order of degree, then of number.
//!
//! One thread walks the parents in order and takes every vertex that it meets first. Several threads do it in two
//! steps: (1) each walks its share of the parents, notes every vertex w that it meets first, and the first share of all
//! is kept, owner(w) = min k; (2) each places the vertices that it owns. Shares follow each other as positions do, so
//! what is kept does not depend on who was faster.
//!
//! ```text
//! last level       a     b   |   c        share 0: a b, share 1: c
//! leads to         x y   y z |   x v      share 0 notes x y after a, z after b; share 1 notes x v after c; owner(x) = min(0, 1) = 0
//! next level       x y | z   |   v        x before y by degree
//! ```

use super::seen::Seen;
use super::{BATCH, Graph};
use crate::parallel;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Vertices of a level from which on it is shared: below, waking a thread costs more than it does.
pub(super) const PARALLEL: usize = 1 << 10;
/// Parents of a share at least.
const SHARE: usize = 1 << 8;
/// Shares for each thread, so that those who are done early find more.
const SHARES: usize = 4;
/// No owner yet: shares have smaller numbers.
const NOBODY: u8 = u8::MAX;

/// What is known of each vertex.
pub(super) struct Marks {
    /// Whether the last sweep of its component has reached it.
    pub(super) seen: Seen,
    /// While its level is being found by threads: the first share that leads to it.
    owner: Vec<AtomicU8>,
    shares: Vec<Share>,
}

/// What one thread has found.
#[derive(Default)]
struct Share {
    /// What some rows lead to and no earlier level did, as position of the parent above and vertex below.
    unseen: Vec<u64>,
    /// Those that no earlier share was known to own, by position, then by number.
    met: Vec<u64>,
    /// Degree above, number below: the vertices that belong to it.
    placed: Vec<u64>,
}

impl Marks {
    pub(super) fn new(vertices: usize) -> Self {
        let owner = (0..vertices).map(|_| AtomicU8::new(NOBODY)).collect();
        Self { seen: Seen::new(vertices), owner, shares: Vec::new() }
    }

    /// Appends the next level to the order.
    pub(super) fn number_next(&self, graph: &Graph<'_>, order: &mut Vec<u32>, level: Range<usize>) {
        for first in level.clone().step_by(BATCH) {
            let batch = first..level.end.min(first + BATCH);
            for row in graph.rows(&order[batch.clone()]).into_iter().take(batch.len()) {
                let children = order.len();
                for &w in graph.row(row) {
                    if !self.seen.has(w) {
                        self.seen.add(w);
                        order.push(w);
                    }
                }
                order[children..].sort_by_key(|&w| graph.degree(w));
            }
        }
    }

    /// The same on several threads.
    pub(super) fn number_next_on_threads(&mut self, graph: &Graph<'_>, order: &mut Vec<u32>, level: Range<usize>) {
        let most = (SHARES * rayon::current_num_threads()).min(NOBODY as usize);
        let size = level.len().div_ceil(most).max(SHARE);
        let count = level.len().div_ceil(size);
        let Self { seen, owner, shares } = self;
        shares.resize_with(count.max(shares.len()), Share::default);
        let known = Known { graph, seen, owner };
        parallel::each_chunk(&mut shares[..count], 1, &|k, share| {
            let first = level.start + k * size;
            known.meet(k as u8, &order[first..level.end.min(first + size)], &mut share[0]);
        });
        parallel::each_chunk(&mut shares[..count], 1, &|k, share| known.place(k as u8, &mut share[0]));
        for share in &shares[..count] {
            order.extend(share.placed.iter().map(|&key| key as u32));
        }
    }
}

/// What the threads of a level share.
struct Known<'a> {
    graph: &'a Graph<'a>,
    seen: &'a Seen,
    owner: &'a [AtomicU8],
}

impl Known<'_> {
    /// Step 1: notes each vertex that no earlier share is known to own; a vertex is met once by each share.
    fn meet(&self, k: u8, parents: &[u32], share: &mut Share) {
        share.met.clear();
        for (batch, first) in parents.chunks(BATCH).zip((0..).step_by(BATCH)) {
            let rows = self.graph.rows(batch);
            for &key in self.unseen(&rows[..batch.len()], first, &mut share.unseen) {
                let owner = &self.owner[key as u32 as usize];
                if owner.load(Relaxed) > k && owner.fetch_min(k, Relaxed) > k {
                    share.met.push(key);
                }
            }
        }
    }

    /// What some rows lead to and no earlier level did. Written without a branch, which could not be foreseen.
    fn unseen<'a>(&self, rows: &[(u64, u64)], first: u64, room: &'a mut Vec<u64>) -> &'a [u64] {
        let entries: u64 = rows.iter().map(|(start, end)| end - start).sum();
        room.resize(room.len().max(entries as usize), 0);
        let mut count = 0;
        for (&row, position) in rows.iter().zip(first..) {
            for &w in self.graph.row(row) {
                room[count] = position << 32 | u64::from(w);
                count += !self.seen.has(w) as usize;
            }
        }
        &room[..count]
    }

    /// Step 2: the vertices that the share has kept, parent by parent. Whoever is placed has no owner again.
    fn place(&self, k: u8, share: &mut Share) {
        let Share { met, placed, .. } = share;
        placed.clear();
        for children in met.chunk_by(|a, b| a >> 32 == b >> 32) {
            let first = placed.len();
            for &w in children {
                let owner = &self.owner[w as u32 as usize];
                if owner.load(Relaxed) == k {
                    owner.store(NOBODY, Relaxed);
                    self.seen.add_shared(w as u32);
                    placed.push(u64::from(w as u32));
                }
            }
            if let siblings @ [_, _, ..] = &mut placed[first..] {
                siblings.iter_mut().for_each(|key| *key |= self.graph.degree(*key as u32) << 32);
                siblings.sort_unstable();
            }
        }
    }
}
