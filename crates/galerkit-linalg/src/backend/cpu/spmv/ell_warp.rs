//! ELL-WARP: a warp at a time. Where several lanes share a row (K2), their sums are added as a
//! warp adds them: neighbours first, then pairs, then fours.

use super::lanes::{HEIGHTS, Slice};
use crate::backend::cpu::simd::{Gather, Kernel};
use crate::scalar::Scalar;
use crate::sparse::EllWarp;

/// Lanes of the widest warp that is worked on as a whole.
const WIDEST: usize = HEIGHTS[HEIGHTS.len() - 1];

/// Rows of A x by sorted position; y holds those from `first` on.
pub struct EllWarpRows<'a, S> {
    pub A: &'a EllWarp<S>,
    pub val: &'a [S],
    pub first: usize,
    pub x: Gather<'a, S>,
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for EllWarpRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let A = self.A;
        let as_a_whole = HEIGHTS.contains(&A.warp());
        let end = self.first + self.y.len();
        let mut w = A.row_start().partition_point(|&row| row as usize <= self.first).saturating_sub(1);
        while w < A.warps() && (A.row_start()[w] as usize) < end {
            let t = A.reduction()[w] as usize;
            let start = A.row_start()[w] as usize;
            let rows = start.max(self.first)..(start + A.warp() / t).min(end);
            if as_a_whole {
                let sum = warp_sums(A, self.val, w, self.x);
                for s in rows {
                    let lane = (s - start) * t;
                    self.y[s - self.first] = if t == 1 { sum[lane] } else { segment_sum(&sum[lane..lane + t]) };
                }
            } else {
                for s in rows {
                    self.y[s - self.first] = row_sum(A, self.val, w, s, self.x);
                }
            }
            w += 1;
        }
    }
}

/// The sum of every lane of warp w.
#[inline(always)]
fn warp_sums<S: Scalar>(A: &EllWarp<S>, val: &[S], w: usize, x: Gather<'_, S>) -> [S; WIDEST] {
    let (t, start) = (A.reduction()[w] as usize, A.row_start()[w] as usize);
    let offset = A.warp_offset()[w] as usize;
    // Lane l holds every t-th entry of its row; lanes of phantom rows hold none.
    let shift = t.trailing_zeros(); // t is a power of two
    let lane_length = |l: usize| match A.len().get(start + (l >> shift)) {
        Some(&len) => (len as usize + t - 1 - (l & (t - 1))) >> shift,
        None => 0,
    };
    let slots = offset..A.warp_offset()[w + 1] as usize;
    let slice = Slice {
        val: &val[slots.clone()],
        col: &A.col()[slots],
        height: A.warp(),
        full: (0..A.warp()).map(lane_length).min().unwrap_or(0),
    };
    let mut sums = [S::zero(); WIDEST];
    slice.sums(x, lane_length, &mut sums);
    sums
}

/// Adds a power of two of lanes, neighbours first.
fn segment_sum<S: Scalar>(lanes: &[S]) -> S {
    match lanes {
        [only] => *only,
        _ => {
            let (left, right) = lanes.split_at(lanes.len() / 2);
            segment_sum(left) + segment_sum(right)
        }
    }
}

/// One row at sorted position s of warp w, for warps that do not consist of groups of eight lanes.
fn row_sum<S: Scalar>(A: &EllWarp<S>, val: &[S], w: usize, s: usize, x: Gather<'_, S>) -> S {
    let t = A.reduction()[w] as usize;
    let first = A.warp_offset()[w] as usize + (s - A.row_start()[w] as usize) * t;
    let mut lane = vec![S::zero(); t];
    for e in 0..A.len()[s] as usize {
        let k = first + (e / t) * A.warp() + e % t;
        lane[e % t] += val[k] * x.at(A.col()[k] as usize);
    }
    segment_sum(&lane)
}
