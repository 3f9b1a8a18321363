//! A slice or warp, each lane summing its own row (or its share of one) in stored order: the kernel that SELL and
//! ELL-WARP have in common. The slice is one contiguous stream; its sums stay in registers, eight lanes a group.
//! Padding is selected away, never multiplied: 0 * NaN is not 0.

use crate::backend::cpu::simd::{Gather, prefetch};
use crate::scalar::Scalar;

/// Lanes of a group.
const LANES: usize = 8;
/// Heights the kernel is compiled for: 1, 2, 4 and 8 groups. Others go row by row.
pub const HEIGHTS: [usize; 4] = [8, 16, 32, 64];

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

/// Where the lanes find their entries: entry e of lane l at `e * height + l`.
pub struct Slice<'a, S, I> {
    /// Values of the slice.
    pub val: &'a [S],
    /// Columns likewise.
    pub col: &'a [I],
    /// Lanes; one of [`HEIGHTS`].
    pub height: usize,
    /// Entries that every lane has.
    pub full: usize,
}

impl<S: Scalar, I: Column> Slice<'_, S, I> {
    /// Writes the sums of the first lanes, as many as y is long; `len(l)` is the number of entries of lane l, asked
    /// only where lanes differ.
    #[inline(always)]
    pub fn sums(&self, x: Gather<'_, S>, len: impl Fn(usize) -> usize, y: &mut [S]) {
        match self.height {
            8 => self.sum_groups::<1>(x, len, y),
            16 => self.sum_groups::<2>(x, len, y),
            32 => self.sum_groups::<4>(x, len, y),
            64 => self.sum_groups::<8>(x, len, y),
            other => unreachable!("a height of {other} is not compiled"),
        }
    }

    #[inline(always)]
    fn sum_groups<const GROUPS: usize>(&self, x: Gather<'_, S>, len: impl Fn(usize) -> usize, y: &mut [S]) {
        let mut sum = [[S::zero(); LANES]; GROUPS];
        let val = self.val.as_chunks::<LANES>().0.as_chunks::<GROUPS>().0;
        let col = self.col.as_chunks::<LANES>().0.as_chunks::<GROUPS>().0;
        for (val, col) in val.iter().zip(col).take(self.full) {
            for group in 0..GROUPS {
                prefetch(&val[group]);
                prefetch(&col[group]);
                for lane in 0..LANES {
                    sum[group][lane] += val[group][lane] * x.at(col[group][lane].position());
                }
            }
        }
        for (e, (val, col)) in val.iter().zip(col).enumerate().skip(self.full) {
            for group in 0..GROUPS {
                prefetch(&val[group]);
                prefetch(&col[group]);
                for lane in 0..LANES {
                    let old = sum[group][lane];
                    let new = old + val[group][lane] * x.at(col[group][lane].position()); // padding names a real column
                    sum[group][lane] = if e < len(group * LANES + lane) { new } else { old };
                }
            }
        }
        let (whole, rest) = y.as_chunks_mut::<LANES>();
        let written = whole.len() * LANES;
        whole.iter_mut().zip(&sum).for_each(|(y, sum)| *y = *sum);
        rest.iter_mut().zip(sum.as_flattened().iter().skip(written)).for_each(|(y, sum)| *y = *sum);
    }
}
