//! Eight neighbouring lanes of a slice or warp, each summing its own row (or its share of one) in stored order: the
//! kernel that SELL and ELL-WARP have in common. Padding is selected away, never multiplied: 0 * NaN is not 0.

use crate::backend::cpu::simd::{Gather, prefetch};
use crate::scalar::Scalar;

/// Lanes worked on together.
pub const LANES: usize = 8;

/// A column index as it is stored: whole, or as a 16-bit offset from the least column of its slice.
pub trait Column: Copy + Send + Sync {
    /// The index as a position.
    fn position(self) -> usize;
}
impl Column for u32 {
    #[inline(always)]
    fn position(self) -> usize {
        self as usize
    }
}
impl Column for u16 {
    #[inline(always)]
    fn position(self) -> usize {
        self as usize
    }
}

/// Where eight lanes find their entries: entry e of lane l at `e * stride + l`.
pub struct Lanes<'a, S, I> {
    /// Values from the first lane's first entry on.
    pub val: &'a [S],
    /// Columns likewise.
    pub col: &'a [I],
    /// Distance between two entries of a lane: the height of the slice or the width of the warp.
    pub stride: usize,
    /// Entries that every lane has.
    pub full: usize,
    /// Entries of the longest lane.
    pub width: usize,
}

impl<S: Scalar, I: Column> Lanes<'_, S, I> {
    /// The sums; `len(l)` is the number of entries of lane l, asked only where lanes differ.
    #[inline(always)]
    pub fn sums(&self, x: Gather<'_, S>, len: impl Fn(usize) -> usize) -> [S; LANES] {
        let mut sum = [S::zero(); LANES];
        if self.stride == LANES {
            // The slice is one contiguous stream: no bounds to check.
            let val = self.val[..self.full * LANES].as_chunks::<LANES>().0;
            let col = self.col[..self.full * LANES].as_chunks::<LANES>().0;
            val.iter().zip(col).for_each(|(val, col)| add(val, col, x, &mut sum));
        } else {
            for e in 0..self.full {
                let (val, col) = self.entry(e);
                add(val, col, x, &mut sum);
            }
        }
        if self.full < self.width {
            self.add_uneven(x, std::array::from_fn(len), &mut sum);
        }
        sum
    }

    /// The entries that only some lanes have.
    #[inline(always)]
    fn add_uneven(&self, x: Gather<'_, S>, len: [usize; LANES], sum: &mut [S; LANES]) {
        for e in self.full..self.width {
            let (val, col) = self.entry(e);
            prefetch(val);
            prefetch(col);
            for lane in 0..LANES {
                let with = sum[lane] + val[lane] * x.at(col[lane].position()); // padding names a column that exists
                sum[lane] = if e < len[lane] { with } else { sum[lane] };
            }
        }
    }

    #[inline(always)]
    fn entry(&self, e: usize) -> (&[S; LANES], &[I; LANES]) {
        let first = e * self.stride;
        let val = self.val[first..first + LANES].first_chunk().expect("eight lanes were sliced");
        let col = self.col[first..first + LANES].first_chunk().expect("eight lanes were sliced");
        (val, col)
    }
}

/// One entry of every lane.
#[inline(always)]
fn add<S: Scalar, I: Column>(val: &[S; LANES], col: &[I; LANES], x: Gather<'_, S>, sum: &mut [S; LANES]) {
    prefetch(val);
    prefetch(col);
    for lane in 0..LANES {
        sum[lane] += val[lane] * x.at(col[lane].position());
    }
}
