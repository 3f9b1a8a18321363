//! Which rows of a sweep may run beside which: the sweep's order cut into chunks, each run by one thread from its first
//! row to its last, and for each block of rows how far other chunks must have come before it.
//!
//! ```text
//! chunk 0   [ block 0 | block 1 | block 2 ]           on a grid: a chunk is a line or a plane,
//!                 \         \         \               and runs one block behind the one before it
//! chunk 1       [ block 0 | block 1 | block 2 ]
//! ```
//!
//! Cuts are made before rows that need no row close by: on grids at the beginnings of lines and planes, after reverse
//! Cuthill-McKee where a new front begins. Such a chunk can start long before the one above it has ended.

use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::ops::Range;

/// Before a block starts, so many blocks of another chunk must be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The other chunk; it comes earlier in the sweep.
    pub chunk: u32,
    /// How many of its blocks.
    pub blocks: u32,
}

/// A triangle in the order of its sweep: position p is row p, or the p-th row from the end.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    start: &'a [u64],
    col: &'a [u32],
    descending: bool,
}

impl<'a> Order<'a> {
    /// Of a lower triangle, from the first row; none if an entry is not below the diagonal.
    pub fn ascending<S: Scalar>(L: &'a Csr<S>) -> Option<Self> {
        let below = (0..L.rows()).all(|i| L.col()[L.range(i)].last().is_none_or(|&j| (j as usize) < i));
        below.then_some(Self { start: L.start(), col: L.col(), descending: false })
    }

    /// Of an upper triangle, from the last row; none if an entry is not above the diagonal.
    pub fn descending<S: Scalar>(U: &'a Csr<S>) -> Option<Self> {
        let above = (0..U.rows()).all(|i| U.col()[U.range(i)].first().is_none_or(|&j| (j as usize) > i));
        (above && U.cols() <= U.rows()).then_some(Self { start: U.start(), col: U.col(), descending: true })
    }

    /// Number of rows.
    pub fn rows(self) -> usize {
        self.start.len() - 1
    }

    /// The row at a position, and the position of a row.
    fn mirror(self, p: usize) -> usize {
        if self.descending { self.rows() - 1 - p } else { p }
    }

    /// The columns of the row at a position.
    fn columns(self, p: usize) -> &'a [u32] {
        let i = self.mirror(p);
        &self.col[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// Entries in a range of positions.
    pub fn entries(self, range: Range<usize>) -> usize {
        if range.is_empty() {
            return 0;
        }
        let (i, j) = (self.mirror(range.start), self.mirror(range.end - 1));
        (self.start[i.max(j) + 1] - self.start[i.min(j)]) as usize
    }

    /// For each position, how far back the closest row is that its row needs; p + 1 if it needs none.
    pub fn distances(self) -> Vec<u32> {
        let closest = |p| if self.descending { self.columns(p).first() } else { self.columns(p).last() };
        let distance = |p| closest(p).map_or(p + 1, |&j| p - self.mirror(j as usize)) as u32;
        (0..self.rows()).map(distance).collect()
    }
}

/// Where chunks of at least `chunk` rows begin, and the end: of the rows that a chunk could end before, the first one
/// whose needs are farthest.
pub fn cuts(distances: &[u32], chunk: usize) -> Vec<usize> {
    let rows = distances.len();
    let mut cuts = vec![0];
    let mut last = 0;
    while rows - last >= 2 * chunk {
        let choice = &distances[last + chunk..last + 2 * chunk];
        let farthest = choice.iter().max().expect("chunks have rows");
        last += chunk + choice.iter().position(|distance| distance == farthest).expect("it is among them");
        cuts.push(last);
    }
    if rows > 0 {
        cuts.push(rows);
    }
    cuts
}

/// Chunks, their blocks, and what each block needs.
#[derive(Debug)]
pub struct Plan {
    /// Where each chunk begins, and the end.
    cuts: Vec<usize>,
    block: usize,
    /// The number of each chunk's first block, and the number of all.
    first_block: Vec<usize>,
    /// Where the needs of each block begin, and the end.
    need_start: Vec<u32>,
    needs: Vec<Need>,
}

impl Plan {
    /// Finds what each block of so many rows needs.
    pub fn new(order: Order<'_>, cuts: Vec<usize>, block: usize) -> Self {
        let mut first_block = vec![0];
        for chunk in cuts.windows(2) {
            first_block.push(first_block[first_block.len() - 1] + (chunk[1] - chunk[0]).div_ceil(block));
        }
        let mut plan = Self { cuts, block, first_block, need_start: vec![0], needs: Vec::new() };
        plan.find_needs(order);
        plan
    }

    /// A need that an earlier block of the same chunk has waited for is not listed again.
    fn find_needs(&mut self, order: Order<'_>) {
        let chunks = self.chunks();
        let chunk_of: Vec<u32> =
            (0..chunks).flat_map(|c| std::iter::repeat_n(c as u32, self.positions(c).len())).collect();
        // Of each chunk: the last chunk that waits for it, until which position, and where the newest need is listed.
        let mut waited = vec![(u32::MAX, 0, 0); chunks];
        for c in 0..chunks {
            for block in self.blocks(c) {
                let listed = self.needs.len();
                let needed = block.flat_map(|p| order.columns(p)).map(|&j| order.mirror(j as usize));
                for q in needed.filter(|&q| q < self.cuts[c]) {
                    let other = chunk_of[q];
                    let (by, until, place) = &mut waited[other as usize];
                    if *by == c as u32 && q < *until {
                        continue;
                    }
                    let first = self.cuts[other as usize];
                    let blocks = (q - first) / self.block + 1;
                    if *by != c as u32 || *place < listed {
                        *place = self.needs.len();
                        self.needs.push(Need { chunk: other, blocks: 0 });
                    }
                    self.needs[*place].blocks = blocks as u32;
                    (*by, *until) = (c as u32, first + blocks * self.block);
                }
                self.need_start.push(self.needs.len() as u32);
            }
        }
    }

    /// Number of chunks.
    pub fn chunks(&self) -> usize {
        self.cuts.len() - 1
    }

    /// The positions of chunk c.
    pub fn positions(&self, c: usize) -> Range<usize> {
        self.cuts[c]..self.cuts[c + 1]
    }

    /// The positions of each block of chunk c.
    pub fn blocks(&self, c: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (Range { start, end }, block) = (self.positions(c), self.block);
        (start..end).step_by(block).map(move |first| first..(first + block).min(end))
    }

    /// What a block of chunk c needs.
    pub fn needs(&self, c: usize, block: usize) -> &[Need] {
        let b = self.first_block[c] + block;
        &self.needs[self.need_start[b] as usize..self.need_start[b + 1] as usize]
    }

    /// The number of a block of chunk c among all blocks.
    pub fn number(&self, c: usize, block: usize) -> usize {
        self.first_block[c] + block
    }
}
