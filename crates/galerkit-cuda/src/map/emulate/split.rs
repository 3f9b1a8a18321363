//! `carries.cuh`, `merge.cuh`, `csr_balanced.cu`, `coo.cu` and `hyb.cu` transcribed, for so many blocks and threads.

use super::rows::{Columns, Run, run_sum};
use super::{Seen, Written};
use galerkit_linalg::Scalar;

const NO_ROW: usize = u32::MAX as usize;

/// What a thread knows after its share of a tile.
#[derive(Clone, Copy)]
struct Share<S> {
    /// The first row that ends in the share, and its sum.
    closed: Option<(usize, S)>,
    /// The sum behind the last end.
    open: S,
}

/// What the threads before each one bring to its first row.
fn carry_in<S: Scalar>(shares: &[Share<S>], brought: &mut S) -> Vec<S> {
    let mut warps = Vec::new(); // open sum and ends of each warp
    let mut carries = Vec::new();
    let before = *brought;
    for warp in shares.chunks(32) {
        let ends = warp.iter().enumerate().fold(0u32, |ends, (l, share)| ends | u32::from(share.closed.is_some()) << l);
        let mut open: Vec<S> = warp.iter().map(|share| share.open).collect();
        for offset in [1, 2, 4, 8, 16] {
            let below = open.clone();
            for lane in offset..32usize {
                let upto = ends & (u32::MAX >> (31 - lane));
                let head = if upto != 0 { 31 - upto.leading_zeros() as usize } else { 0 };
                if lane >= head + offset {
                    open[lane] += below[lane - offset];
                }
            }
        }
        let before_warp = warps.iter().fold(before, |sum, &(open, ends)| if ends != 0 { open } else { sum + open });
        for lane in 0..32 {
            let carry = if lane == 0 { S::zero() } else { open[lane - 1] };
            carries.push(if ends & ((1 << lane) - 1) == 0 { before_warp + carry } else { carry });
        }
        warps.push((open[31], ends));
    }
    *brought = warps.iter().fold(before, |sum, &(open, ends)| if ends != 0 { open } else { sum + open });
    carries
}

/// Adds the carries; warps of the last block in turn.
fn add_carries<S: Scalar>(carries: &[(usize, S)], mut add: impl FnMut(usize, S)) {
    let row_of = |b: usize| carries.get(b).map_or(NO_ROW, |carry| carry.0);
    let sum_of = |b: usize| carries.get(b).map_or(S::zero(), |carry| carry.1);
    for first in (0..carries.len()).step_by(32) {
        let mut sum: Vec<S> = (first..first + 32).map(sum_of).collect();
        for offset in [1, 2, 4, 8, 16] {
            let above = sum.clone();
            for lane in (0..32 - offset).filter(|lane| row_of(first + lane) == row_of(first + lane + offset)) {
                sum[lane] += above[lane + offset];
            }
        }
        let last = row_of(first + 31);
        let head = |b: usize| row_of(b) != NO_ROW && (b == 0 || row_of(b - 1) != row_of(b));
        let mut more = S::zero();
        if (first..first + 32).any(|b| head(b) && row_of(b) == last) {
            let mut next = first + 32;
            loop {
                let same: Vec<usize> = (next..next + 32).filter(|&b| row_of(b) == last).collect();
                more += same.iter().map(|&b| sum_of(b)).sum();
                next += 32;
                if same.len() < 32 {
                    break;
                }
            }
        }
        for b in (first..first + 32).filter(|&b| head(b)) {
            add(row_of(b), if row_of(b) == last { sum[b - first] + more } else { sum[b - first] });
        }
    }
}

/// Finishes a tile: carries in, then the first closed row of each thread.
fn close<S: Scalar>(shares: &[Share<S>], brought: &mut S, mut write: impl FnMut(usize, S)) {
    let carries = carry_in(shares, brought);
    for (share, carry) in shares.iter().zip(carries) {
        if let Some((row, sum)) = share.closed {
            write(row, carry + sum);
        }
    }
}

