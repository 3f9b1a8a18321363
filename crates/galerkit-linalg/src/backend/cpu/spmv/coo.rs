//! Sorted triples: each block finds its entries by bisection and adds them to its rows in stored order.

use crate::backend::cpu::simd::{Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Coo;

/// y = y + A x for the rows that begin at `first`; y holds just those. The triples must be sorted by row.
pub struct CooRows<'a, S> {
    pub A: &'a Coo<S>,
    pub first: usize,
    pub x: &'a [S],
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for CooRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (A, first) = (self.A, self.first);
        let position = |row: usize| A.row().partition_point(|&i| (i as usize) < row);
        let range = position(first)..position(first + self.y.len());
        let entries = A.row()[range.clone()].iter().zip(&A.col()[range.clone()]).zip(&A.val()[range]);
        for ((i, j), a) in entries {
            prefetch(std::slice::from_ref(a));
            self.y[*i as usize - first] += *a * self.x[*j as usize];
        }
    }
}
