//! Inverses of dense blocks, by Gauss-Jordan with row exchanges on [A | I] (Golub, Van Loan, Matrix computations, 4th
//! ed., section 3.4): for [`BlockDiagonal`](super::BlockDiagonal), and as something that programs apply, so that new
//! values need not come to the host. A singular block becomes what is not finite. It is not linear; to an engine a map
//! is what makes a vector of another one.

use crate::map::{DeviceSource, Grid, LinearMap, Protocol, Word};
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};

/// Blocks up to this size are inverted by a warp, a lane for each column; larger ones by the host.
const WARP: usize = 32;
/// About so many entries, in whole blocks, are one task.
const ENTRIES: usize = 4096;

/// y = the inverses of blocks that stand in x one after another, each by rows; all of one size but the last.
#[derive(Clone, Debug)]
pub struct BlockInverses {
    rows: usize,
    block: usize,
}

per_scalar! {
    /// The map behind a trait object, compiled here.
    pub fn block_inverses_map<S>(inverses: BlockInverses) -> Box<dyn LinearMap<S>> = boxed;
}

fn boxed<S: Scalar>(inverses: BlockInverses) -> Box<dyn LinearMap<S>> {
    Box::new(inverses)
}

impl BlockInverses {
    /// For so many rows in blocks of a size, as [`BlockDiagonal`](super::BlockDiagonal) has them.
    pub fn new(rows: usize, block: usize) -> Self {
        Self { rows, block: block.max(1) }
    }

    fn slots(&self) -> usize {
        let last = self.rows % self.block;
        (self.rows - last) * self.block + last * last
    }

    /// Blocks that begin at row `first`, as many as x has.
    fn invert<S: Scalar>(&self, first: usize, x: &[S], y: &mut [S]) {
        let mut at = 0;
        for first in (first..self.rows).step_by(self.block) {
            let size = self.block.min(self.rows - first);
            let slots = at..at + size * size;
            if slots.end > x.len() {
                return; // others have the rest
            }
            match inverse(x[slots.clone()].to_vec(), size) {
                Some(B) => y[slots.clone()].copy_from_slice(&B),
                None => y[slots.clone()].fill(S::from_f64(f64::NAN)),
            }
            at = slots.end;
        }
    }
}

