//! Instruction sets at run time, prefetching, and the gather of x: what the kernels of the CPU backend do unsafely.
//!
//! A kernel is a struct of views with one `run`. [`run`] compiles that body twice, for the baseline of the target and
//! for AVX2, and takes the better one the machine has; nobody needs `target-cpu`. Fused multiply-add is not enabled:
//! the bits are the same on every machine. Left to the compiler AVX-512 is slower (its gathers lose to scalar loads);
//! the one kernel that gains from it is written by hand in `spmv/sell_avx512.rs`.
#![allow(unsafe_code)]

use crate::scalar::{Scalar, ScalarKind};

/// A loop worth compiling for several instruction sets. Implementations must be `#[inline(always)]`.
pub trait Kernel {
    /// What the loop returns.
    type Output;
    /// The loop.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the best instruction set of this machine.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was detected on the line above.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// The instruction set that [`run`] takes, for reports.
pub fn name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        return "avx2";
    }
    "baseline"
}

/// How far ahead of its use a streamed entry is asked for, in entries. Measured on poisson3d 100^3 in f64: without
/// prefetching sliced ELL reaches 0.8 of the triad, with 256 entries 1.2, with 1024 to 2048 1.4.
const DISTANCE: usize = 1024;

/// Asks for the cache line that a stream will reach `DISTANCE` entries after `position`.
#[inline(always)]
pub fn prefetch<T>(position: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch may name any address; it never faults and changes no value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(position.as_ptr().wrapping_add(DISTANCE).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (position, DISTANCE);
}

/// The same for a stream that is read from its end to its beginning.
#[inline(always)]
pub fn prefetch_back<T>(position: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch may name any address; it never faults and changes no value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(position.as_ptr().wrapping_sub(DISTANCE).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = position;
}

/// A vector as the kernels of a matrix gather from it: without a check of each index. Measured on sliced ELL in cache:
/// 0.54 ns an entry with the check, 0.40 without, where 2 threads at memory speed need 0.45.
#[derive(Clone, Copy)]
pub struct Gather<'a, S>(&'a [S]);

impl<'a, S: Copy> Gather<'a, S> {
    /// Vouches that every index asked for will be below the length of x.
    ///
    /// # Safety
    /// The caller must only use it with the columns of a matrix whose number of columns is the length of x. The formats
    /// hold no other columns: their fields are private and their constructors check or convert what was checked.
    pub unsafe fn new(x: &'a [S]) -> Self {
        Self(x)
    }

    /// The same vector from entry `base` on.
    #[inline(always)]
    pub fn from(self, base: usize) -> Self {
        Self(&self.0[base..])
    }

    /// Where x begins, for gathers by instruction.
    #[inline(always)]
    pub fn as_ptr(self) -> *const S {
        self.0.as_ptr()
    }

    /// x_j
    #[inline(always)]
    pub fn at(self, j: usize) -> S {
        debug_assert!(j < self.0.len());
        // SAFETY: whoever made this vouched for every column of the matrix; no entry is written while it is borrowed.
        unsafe { *self.0.get_unchecked(j) }
    }
}

impl<'a> Gather<'a, f64> {
    /// The same vector, if its scalars are f64.
    pub fn of_f64<S: Scalar>(x: Gather<'a, S>) -> Option<Self> {
        (S::KIND == ScalarKind::F64).then(|| Self(bytemuck::cast_slice(x.0)))
    }
}
