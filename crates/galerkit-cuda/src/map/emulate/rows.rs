//! `run.cuh`, `sell.cu`, `sell_short.cu`, `diagonals.cu`, `ell_warp.cu`, `csr.cu`, `ell.cu` and `bsr.cu` transcribed.

use super::{Seen, Written};
use galerkit_linalg::Scalar;

/// The columns that a run reads: 32 bits, or 16 bits and a base for each step.
#[derive(Clone, Copy)]
pub(super) enum Columns<'a> {
    Wide(&'a [u32]),
    Narrow(&'a [u16], &'a [u32]),
}

impl<'a> Columns<'a> {
    /// Members `col` and `base`.
    pub(super) fn of(seen: &Seen<'a, '_>, col: usize) -> Self {
        if seen.narrow() { Self::Narrow(seen.array(col), seen.array(col + 1)) } else { Self::Wide(seen.array(col)) }
    }
    /// The column in a slot, the e-th of a run whose first base is `base`; none for padding.
    fn at(self, slot: usize, base: usize, e: usize) -> Option<usize> {
        match self {
            Self::Wide(col) => (col[slot] != u32::MAX).then_some(col[slot] as usize),
            Self::Narrow(distance, bases) => {
                let near = distance[slot];
                (near != u16::MAX).then(|| (bases[base + e] + near as u32) as usize)
            }
        }
    }
}

/// Where a run lies: its first slot, first base, number of slots and their distance.
pub(super) struct Run {
    pub first: usize,
    pub base: usize,
    pub count: usize,
    pub step: usize,
}

pub(super) fn run_sum<S: Scalar>(seen: &Seen, columns: Columns, val: &[S], run: &Run, x: &[S]) -> S {
    let unroll = seen.constant("UNROLL");
    let batch = |e: usize| {
        let inside = move |u: usize| e + u < run.count;
        let column = move |u: usize| columns.at(run.first + (e + u) * run.step, run.base, e + u);
        (0..unroll).map(move |u| if inside(u) { column(u) } else { None }).collect::<Vec<_>>()
    };
    let mut sum = S::zero();
    let mut now = batch(0);
    for e in (0..run.count).step_by(unroll) {
        let next = batch(e + unroll);
        for (u, column) in now.iter().enumerate() {
            if let Some(j) = *column {
                sum += val[run.first + (e + u) * run.step] * x[j];
            }
        }
        now = next;
    }
    sum
}

pub(super) fn sell<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    if seen.layout.source.contains("constexpr bool COMPLETE") {
        return diagonals(seen, x, y);
    }
    if seen.layout.source.contains("constexpr unsigned WIDTH") {
        return sell_short(seen, x, y);
    }
    let (rows, start, val) = (seen.number(0), seen.array::<u64>(1), seen.array::<S>(4));
    let (height, ordered) = (seen.constant("HEIGHT"), seen.constant("ORDERED") == 1);
    let columns = Columns::of(seen, 2);
    for p in 0..rows {
        let (slice, lane) = (p / height, p % height);
        let first = start[slice] as usize;
        let count = (start[slice + 1] as usize - first) / height;
        let run = Run { first: first + lane, base: first / height, count, step: height };
        let sum = run_sum(seen, columns, val, &run, x);
        y.write(if ordered { seen.array::<u32>(5)[p] as usize } else { p }, sum);
    }
}

fn diagonals<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let (rows, cols, val, width) = (seen.number(0), seen.number(1), seen.array::<S>(3), seen.constant("WIDTH"));
    let complete = seen.constant("COMPLETE") == 1;
    for i in 0..rows {
        let (step, lane) = (i / 32 * width, i % 32);
        let mut sum = S::zero();
        for e in 0..width {
            let j = i.wrapping_add(seen.number(4 + e));
            if j < cols && (complete || seen.array::<u32>(2)[step + e] >> lane & 1 == 1) {
                sum += val[(step + e) * 32 + lane] * x[j];
            }
        }
        y.write(i, sum);
    }
}

