//! Rows by length, longest first: what SELL does inside windows of sigma rows and ELL-WARP does globally. The order is
//! stable, so rows of equal length keep theirs and a regular matrix is not shuffled.
//!
//! ```text
//! length  2 2 3 2 | 1 4      window 4:  2 0 1 3 | 5 4      window 6:  5 2 0 1 3 4
//! ```

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::cmp::Reverse;

/// Number of stored entries of each row.
pub(super) fn row_lengths<S: Scalar>(A: &Csr<S>) -> Vec<u32> {
    A.start().windows(2).map(|w| (w[1] - w[0]) as u32).collect()
}

/// The row at each position when every window of `window` consecutive rows is sorted by falling length.
pub(super) fn longest_first(len: &[u32], window: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len.len() as u32).collect();
    if window > 1 {
        let together = window.saturating_mul((4096 / window).max(1)); // windows may be short
        parallel::each_chunk(&mut order, together, &|_, rows| {
            rows.chunks_mut(window).for_each(|rows| rows.sort_by_key(|&i| Reverse(len[i as usize])));
        });
    }
    order
}