impl<S: Scalar> LinearMap<S> for BlockInverses {
    fn shape(&self) -> (usize, usize) {
        (self.slots(), self.slots())
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        self.invert(0, x, y);
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        let square = self.block * self.block;
        let blocks = (ENTRIES / square).max(1);
        parallel::each_chunk(y, blocks * square, &|first, y| {
            self.invert(first / self.block, &x[first..first + y.len()], y);
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = [self.rows, self.block].map(|n| Word::Number(n as u64)).to_vec();
        let (source, protocol) = (SOURCE.to_string(), Protocol::Rows);
        (self.block <= WARP).then_some(DeviceSource { source, protocol, words, lanes: 1, grid: Grid::Rows })
    }
}

// Lane j of a warp has column j of A and of B; products are rounded before they are subtracted, as on the host: same
// bits. Rows are compared by |re| + |im| in double precision, which is exact enough to pick the same one everywhere.
const SOURCE: &str = "struct Map { Offset rows, block; };
__device__ inline float product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double product(double a, double b) { return __dmul_rn(a, b); }
__device__ inline Complex product(Complex a, Complex b) {
    return {product(a.re, b.re) - product(a.im, b.im), product(a.re, b.im) + product(a.im, b.re)};
}
__device__ inline Real one_over(Real a) { return Real(1) / a; }
__device__ inline Complex one_over(Complex a) {
    const Real size = product(a.re, a.re) + product(a.im, a.im);
    return {(a.re + product(Real(0), a.im)) / size, (product(Real(0), a.re) - a.im) / size};
}
__device__ inline double length(Real a) { return fabs(double(a)); }
__device__ inline double length(Complex a) { return fabs(double(a.re)) + fabs(double(a.im)); }
__device__ inline Real of_lane(Real a, unsigned lane) { return __shfl_sync(0xffffffffu, a, lane); }
__device__ inline Complex of_lane(Complex a, unsigned lane) {
    return {__shfl_sync(0xffffffffu, a.re, lane), __shfl_sync(0xffffffffu, a.im, lane)};
}
__device__ inline void exchange(Scalar *a, unsigned i, unsigned k) { const Scalar t = a[i]; a[i] = a[k]; a[k] = t; }
__device__ inline bool invert(Scalar *a, Scalar *b, unsigned size) {
    for (unsigned k = 0; k < size; ++k) {
        unsigned pivot = k;
        double most = length(of_lane(a[k], k));
        for (unsigned i = k + 1; i < size; ++i) {
            const double next = length(of_lane(a[i], k));
            if (!(most > next)) { most = next; pivot = i; }
        }
        exchange(a, k, pivot);
        exchange(b, k, pivot);
        const Scalar d = of_lane(a[k], k);
        if (is_zero(d)) return false;
        const Scalar scale = one_over(d);
        a[k] = product(a[k], scale);
        b[k] = product(b[k], scale);
        for (unsigned i = 0; i < size; ++i) {
            const Scalar factor = of_lane(a[i], k);
            if (i == k) continue;
            a[i] -= product(factor, a[k]);
            b[i] -= product(factor, b[k]);
        }
    }
    return true;
}
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const unsigned lane = threadIdx.x % 32;
    const Offset warps = Offset(gridDim.x) * (blockDim.x / 32), blocks = (A.rows + A.block - 1) / A.block;
    for (Offset w = Offset(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; w < blocks; w += warps) {
        const Offset first = w * A.block, start = first * A.block;
        const unsigned size = unsigned(A.rows - first < A.block ? A.rows - first : A.block);
        Scalar a[32], b[32];
        for (unsigned i = 0; i < size; ++i) {
            a[i] = lane < size ? x[start + i * size + lane] : zero();
            b[i] = scalar(i == lane ? 1 : 0);
        }
        const bool exists = invert(a, b, size);
        for (unsigned i = 0; i < size && lane < size; ++i) row(start + i * size + lane)(exists ? b[i] : one_over(zero()));
    }
}
";

/// Gauss-Jordan with row exchanges on [A | I]; none if a pivot is zero or the inverse is not finite.
pub(super) fn inverse<S: Scalar>(mut A: Vec<S>, size: usize) -> Option<Vec<S>> {
    let mut B = vec![S::zero(); size * size];
    (0..size).for_each(|i| B[i * size + i] = S::one());
    let length = |value: S| value.parts().0.abs() + value.parts().1.abs();
    for k in 0..size {
        let larger = |&i: &usize, &j: &usize| length(A[i * size + k]).partial_cmp(&length(A[j * size + k]));
        let pivot = (k..size).max_by(|i, j| larger(i, j).unwrap_or(std::cmp::Ordering::Equal))?;
        if A[pivot * size + k] == S::zero() {
            return None;
        }
        for j in 0..size {
            A.swap(k * size + j, pivot * size + j);
            B.swap(k * size + j, pivot * size + j);
        }
        let scale = S::one() / A[k * size + k];
        for j in 0..size {
            A[k * size + j] *= scale;
            B[k * size + j] *= scale;
        }
        for i in (0..size).filter(|&i| i != k) {
            let factor = A[i * size + k];
            for j in 0..size {
                let (a, b) = (A[k * size + j], B[k * size + j]);
                A[i * size + j] -= factor * a;
                B[i * size + j] -= factor * b;
            }
        }
    }
    B.iter().all(|b| b.finite()).then_some(B)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c64;

    #[test]
    fn small_blocks_by_hand() {
        let blocks = BlockInverses::new(3, 2);
        let (x, mut y) = ([0.0, 2.0, 4.0, 0.0, 8.0], [0.0; 5]);
        LinearMap::<f64>::apply(&blocks, &[], &x, &mut y);
        assert_eq!(y, [0.0, 0.25, 0.5, 0.0, 0.125]);
        LinearMap::<f64>::apply(&blocks, &[], &[1.0, 1.0, 1.0, 1.0, 0.5], &mut y);
        assert!(y[..4].iter().all(|b| b.is_nan()) && y[4] == 2.0, "{y:?}");
    }

    #[test]
    fn threads_give_the_same_bits() {
        for (rows, block) in [(0, 3), (1, 1), (7, 3), (1000, 1), (1000, 7), (130, 64)] {
            let blocks = BlockInverses::new(rows, block);
            let x: Vec<c64> = (0..blocks.slots()).map(|k| c64::new(((k * 7) % 13) as f64, (k % 5) as f64)).collect();
            let (mut one, mut other) = (vec![c64::new(0.0, 0.0); x.len()], vec![c64::new(1.0, 0.0); x.len()]);
            blocks.apply(&[], &x, &mut one);
            blocks.apply_on_threads(&[], &x, &mut other);
            let bits = |y: &[c64]| y.iter().map(|v| (v.re.to_bits(), v.im.to_bits())).collect::<Vec<_>>();
            assert_eq!(bits(&one), bits(&other), "{rows} rows in blocks of {block}");
        }
    }
}