/// Two rows at a time are the same as one after the other.
fn sell_short<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let (rows, val, columns) = (seen.number(0), seen.array::<S>(3), Columns::of(seen, 1));
    let (height, width) = (seen.constant("HEIGHT"), seen.constant("WIDTH"));
    for p in 0..rows {
        let (step, lane) = (p / height * width, p % height);
        let slot = |e: usize| (step + e) * height + lane;
        let term = |e: usize| columns.at(slot(e), step, e).map_or(S::zero(), |j| val[slot(e)] * x[j]);
        let sum = (0..width).fold(S::zero(), |sum, e| sum + term(e));
        y.write(if seen.constant("ORDERED") == 1 { seen.array::<u32>(4)[p] as usize } else { p }, sum);
    }
}

pub(super) fn ell_warp<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let (rows, warps, offset) = (seen.number(0), seen.number(1), seen.array::<u64>(2));
    let (row_start, reduction, val) = (seen.array::<u32>(3), seen.array::<u32>(4), seen.array::<S>(7));
    let (width, ordered) = (seen.constant("WARP"), seen.constant("ORDERED") == 1);
    let columns = Columns::of(seen, 5);
    for warp in 0..warps {
        let slot = offset[warp] as usize;
        let count = (offset[warp + 1] as usize - slot) / width;
        let t = reduction[warp] as usize;
        let run = |lane| Run { first: slot + lane, base: slot / width, count, step: width };
        let mut sum: Vec<S> = (0..width).map(|lane| run_sum(seen, columns, val, &run(lane), x)).collect();
        let mut offset = 1;
        while offset < width {
            // A shuffle beyond the last lane gives the lane its own value.
            let above: Vec<S> = (0..width).map(|l| sum[if l + offset < width { l + offset } else { l }]).collect();
            if offset < t {
                sum.iter_mut().zip(above).for_each(|(sum, above)| *sum += above);
            }
            offset *= 2;
        }
        for (lane, &sum) in sum.iter().enumerate() {
            let s = row_start[warp] as usize + lane / t;
            if lane.is_multiple_of(t) && s < rows {
                y.write(if ordered { seen.array::<u32>(8)[s] as usize } else { s }, sum);
            }
        }
    }
}

pub(super) fn csr<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let (rows, start, val) = (seen.number(0), seen.array::<u64>(1), seen.array::<S>(3));
    let (lanes, columns) = (seen.constant("LANES"), Columns::of(seen, 2));
    for i in 0..rows {
        let begin = start[i] as usize;
        let length = start[i + 1] as usize - begin;
        let run =
            |lane| Run { first: begin + lane, base: 0, count: (length + (lanes - 1 - lane)) / lanes, step: lanes };
        y.write(i, (0..lanes).map(|lane| run_sum(seen, columns, val, &run(lane), x)).sum());
    }
}

pub(super) fn ell<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let [rows, width, row_stride, step] = [0, 1, 2, 3].map(|member| seen.number(member));
    let (val, columns) = (seen.array::<S>(6), Columns::of(seen, 5));
    for i in 0..rows {
        let count = if seen.constant("LENGTHS") == 1 { seen.array::<u32>(4)[i] as usize } else { width };
        y.write(i, run_sum(seen, columns, val, &Run { first: i * row_stride, base: 0, count, step }, x));
    }
}

pub(super) fn bsr<S: Scalar>(seen: &Seen, x: &[S], y: &mut Written<S>) {
    let (rows, start, block_col) = (seen.number(0), seen.array::<u64>(1), seen.array::<u32>(2));
    let (val, block, lanes) = (seen.array::<S>(4), seen.constant("BLOCK"), seen.constant("LANES"));
    let stored = |slot: usize| seen.constant("FULL") == 1 || seen.array::<u64>(3)[slot / 64] >> (slot % 64) & 1 == 1;
    for i in 0..rows {
        let begin = start[i / block] as usize;
        let length = (start[i / block + 1] as usize - begin) * block;
        let mut sum = S::zero();
        for at in (0..lanes).flat_map(|lane| (lane..length).step_by(lanes)) {
            let (c, p) = (at % block, begin + at / block);
            let slot = (p * block + i % block) * block + c;
            if stored(slot) {
                sum += val[slot] * x[block_col[p] as usize * block + c];
            }
        }
        y.write(i, sum);
    }
}
