//! Compressed rows: eight running sums a row, values and columns streamed with prefetching.

use crate::backend::cpu::blas1::lane_sum;
use crate::backend::cpu::simd::{Gather, Kernel, prefetch};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// y = A x for the rows that begin at `first`; y holds just those.
pub struct CsrRows<'a, S> {
    pub A: &'a Csr<S>,
    pub val: &'a [S],
    pub first: usize,
    pub x: Gather<'a, S>,
    pub y: &'a mut [S],
}

impl<S: Scalar> Kernel for CsrRows<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let x = self.x;
        let starts = &self.A.start()[self.first..=self.first + self.y.len()];
        for (y, range) in self.y.iter_mut().zip(starts.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let (val, val_tail) = self.val[range.clone()].as_chunks::<8>();
            let (col, col_tail) = self.A.col()[range].as_chunks::<8>();
            let mut sum = [S::zero(); 8];
            for (val, col) in val.iter().zip(col) {
                prefetch(val);
                prefetch(col);
                for lane in 0..8 {
                    sum[lane] += val[lane] * x.at(col[lane] as usize);
                }
            }
            let mut tail = S::zero();
            for (val, col) in val_tail.iter().zip(col_tail) {
                tail += *val * x.at(*col as usize);
            }
            *y = lane_sum(sum) + tail;
        }
    }
}
