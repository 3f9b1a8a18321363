//! P = T - g (A^F T) on the pattern of A^F T (spec 08, section 2, step 9), or P = T. Kernels: amg_prolongator.cu,
//! amg_prolongator_long.cu.

use super::aggregates::Aggregates;
use super::strength::Statistics;
use super::tools::{Tools, level_words, queue};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// What P is made of.
pub(super) struct Parts<'a, S> {
    pub(super) A: &'a DeviceCsr<S>,
    pub(super) near_null: Option<&'a Buffer>,
    pub(super) statistics: &'a Statistics<'a>,
    pub(super) aggregates: &'a Aggregates,
    pub(super) is_smoothed: bool,
}

/// Columns that the kernels have registers for.
const ROOM: usize = 12;

impl<S: Scalar> Parts<'_, S> {
    /// The words of `struct Prolongator`.
    fn words(&self, [start, col, val]: [u64; 3], list: &Piece<'_>, counter: u64) -> Vec<u64> {
        let Statistics { least, filtered, filtered_root, kept, .. } = self.statistics;
        let rows = [least, filtered, filtered_root].map(|piece| piece.address());
        let kept = kept.as_ref().map_or(0, Buffer::address);
        let others = [kept, self.aggregates.of_row.address(), self.is_smoothed as u64];
        let ends = [start, col, val, list.address(), counter];
        [&level_words(self.A, self.near_null)[..], &rows, &others, &ends].concat()
    }
}

impl Tools<'_> {
    /// P, pattern and values.
    pub(super) fn prolongator<S: Scalar>(&self, parts: &Parts<'_, S>) -> Result<DeviceCsr<S>> {
        let n = parts.A.rows;
        let start = Buffer::new(self.gpu(), "the row starts of a prolongator", 8 * (n + 1))?;
        let list = self.pool().piece(4 * n)?;
        let words = parts.words([start.address(), 0, 0], &list, self.multiplier.zero_counters());
        queue(&self.prolongator, "amg_prolongator_count", n, &words);
        let [long] = self.multiplier.counts::<1>()?;
        queue(&self.prolongator, "amg_long_count", long, &[&words[..], &[long as u64]].concat());
        self.multiplier.rows().scan(&start, n);
        let P = DeviceCsr::with_starts(start, (n, parts.aggregates.count), self.multiplier.rows().scan_total()?)?;
        self.fill_prolongator(parts, &P, (long, &list));
        Ok(P)
    }

    /// The values of a P whose pattern is known.
    pub(super) fn refill_prolongator<S: Scalar>(&self, parts: &Parts<'_, S>, P: &DeviceCsr<S>) -> Result<()> {
        let (long, list) = self.multiplier.rows_between(P, ROOM, usize::MAX)?;
        self.fill_prolongator(parts, P, (long, &list));
        Ok(())
    }

    fn fill_prolongator<S: Scalar>(&self, parts: &Parts<'_, S>, P: &DeviceCsr<S>, (long, list): (usize, &Piece<'_>)) {
        let words = parts.words(P.addresses(), list, 0);
        queue(&self.prolongator, "amg_prolongator_fill", parts.A.rows, &words);
        queue(&self.prolongator, "amg_long_fill", long, &[&words[..], &[long as u64]].concat());
    }
}
