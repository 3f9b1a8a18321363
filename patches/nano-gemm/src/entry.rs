//! Entries as real numbers: a real one is one part, a complex one two. A product of complex matrices is then a real
//! one, of lhs with twice as many rows and rhs with twice as many columns, whose four sums make an entry.

use crate::{Product, by_tiles};
use num_complex::Complex;
use std::ops::{Add, Mul};

/// What a matrix holds: f32, f64 or a complex number of them.
pub trait Entry: Copy + PartialEq + Mul<Output = Self> + Add<Output = Self> + Send + Sync + 'static {
    /// Its parts.
    type Real: Real;
    /// How many it has.
    const PARTS: usize;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The entry of a product: `sums[q][p]` is that of part p of lhs times part q of rhs; which of the two were
    /// conjugated.
    fn of_sums(sums: [[Self::Real; 2]; 2], conjugated: [bool; 2]) -> Self;

    /// [`crate::product`], not generic here, so that no other crate compiles it again.
    ///
    /// # Safety
    /// As for that.
    unsafe fn multiply(product: Product<Self>);
}

/// A part of an entry.
pub trait Real: Copy {
    /// Zero.
    const ZERO: Self;

    /// self * factor + sum, rounded once or twice.
    fn times_plus<const FUSED: bool>(self, factor: Self, sum: Self) -> Self;
}

macro_rules! entries {
    ($($real:ty)+) => {$(
        impl Real for $real {
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn times_plus<const FUSED: bool>(self, factor: Self, sum: Self) -> Self {
                if FUSED { self.mul_add(factor, sum) } else { self * factor + sum }
            }
        }

        impl Entry for $real {
            type Real = Self;
            const PARTS: usize = 1;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn of_sums(sums: [[Self; 2]; 2], _conjugated: [bool; 2]) -> Self {
                sums[0][0]
            }

            unsafe fn multiply(product: Product<Self>) {
                // SAFETY: the caller answers for the pointers.
                unsafe { by_tiles(product) }
            }
        }

        impl Entry for Complex<$real> {
            type Real = $real;
            const PARTS: usize = 2;
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);

            #[inline(always)]
            fn of_sums([[re_re, im_re], [re_im, im_im]]: [[$real; 2]; 2], conjugated: [bool; 2]) -> Self {
                let [left, right] = conjugated.map(|conjugated| if conjugated { -1.0 } else { 1.0 });
                Complex::new(re_re - left * right * im_im, left * im_re + right * re_im)
            }

            unsafe fn multiply(product: Product<Self>) {
                // SAFETY: the caller answers for the pointers.
                unsafe { by_tiles(product) }
            }
        }
    )+};
}

entries! { f32 f64 }