/// `merge_rows` with the words of `struct Merge` from `at` on; the carries of all blocks.
fn merge_rows<S: Scalar>(
    seen: &Seen,
    at: usize,
    x: &[S],
    (blocks, threads): (usize, usize),
    mut write: impl FnMut(usize, S),
) -> Vec<(usize, S)> {
    let (all_items, tiles) = (seen.number(at), seen.number(at + 1));
    let (tile_row, start) = (seen.array::<u32>(at + 2), seen.array::<u64>(at + 3));
    let (col, val, size) = (seen.array::<u32>(at + 4), seen.array::<S>(at + 5), seen.constant("TILE"));
    let block = |b: usize| {
        let (first, last) = (tiles * b / blocks, tiles * (b + 1) / blocks);
        let mut brought = S::zero();
        for tile in first..last {
            let i = tile_row[tile] as usize;
            let k = tile * size - i;
            let ends = tile_row[tile + 1] as usize - i;
            let items = ((tile + 1) * size).min(all_items) - tile * size;
            let entries = items - ends;
            let mut row_end: Vec<usize> = (0..ends).map(|r| start[i + r + 1] as usize - k).collect();
            row_end.push(NO_ROW);
            let products: Vec<S> = (k..k + entries).map(|k| val[k] * x[col[k] as usize]).collect();
            let share = items.div_ceil(threads);
            let mut work = |thread: usize| {
                let begin = (thread * share).min(items);
                let (mut r, mut high) = (begin.saturating_sub(entries), begin.min(ends));
                while r < high {
                    let middle = (r + high) / 2;
                    if row_end[middle] < begin - middle { r = middle + 1 } else { high = middle }
                }
                let mut at = begin - r;
                let mut result = Share { closed: None, open: S::zero() };
                for _ in begin..(begin + share).min(items) {
                    if at < row_end[r] {
                        result.open += products[at];
                        at += 1;
                    } else {
                        match result.closed {
                            None => result.closed = Some((i + r, result.open)),
                            Some(_) => write(i + r, result.open),
                        }
                        result.open = S::zero();
                        r += 1;
                    }
                }
                result
            };
            let shares: Vec<_> = (0..threads).map(&mut work).collect();
            close(&shares, &mut brought, &mut write);
        }
        (if last < tiles { tile_row[last] as usize } else { NO_ROW }, brought)
    };
    (0..blocks).map(block).collect()
}

pub(super) fn csr_balanced<S: Scalar>(seen: &Seen, x: &[S], shape: (usize, usize), y: &mut Written<S>) {
    let carries = merge_rows(seen, 0, x, shape, |i, sum| y.write(i, sum));
    add_carries(&carries, |i, rest| y.add(i, rest));
}

pub(super) fn hyb<S: Scalar>(seen: &Seen, x: &[S], shape: (usize, usize), y: &mut Written<S>) {
    let (rows, width, val) = (seen.number(0), seen.number(1), seen.array::<S>(3));
    let (is_long, long_row) = (seen.array::<u32>(4), seen.array::<u32>(5));
    let columns = Columns::Wide(seen.array(2));
    let ell_part = |i| run_sum(seen, columns, val, &Run { first: i, base: 0, count: width, step: rows }, x);
    for i in (0..rows).filter(|i| is_long[i / 32] >> (i % 32) & 1 == 0) {
        y.write(i, ell_part(i));
    }
    let row = |r: usize| long_row[r] as usize;
    let carries = merge_rows(seen, 6, x, shape, |r, sum| y.write(row(r), ell_part(row(r)) + sum));
    add_carries(&carries, |r, rest| y.add(row(r), rest));
}

pub(super) fn coo<S: Scalar>(seen: &Seen, x: &[S], (blocks, threads): (usize, usize), y: &mut Written<S>) {
    let (entries, row, col) = (seen.number(0), seen.array::<u32>(2), seen.array::<u32>(3));
    let (val, empty, size) = (seen.array::<S>(4), seen.array::<u32>(5), seen.constant("TILE"));
    assert_eq!(seen.number(1), empty.len());
    empty.iter().for_each(|&i| y.write(i as usize, S::zero()));
    let tiles = entries.div_ceil(size);
    let mut carries = Vec::new();
    for b in 0..blocks {
        let (first, last) = (tiles * b / blocks, tiles * (b + 1) / blocks);
        let mut brought = S::zero();
        for tile in first..last {
            let k = tile * size;
            let count = size.min(entries - k);
            let row_at = |e: usize| if k + e < entries { row[k + e] as usize } else { NO_ROW };
            let share = count.div_ceil(threads);
            let mut work = |thread: usize| {
                let begin = (thread * share).min(count);
                let mut result = Share { closed: None, open: S::zero() };
                for e in begin..(begin + share).min(count) {
                    result.open += val[k + e] * x[col[k + e] as usize];
                    if row_at(e + 1) != row_at(e) {
                        match result.closed {
                            None => result.closed = Some((row_at(e), result.open)),
                            Some(_) => y.write(row_at(e), result.open),
                        }
                        result.open = S::zero();
                    }
                }
                result
            };
            let shares: Vec<_> = (0..threads).map(&mut work).collect();
            close(&shares, &mut brought, |i, sum| y.write(i, sum));
        }
        carries.push((if last < tiles { row[last * size] as usize } else { NO_ROW }, brought));
    }
    add_carries(&carries, |i, rest| y.add(i, rest));
}
