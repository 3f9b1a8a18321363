//! Numbers of the aggregates, and the rows that no root owns (spec 08, section 2, steps 5 to 7). Kernels:
//! amg_aggregates.cu.

use super::roots::Owners;
use super::strength::{Graph, Statistics};
use super::tools::{Tools, level_words, queue, queue_appending};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::Scalar;

/// The aggregate of each row, all ones for none.
pub(super) struct Aggregates {
    pub(super) of_row: Buffer,
    pub(super) count: usize,
}

impl Tools<'_> {
    /// Numbers the roots in ascending order; every row takes the number of its owner, the rest that of a neighbour.
    pub(super) fn aggregates<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        (statistics, graph): (&Statistics<'_>, &Graph<'_>),
        owners: Owners<'_>,
    ) -> Result<Aggregates> {
        let n = A.rows;
        self.multiplier.rows().scan(&owners.is_root, n);
        let of_row = Buffer::new(self.gpu(), "the aggregates of a level", 4 * n)?;
        let [rest, orphans, chosen, left] = [(); 4].map(|()| self.pool().piece(4 * n));
        let (mut rest, mut orphans, chosen, mut left) = (rest?, orphans?, chosen?, left?);
        let counters = self.multiplier.zero_counters();
        let rows = [&graph.degree, &owners.owner, &statistics.isolated, &owners.is_root].map(|piece| piece.address());
        let lists = [of_row.address(), rest.address(), orphans.address(), counters];
        queue_appending(&self.aggregates, "amg_number", n, &[&[n as u64][..], &rows, &lists].concat());
        let counts = self.multiplier.counts::<2>()?;
        let joins = [(&mut rest, counts[0], "amg_join_neighbour"), (&mut orphans, counts[1], "amg_join_strongest")];
        for (list, mut count, kernel) in joins {
            while count > 0 {
                let arrays = [&statistics.diagonal, &graph.degree, &graph.edge].map(|piece| piece.address());
                let counter = self.multiplier.zero_counters();
                let ends = [of_row.address(), chosen.address(), left.address(), counter];
                let words = [&[count as u64, list.address()][..], &level_words(A, None), &arrays, &ends].concat();
                queue(&self.aggregates, kernel, count, &words);
                queue(&self.aggregates, "amg_join", count, &words);
                let [still] = self.multiplier.counts::<1>()?;
                if still == count {
                    break; // nothing that has a number is near
                }
                count = still;
                std::mem::swap(list, &mut left);
            }
        }
        let count = self.multiplier.rows().scan_total()?;
        Ok(Aggregates { of_row, count })
    }

    /// sum_i h(i) (aggregate_i + 1) mod 2^64, and how many rows are in no aggregate.
    pub(super) fn checksum(&self, aggregates: &Aggregates, rows: usize) -> Result<[u64; 2]> {
        let counter = self.multiplier.zero_counters();
        self.aggregates.launch("amg_checksum", rows, &[rows as u64, aggregates.of_row.address(), counter]);
        self.multiplier.sums::<2>()
    }
}
