//! Vector kernels on slices of at most one block or one thread's part: the updates, and the partial dot product with a
//! fixed order of summation (eight running sums, then pairwise).

use super::partition::BLOCK;
use super::simd::{Kernel, run};
use crate::scalar::Scalar;

/// Running sums of a dot product: enough to fill the vector units.
const LANES: usize = 8;

/// An elementwise update of y.
pub enum Update<'a, S: Scalar> {
    /// y = x
    Copy(&'a [S]),
    /// y = a x + b y
    Axpby(S, &'a [S], S),
    /// y = y + a x
    Axpy(S, &'a [S]),
    /// y = y + a x with x in single precision
    AxpyLow(S, &'a [S::Single]),
    /// y = x + b y
    Xpby(&'a [S], S),
    /// y = a y
    Scale(S),
    /// y = d x, entry by entry
    Multiply(&'a [S], &'a [S]),
    /// y = b - y
    SubtractFrom(&'a [S]),
}

struct Updating<'a, S: Scalar>(Update<'a, S>, &'a mut [S]);

/// Applies an update; every slice is as long as y.
pub fn update<S: Scalar>(update: Update<'_, S>, y: &mut [S]) {
    run(Updating(update, y));
}

impl<S: Scalar> Kernel for Updating<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let y = self.1;
        match self.0 {
            Update::Copy(x) => y.copy_from_slice(x),
            Update::Axpby(a, x, b) if b == S::zero() => y.iter_mut().zip(x).for_each(|(y, x)| *y = a * *x),
            Update::Axpby(a, x, b) => y.iter_mut().zip(x).for_each(|(y, x)| *y = a * *x + b * *y),
            Update::Axpy(a, x) => y.iter_mut().zip(x).for_each(|(y, x)| *y += a * *x),
            Update::AxpyLow(a, x) => y.iter_mut().zip(x).for_each(|(y, x)| *y += a * S::widen(*x)),
            Update::Xpby(x, b) => y.iter_mut().zip(x).for_each(|(y, x)| *y = *x + b * *y),
            Update::Scale(a) => y.iter_mut().for_each(|y| *y *= a),
            Update::Multiply(d, x) => y.iter_mut().zip(d).zip(x).for_each(|((y, d), x)| *y = *d * *x),
            Update::SubtractFrom(b) => y.iter_mut().zip(b).for_each(|(y, b)| *y = *b - *y),
        }
    }
}

/// x, y, and what makes an entry of x one of y's kind.
struct BlockDot<'a, X, S, F>(&'a [X], &'a [S], F);

/// conj(x) . y over one block.
pub fn block_dot<S: Scalar>(x: &[S], y: &[S]) -> S {
    debug_assert!(x.len() <= BLOCK && x.len() == y.len());
    run(BlockDot(x, y, |x| x))
}

/// The same with x in single precision.
pub fn block_dot_single<S: Scalar>(x: &[S::Single], y: &[S]) -> S {
    debug_assert!(x.len() <= BLOCK && x.len() == y.len());
    run(BlockDot(x, y, S::widen))
}

impl<X: Copy, S: Scalar, F: Fn(X) -> S> Kernel for BlockDot<'_, X, S, F> {
    type Output = S;
    #[inline(always)]
    fn run(self) -> S {
        let widen = self.2;
        let (x, x_tail) = self.0.as_chunks::<LANES>();
        let (y, y_tail) = self.1.as_chunks::<LANES>();
        let mut sum = [S::zero(); LANES];
        for (x, y) in x.iter().zip(y) {
            for lane in 0..LANES {
                sum[lane] += widen(x[lane]).conj() * y[lane];
            }
        }
        let tail = x_tail.iter().zip(y_tail).fold(S::zero(), |tail, (x, y)| tail + widen(*x).conj() * *y);
        lane_sum(sum) + tail
    }
}

/// The sum of eight running sums, pairwise.
#[inline(always)]
pub fn lane_sum<S: Scalar>(sum: [S; LANES]) -> S {
    let [a, b, c, d, e, f, g, h] = sum;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The sum of the blocks' partial sums, pairwise: an order that depends on nothing but their number.
pub fn pairwise_sum<S: Scalar>(partial: &[S]) -> S {
    match partial {
        [] => S::zero(),
        [only] => *only,
        _ => {
            let (left, right) = partial.split_at(partial.len().next_power_of_two() / 2);
            pairwise_sum(left) + pairwise_sum(right)
        }
    }
}
