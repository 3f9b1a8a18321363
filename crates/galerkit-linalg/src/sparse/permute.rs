//! Reordering a stored matrix. With position s of the new order holding the old index old(s):
//! (P A)\[s, j\] = A\[old(s), j\] and (P A P^T)\[s, t\] = A\[old(s), old(t)\].
//! To solve A x = b in the new order: gather b, solve with P A P^T, scatter the solution.

use crate::error::{Result, check_length};
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, Permutation, build};
use std::hint::black_box;

/// Rows that are asked for together.
const BATCH: usize = 16;

per_scalar! {
    fn permute_symmetric<S>(A: &Csr<S>, order: &Permutation) -> Result<Csr<S>> = Csr::rows_and_columns;
    fn permute_rows<S>(A: &Csr<S>, order: &Permutation) -> Result<Csr<S>> = Csr::rows_alone;
}

impl<S: Scalar> Csr<S> {
    /// P A P^T: rows and columns of a square matrix in the new order.
    pub fn permute_symmetric(&self, order: &Permutation) -> Result<Self> {
        permute_symmetric(self, order)
    }

    fn rows_and_columns(&self, order: &Permutation) -> Result<Self> {
        self.require_square("a symmetric permutation")?;
        check_length("the permutation", self.rows(), order.len())?;
        let (old, new) = (order.old(), order.new_position());
        // New column above, place in the old row below: one integer sort orders columns and remembers values.
        Ok(build::fill_rows(self.cols(), self.permuted_starts(order), Vec::new, |keys: &mut Vec<u64>, s, col, val| {
            if s.is_multiple_of(BATCH) {
                self.touch(&old[s..old.len().min(s + BATCH)]);
            }
            let range = self.range(old[s] as usize);
            keys.clear();
            let columns = self.col()[range.clone()].iter();
            keys.extend(columns.enumerate().map(|(k, &j)| (new[j as usize] as u64) << 32 | k as u64));
            keys.sort_unstable();
            for ((key, col), val) in keys.iter().zip(col).zip(val) {
                *col = (key >> 32) as u32;
                *val = self.val()[range.start + (*key as u32) as usize];
            }
        }))
    }

    /// Asks for some rows, which lie anywhere in memory, before any of them is waited for: sorting waits again and
    /// again, and looks ahead no further than a row. Halves the time to permute a matrix in random order.
    fn touch(&self, rows: &[u32]) {
        let mut found = [(0, 0); BATCH];
        for (found, &i) in found.iter_mut().zip(rows) {
            let range = self.range(i as usize);
            *found = (range.start, range.end);
        }
        for (start, end) in found.into_iter().filter(|(start, end)| start < end) {
            let middle = start.midpoint(end);
            black_box((self.col()[start], self.col()[end - 1]));
            black_box((self.val()[start], self.val()[middle], self.val()[end - 1]));
        }
    }

    /// P A: only the rows in the new order.
    pub fn permute_rows(&self, order: &Permutation) -> Result<Self> {
        permute_rows(self, order)
    }

    fn rows_alone(&self, order: &Permutation) -> Result<Self> {
        check_length("the permutation", self.rows(), order.len())?;
        Ok(build::fill_rows(
            self.cols(),
            self.permuted_starts(order),
            || (),
            |(), s, col, val| {
                let range = self.range(order.old()[s] as usize);
                col.copy_from_slice(&self.col()[range.clone()]);
                val.copy_from_slice(&self.val()[range]);
            },
        ))
    }

    fn permuted_starts(&self, order: &Permutation) -> Vec<u64> {
        build::row_starts(self.rows(), || (), |(), s| self.row_length(order.old()[s] as usize))
    }
}
