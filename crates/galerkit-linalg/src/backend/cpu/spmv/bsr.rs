//! Block rows: all rows of a block row together, block after block, fill selected away by its bit.

use crate::backend::cpu::simd::{Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Bsr;

/// Largest block order whose sums are kept on the stack; larger blocks go row by row.
const LARGEST: usize = 16;

/// y = A x for the rows that begin at `first`; y holds just those.
pub struct BsrRows<'a, S> {
    pub A: &'a Bsr<S>,
    pub val: &'a [S],
    pub first: usize,
    pub x: &'a [S],
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for BsrRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (b, end) = (self.A.block(), self.first + self.y.len());
        if b > LARGEST {
            for (i, y) in (self.first..end).zip(self.y) {
                *y = row_sum(self.A, self.val, i, self.x);
            }
            return;
        }
        for block_row in self.first / b..end.div_ceil(b) {
            let sum = match b {
                2 => block_row_sums::<S, 2>(self.A, self.val, block_row, self.x),
                3 => block_row_sums::<S, 3>(self.A, self.val, block_row, self.x),
                4 => block_row_sums::<S, 4>(self.A, self.val, block_row, self.x),
                _ => block_row_sums::<S, 0>(self.A, self.val, block_row, self.x),
            };
            for i in (block_row * b).max(self.first)..((block_row + 1) * b).min(end) {
                self.y[i - self.first] = sum[i % b];
            }
        }
    }
}

/// The sum of row i, for blocks that are too large for the stack.
fn row_sum<S: Scalar>(A: &Bsr<S>, val: &[S], i: usize, x: &[S]) -> S {
    let b = A.block();
    let mut sum = S::zero();
    for p in A.block_start()[i / b] as usize..A.block_start()[i / b + 1] as usize {
        let (first, j) = (p * b * b + (i % b) * b, A.block_col()[p] as usize * b);
        for c in (0..b).filter(|c| A.is_stored(first + c)) {
            sum += val[first + c] * x[j + c];
        }
    }
    sum
}

/// The sums of one block row; ORDER is the block order where it is known at compile time, 0 elsewhere.
#[inline(always)]
fn block_row_sums<S: Scalar, const ORDER: usize>(A: &Bsr<S>, val: &[S], block_row: usize, x: &[S]) -> [S; LARGEST] {
    let b = if ORDER == 0 { A.block() } else { ORDER };
    let mut sum = [S::zero(); LARGEST];
    for p in A.block_start()[block_row] as usize..A.block_start()[block_row + 1] as usize {
        let (first, j) = (p * b * b, A.block_col()[p] as usize * b);
        let val = &val[first..first + b * b];
        prefetch(val);
        if j + b > x.len() || b * b > 64 {
            for (slot, a) in val.iter().enumerate().filter(|(slot, _)| A.is_stored(first + slot)) {
                sum[slot / b] += *a * x[j + slot % b];
            }
            continue;
        }
        let (x, mut bits) = (&x[j..j + b], if A.is_full() { u64::MAX } else { stored_bits(A, first) });
        for (sum, val) in sum.iter_mut().zip(val.chunks_exact(b)) {
            for (a, x) in val.iter().zip(x) {
                *sum += if bits & 1 == 1 { *a * *x } else { S::zero() }; // fill is selected away: 0 * NaN is not 0
                bits >>= 1;
            }
        }
    }
    sum
}

/// The bits of the 64 slots from `first` on: set for entries, clear for fill.
#[inline(always)]
fn stored_bits<S: Scalar>(A: &Bsr<S>, first: usize) -> u64 {
    let (word, bit) = (first / 64, first % 64);
    let next = A.stored().get(word + 1).copied().unwrap_or(0);
    let high = if bit == 0 { 0 } else { next << (64 - bit) };
    A.stored()[word] >> bit | high
}
