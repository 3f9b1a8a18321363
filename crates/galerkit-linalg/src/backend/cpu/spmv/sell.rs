//! Sliced ELL: a slice at a time, values and columns streamed with prefetching. Columns are read as 16-bit offsets
//! from the least column of their slice where all slices allow it, which saves a sixth of the traffic in f64.

use super::lanes::{Column, HEIGHTS, Slice};
#[cfg(target_arch = "x86_64")]
use super::sell_avx512;
use crate::backend::cpu::simd::{self, Gather, Kernel};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Sell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Slices that one thread takes at a time.
const SLICES: usize = 128;

/// What the kernel reads beside the matrix.
pub struct PreparedSell {
    /// For each slice, the entries that all of its rows have.
    full: Vec<u32>,
    narrow: Option<Narrow>,
    by_gathers: bool,
}

/// Columns as offsets from the least column of their slice.
struct Narrow {
    base: Vec<u32>,
    offset: Vec<u16>,
}

impl PreparedSell {
    /// Finds the common lengths and tries to narrow the columns. Gathers are for eight rows of f64 a slice.
    pub fn new<S: Scalar>(A: &Sell<S>, by_gathers: bool) -> Self {
        if !HEIGHTS.contains(&A.height()) {
            return Self { full: Vec::new(), narrow: None, by_gathers };
        }
        let full = A.len().chunks(A.height()).map(|len| len.iter().copied().min().unwrap_or(0)).collect();
        Self { full, narrow: Narrow::new(A), by_gathers }
    }

    /// Rows `first..` of A x by position, as many as y is long.
    pub fn block_product<S: Scalar>(&self, (A, val): (&Sell<S>, &[S]), first: usize, x: Gather<'_, S>, y: &mut [S]) {
        if self.full.is_empty() {
            return simd::run(SellRows { A, val, first, x, y });
        }
        #[cfg(target_arch = "x86_64")]
        if self.by_gathers && self.run_avx512((A, val), first, x, y) {
            return;
        }
        let full = &self.full[..];
        match &self.narrow {
            Some(Narrow { base, offset }) => {
                simd::run(SellSlices { A, val, full, col: offset, base: Some(base), first, x, y });
            }
            None => simd::run(SellSlices { A, val, full, col: A.col(), base: None, first, x, y }),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl PreparedSell {
    /// Runs the kernel written for AVX-512 if it is made for this matrix; whether it was.
    fn run_avx512<S: Scalar>(&self, (A, val): (&Sell<S>, &[S]), first: usize, x: Gather<'_, S>, y: &mut [S]) -> bool {
        let (Some(narrow), Some(x)) = (&self.narrow, Gather::of_f64(x)) else { return false };
        if A.height() != 8 {
            return false;
        }
        sell_avx512::run(sell_avx512::Slices {
            start: A.slice_start(),
            val: bytemuck::cast_slice(val),
            offset: &narrow.offset,
            base: &narrow.base,
            full: &self.full,
            len: A.len(),
            first: first / 8,
            x,
            y: bytemuck::cast_slice_mut(y),
        });
        true
    }
}

impl Narrow {
    fn new<S: Scalar>(A: &Sell<S>) -> Option<Self> {
        let start = |s: usize| A.slice_start()[s] as usize;
        let (mut base, mut offset) = (vec![0u32; A.slices()], vec![0u16; A.slots()]);
        let mut rest = &mut offset[..];
        let mut pieces = Vec::with_capacity(A.slices().div_ceil(SLICES));
        for (k, base) in base.chunks_mut(SLICES).enumerate() {
            let first = k * SLICES;
            let (piece, tail) = rest.split_at_mut(start(first + base.len()) - start(first));
            pieces.push((first, base, piece));
            rest = tail;
        }
        let fits = AtomicBool::new(true);
        parallel::each_piece(pieces, &|(first, base, offset): (usize, &mut [u32], &mut [u16])| {
            for (s, base) in (first..).zip(base) {
                match narrow_slice(A, s, &mut offset[start(s) - start(first)..start(s + 1) - start(first)]) {
                    Some(least) => *base = least,
                    None => return fits.store(false, Ordering::Relaxed),
                }
            }
        });
        fits.into_inner().then_some(Self { base, offset })
    }
}

/// Writes the offsets of one slice; its base, or none if a column is too far away. Padding keeps offset 0.
fn narrow_slice<S: Scalar>(A: &Sell<S>, s: usize, offset: &mut [u16]) -> Option<u32> {
    let (height, start) = (A.height(), A.slice_start()[s] as usize);
    let len = &A.len()[s * height..(s + 1) * height];
    let first_columns = (0..height).filter(|&l| len[l] > 0).map(|l| A.col()[start + l]);
    let base = first_columns.min().unwrap_or(0); // columns ascend in each row
    for (l, &len) in len.iter().enumerate() {
        for slot in (0..len as usize).map(|e| e * height + l) {
            offset[slot] = u16::try_from(A.col()[start + slot] - base).ok()?;
        }
    }
    Some(base)
}

/// Whole slices; blocks begin where a slice begins.
struct SellSlices<'a, S, I> {
    A: &'a Sell<S>,
    val: &'a [S],
    full: &'a [u32],
    col: &'a [I],
    base: Option<&'a [u32]>,
    first: usize,
    x: Gather<'a, S>,
    y: &'a mut [S],
}

impl<S: Scalar, I: Column> Kernel for SellSlices<'_, S, I> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let height = self.A.height();
        let first_slice = self.first / height;
        let bounds = self.A.slice_start()[first_slice..].windows(2);
        for ((s, y), bounds) in (first_slice..).zip(self.y.chunks_mut(height)).zip(bounds) {
            let slots = bounds[0] as usize..bounds[1] as usize;
            let x = self.base.map_or(self.x, |base| self.x.from(base[s] as usize));
            let (val, col) = (&self.val[slots.clone()], &self.col[slots]);
            let len = &self.A.len()[s * height..(s + 1) * height];
            Slice { val, col, height, full: self.full[s] as usize }.sums(x, |lane| len[lane] as usize, y);
        }
    }
}

/// Slices of any height: row after row.
struct SellRows<'a, S> {
    A: &'a Sell<S>,
    val: &'a [S],
    first: usize,
    x: Gather<'a, S>,
    y: &'a mut [S],
}

impl<S: Scalar> Kernel for SellRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let A = self.A;
        for (p, y) in (self.first..).zip(self.y) {
            let slots = (0..A.len()[p] as usize).map(|e| A.slot(p, e));
            *y = slots.fold(S::zero(), |sum, k| sum + self.val[k] * self.x.at(A.col()[k] as usize));
        }
    }
}
