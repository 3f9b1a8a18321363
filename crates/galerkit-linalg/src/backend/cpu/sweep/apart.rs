//! Sweeps with triangles that fall apart: ranges of rows that no entry couples with rows outside of them, as incomplete
//! factors of diagonal blocks have. A range is swept forth and back by one thread, which waits for nobody. The order
//! within each range is natural: the bits are those of one thread.

use super::model::{LEAST_GAIN, WAKE, work};
use super::rows;
use super::shared::Shared;
use crate::map::{Numbers, Triangular};
use crate::parallel;
use crate::scalar::Scalar;
use std::ops::Range;

/// Neighbours are joined until their work is worth a thread's look for more: about so many ranges for each thread.
const RANGES: usize = 4;

/// Ranges of rows that do not need each other.
#[derive(Debug)]
pub struct Apart {
    ranges: Vec<Range<usize>>,
    /// How many times as fast as one thread, by the model.
    pub gain: f64,
}

impl Apart {
    /// The ranges for so many threads; none if there are too few, or one has nearly all of the work.
    pub fn new<S: Scalar>(M: &impl Triangular<S>, threads: usize) -> Option<Self> {
        let seconds = |rows: &Range<usize>| {
            let entries = [M.lower(), M.upper()].map(|T| T.start()[rows.end] - T.start()[rows.start]);
            work(2 * rows.len(), (entries[0] + entries[1]) as usize)
        };
        let alone = seconds(&(0..M.lower().rows()));
        if threads < 2 || alone < WAKE {
            return None;
        }
        let ranges = joined(seams(M), |rows| seconds(rows) >= alone / (RANGES * threads) as f64);
        let mut free: Vec<f64> = (0..threads).map(|thread| if thread == 0 { 0.0 } else { WAKE }).collect();
        for range in &ranges {
            let first = (0..threads).min_by(|&a, &b| free[a].total_cmp(&free[b])).expect("there are threads");
            free[first] += seconds(range);
        }
        // A thread without work need not wake.
        let busy = free.into_iter().enumerate().filter(|&(thread, free)| thread == 0 || free > WAKE);
        let gain = alone / busy.fold(0.0, |last, (_, free)| free.max(last));
        (gain >= LEAST_GAIN).then_some(Self { ranges, gain })
    }

    /// y = M^-1 x
    pub fn apply<S: Scalar>(&self, M: &impl Triangular<S>, numbers: Numbers<'_, S>, x: &[S], y: &mut [S]) {
        let y = Shared::new(y);
        parallel::each(self.ranges.len(), &|k| {
            rows::forward((M, numbers), x, y, self.ranges[k].clone());
            rows::backward((M, numbers), y, self.ranges[k].clone());
        });
    }

    /// The ranges, in order.
    #[cfg(test)]
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }
}

/// The rows that no entry of either triangle reaches across, and the end.
pub fn seams<S: Scalar>(M: &impl Triangular<S>) -> Vec<usize> {
    let rows = M.lower().rows();
    let columns = |i: usize| [M.lower(), M.upper()].map(|T| &T.col()[T.range(i)]);
    // The lowest column of this row and all after it.
    let mut lowest = vec![rows; rows + 1];
    for i in (0..rows).rev() {
        let first = columns(i).into_iter().filter_map(|columns| columns.first());
        lowest[i] = first.fold(lowest[i + 1].min(i), |lowest, &j| lowest.min(j as usize));
    }
    let mut highest = 0; // of the rows before
    let mut found = Vec::new();
    for i in 0..rows {
        let last = columns(i).into_iter().filter_map(|columns| columns.last());
        highest = last.fold(highest.max(i), |highest, &j| highest.max(j as usize));
        if highest <= i && lowest[i + 1] > i {
            found.push(i + 1);
        }
    }
    found
}

/// Ranges from seam to seam, joined until they are large; what is left at the end is a small one.
fn joined(seams: Vec<usize>, is_large: impl Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
    let (mut first, end) = (0, seams.last().copied());
    let mut ranges = Vec::new();
    for seam in seams {
        if is_large(&(first..seam)) || Some(seam) == end {
            ranges.push(first..seam);
            first = seam;
        }
    }
    ranges
}
