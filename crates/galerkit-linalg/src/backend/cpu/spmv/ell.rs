//! ELL and ELL-R: a block of rows at a time, one column of the storage after the other, so that every stream is
//! contiguous over the block. Columns that no row of the block has are not read; padding is selected away.

use crate::backend::cpu::simd::{Gather, Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Ell;

/// Entries prefetched at a time.
const LINE: usize = 8;

/// y = A x for the rows that begin at `first`; y holds just those.
pub struct EllRows<'a, S> {
    pub A: &'a Ell<S>,
    pub val: &'a [S],
    pub first: usize,
    pub x: Gather<'a, S>,
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
            let (val, col) = (self.val[slots.clone()].chunks(LINE), A.col()[slots].chunks(LINE));
            for (((y, val), col), len) in self.y.chunks_mut(LINE).zip(val).zip(col).zip(len.chunks(LINE)) {
                prefetch(val);
                prefetch(col);
                for (((y, a), j), len) in y.iter_mut().zip(val).zip(col).zip(len) {
                    let with = *y + *a * x.at(*j as usize); // padding names a column that exists
                    *y = if e < full || e < *len as usize { with } else { *y };
                }
            }
        }
    }
}
