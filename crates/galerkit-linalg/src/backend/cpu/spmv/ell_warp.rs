//! ELL-WARP: the lanes of a warp in groups of eight. Where several lanes share a row (K2), their sums are added as a
//! warp adds them: neighbours first, then pairs, then fours.

use super::lanes::{LANES, Lanes};
use crate::backend::cpu::partition::BLOCK;
use crate::backend::cpu::simd::{Gather, Kernel};
use crate::scalar::Scalar;
use crate::sparse::EllWarp;

/// Widest warp that is worked on eight lanes at a time; wider ones and narrower ones than eight go row by row.
const WIDEST: usize = 64;

/// Rows of A x by sorted position; y holds those from `first` on.
pub struct EllWarpRows<'a, S> {
    pub A: &'a EllWarp<S>,
    pub first: usize,
    pub x: Gather<'a, S>,
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for EllWarpRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let A = self.A;
        let lanes_fit = (LANES..=WIDEST).contains(&A.warp()) && BLOCK.is_multiple_of(A.warp());
        let end = self.first + self.y.len();
        let mut w = A.row_start().partition_point(|&row| row as usize <= self.first).saturating_sub(1);
        while w < A.warps() && (A.row_start()[w] as usize) < end {
            let t = A.reduction()[w] as usize;
            let start = A.row_start()[w] as usize;
            let rows = start.max(self.first)..(start + A.warp() / t).min(end);
            if lanes_fit {
                let sum = warp_sums(A, w, self.x);
                for s in rows {
                    let lane = (s - start) * t;
                    self.y[s - self.first] = if t == 1 { sum[lane] } else { segment_sum(&sum[lane..lane + t]) };
                }
            } else {
                for s in rows {
                    self.y[s - self.first] = row_sum(A, w, s, self.x);
                }
            }
            w += 1;
        }
    }
}

/// The sum of every lane of warp w.
#[inline(always)]
fn warp_sums<S: Scalar>(A: &EllWarp<S>, w: usize, x: Gather<'_, S>) -> [S; WIDEST] {
    let (t, start) = (A.reduction()[w] as usize, A.row_start()[w] as usize);
    let offset = A.warp_offset()[w] as usize;
    let width = A.max_rows()[w] as usize;
    // Lane l holds every t-th entry of its row; lanes of phantom rows hold none.
    let shift = t.trailing_zeros(); // t is a power of two
    let lane_length = |l: usize| match A.len().get(start + (l >> shift)) {
        Some(&len) => (len as usize + t - 1 - (l & (t - 1))) >> shift,
        None => 0,
    };
    let mut sums = [S::zero(); WIDEST];
    for first in (0..A.warp()).step_by(LANES) {
        let lanes = Lanes {
            val: &A.val()[offset..][first.min(width * A.warp())..],
            col: &A.col()[offset..][first.min(width * A.warp())..],
            stride: A.warp(),
            full: (first..first + LANES).map(lane_length).min().unwrap_or(0),
            width,
        };
        sums[first..first + LANES].copy_from_slice(&lanes.sums(x, |lane| lane_length(first + lane)));
    }
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
fn row_sum<S: Scalar>(A: &EllWarp<S>, w: usize, s: usize, x: Gather<'_, S>) -> S {
    let t = A.reduction()[w] as usize;
    let first = A.warp_offset()[w] as usize + (s - A.row_start()[w] as usize) * t;
    let mut lane = vec![S::zero(); t];
    for e in 0..A.len()[s] as usize {
        let k = first + (e / t) * A.warp() + e % t;
        lane[e % t] += A.val()[k] * x.at(A.col()[k] as usize);
    }
    segment_sum(&lane)
}
