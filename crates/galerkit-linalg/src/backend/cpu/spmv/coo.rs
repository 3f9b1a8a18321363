//! Sorted triples: each block finds its entries by bisection and adds the run of each row in stored order.

use crate::backend::cpu::simd::{Gather, Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Coo;

/// y = y + A x for the rows that begin at `first`; y holds just those. The triples must be sorted by row.
pub struct CooRows<'a, S> {
    pub A: &'a Coo<S>,
    pub val: &'a [S],
    pub first: usize,
    pub x: Gather<'a, S>,
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for CooRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (A, first) = (self.A, self.first);
        let position = |row: usize| A.row().partition_point(|&i| (i as usize) < row);
        let range = position(first)..position(first + self.y.len());
        let (row, col, val) = (&A.row()[range.clone()], &A.col()[range.clone()], &self.val[range]);
        let mut k = 0;
        while k < row.len() {
            let i = row[k];
            let run = row[k..].iter().take_while(|&&next| next == i).count();
            let mut sum = self.y[i as usize - first];
            for stream in (k..k + run).step_by(8) {
                prefetch(&val[stream..]);
                prefetch(&col[stream..]);
                prefetch(&row[stream..]);
            }
            for (a, j) in val[k..k + run].iter().zip(&col[k..k + run]) {
                sum += *a * self.x.at(*j as usize);
            }
            self.y[i as usize - first] = sum;
            k += run;
        }
    }
}
