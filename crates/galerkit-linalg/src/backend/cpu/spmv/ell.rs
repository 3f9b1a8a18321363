//! ELL and ELL-R: a block of rows at a time, one column of the storage after the other, so that every stream is
//! contiguous over the block. Columns that no row of the block has are not read; padding is selected away.

use crate::backend::cpu::simd::{Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Ell;

/// y = A x for the rows that begin at `first`; y holds just those.
pub struct EllRows<'a, S> {
    pub A: &'a Ell<S>,
    pub first: usize,
    pub x: &'a [S],
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for EllRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (A, x) = (self.A, self.x);
        let rows = self.first..self.first + self.y.len();
        let len = &A.len()[rows.clone()];
        let full = len.iter().copied().min().unwrap_or(0) as usize;
        let width = len.iter().copied().max().unwrap_or(0) as usize;
        self.y.fill(S::zero());
        for e in 0..width {
            let slots = e * A.rows() + rows.start..e * A.rows() + rows.end;
            let entries = A.val()[slots.clone()].iter().zip(&A.col()[slots]);
            if e < full {
                for (y, (a, j)) in self.y.iter_mut().zip(entries) {
                    prefetch(std::slice::from_ref(a));
                    *y += *a * x[*j as usize];
                }
            } else {
                for ((y, (a, j)), len) in self.y.iter_mut().zip(entries).zip(len) {
                    if e < *len as usize {
                        *y += *a * x[*j as usize];
                    }
                }
            }
        }
    }
}
