//! Static partitions: contiguous ranges of rows with equal work, cut only at multiples of [`BLOCK`].
//!
//! Blocks are what makes results independent of the number of threads: a dot product is the pairwise sum of one partial
//! sum for each block, whichever thread computed it.

use crate::parallel;
use crate::scalar::Scalar;
use std::ops::Range;

/// Rows in a block. Six vectors of a block fit the first-level cache, so fused lines read each entry once.
pub const BLOCK: usize = 1024;

/// Below this many entries of work a second thread costs more than it brings.
const LEAST_WORK: u64 = 40_000;

/// Ranges for each thread. The partition is fixed; a thread that finishes early takes a range from one that was held
/// up, which on a shared machine matters more than the few microseconds of handing it over.
const PIECES: usize = 4;

/// Cuts `rows` rows into a few ranges of equal work for each thread; `work(i)` is the work in rows 0..i and never
/// falls.
pub fn by_work(rows: usize, threads: usize, work: impl Fn(usize) -> u64) -> Vec<Range<usize>> {
    let total = work(rows);
    let pieces = if threads > 1 { threads * PIECES } else { 1 };
    let parts = (pieces as u64).min(total / LEAST_WORK).max(1);
    let blocks = rows.div_ceil(BLOCK);
    let at = |block: usize| (block * BLOCK).min(rows);
    let mut cuts = vec![0];
    for part in 1..parts {
        let goal = total * part / parts;
        let (mut low, mut high) = (cuts[cuts.len() - 1] / BLOCK, blocks);
        while low < high {
            let middle = low.midpoint(high);
            if work(at(middle)) < goal { low = middle + 1 } else { high = middle }
        }
        cuts.push(at(low));
    }
    cuts.push(rows);
    cuts.windows(2).map(|cut| cut[0]..cut[1]).filter(|range| !range.is_empty()).collect()
}

/// Cuts a vector of `rows` entries evenly.
pub fn even(rows: usize) -> Vec<Range<usize>> {
    by_work(rows, rayon::current_num_threads(), |i| i as u64)
}

/// The part of a mutable vector that belongs to each range. The ranges must follow each other from 0 to the end.
pub fn split_mut<'a, T>(parts: &[Range<usize>], mut rest: &'a mut [T]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::with_capacity(parts.len());
    for part in parts {
        let (piece, tail) = rest.split_at_mut(part.len());
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// Runs `work(first, part)` on each thread's part of y.
pub fn in_parts<S: Scalar>(y: &mut [S], work: impl Fn(usize, &mut [S]) + Sync) {
    let parts = even(y.len());
    if parts.len() <= 1 {
        return work(0, y);
    }
    let pieces = split_mut(&parts, y);
    let starts = parts.iter().map(|part| part.start);
    parallel::each_piece(starts.zip(pieces).collect(), &|(first, piece)| work(first, piece));
}
