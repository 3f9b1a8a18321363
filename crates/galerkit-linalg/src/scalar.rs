//! The four scalars of galerkit: `f32`, `f64` and their complex numbers [`c32`], [`c64`].
//! The trait is sealed: kernels, file formats and devices know exactly these four.

mod instances;
mod precision;
mod shown;
mod squares;

pub(crate) use instances::per_scalar;
pub use precision::Precision;
pub use shown::shown;
pub(crate) use squares::sum_of_squares;

use num_complex::Complex;
use num_traits::{Float, NumAssign};
use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::Neg;

/// Single-precision complex number.
#[allow(non_camel_case_types)]
pub type c32 = Complex<f32>;
/// Double-precision complex number.
#[allow(non_camel_case_types)]
pub type c64 = Complex<f64>;

/// Which of the four scalars, as a value that can be chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// Real, single precision.
    F32,
    /// Real, double precision.
    F64,
    /// Complex, single precision.
    C32,
    /// Complex, double precision.
    C64,
}

impl ScalarKind {
    /// The name used in reports: `f32`, `f64`, `c32` or `c64`.
    pub fn name(self) -> &'static str {
        match self {
            ScalarKind::F32 => "f32",
            ScalarKind::F64 => "f64",
            ScalarKind::C32 => "c32",
            ScalarKind::C64 => "c64",
        }
    }

    /// Bytes of one.
    pub fn bytes(self) -> usize {
        match self {
            ScalarKind::F32 => 4,
            ScalarKind::F64 | ScalarKind::C32 => 8,
            ScalarKind::C64 => 16,
        }
    }

    /// Whether numbers of this kind have an imaginary part.
    pub const fn is_complex(self) -> bool {
        matches!(self, ScalarKind::C32 | ScalarKind::C64)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for super::c32 {}
    impl Sealed for super::c64 {}
}

/// A number that matrices and vectors are made of.
pub trait Scalar:
    sealed::Sealed
    + Copy
    + Default
    + Send
    + Sync
    + Debug
    + Display
    + PartialEq
    + NumAssign
    + Neg<Output = Self>
    + Sum
    + bytemuck::Pod
    + 'static
{
    /// The real numbers under this scalar: `f32` or `f64`.
    type Real: Scalar<Real = Self::Real> + Float + PartialOrd;
    /// The same numbers in single precision.
    type Single: Scalar<Single = Self::Single>;
    /// Which of the four this is.
    const KIND: ScalarKind;

    /// The real number as a scalar.
    fn from_real(value: Self::Real) -> Self;
    /// Rounds real and imaginary part; a real scalar drops the imaginary one.
    fn from_parts(re: f64, im: f64) -> Self;
    /// Real and imaginary part, widened.
    fn parts(self) -> (f64, f64);
    /// Real part.
    fn re(self) -> Self::Real;
    /// Complex conjugate; a real number itself.
    fn conj(self) -> Self;
    /// Absolute value.
    fn modulus(self) -> Self::Real;
    /// Principal square root.
    fn square_root(self) -> Self;
    /// e to this power.
    fn exponential(self) -> Self;
    /// Natural logarithm, its principal value.
    fn logarithm(self) -> Self;
    /// This to a power.
    fn power(self, exponent: Self) -> Self;

    /// Rounds a double to this scalar.
    fn from_f64(value: f64) -> Self {
        Self::from_parts(value, 0.0)
    }
    /// Rounds to single precision.
    fn to_single(self) -> Self::Single {
        let (re, im) = self.parts();
        Self::Single::from_parts(re, im)
    }
    /// From single precision, exactly.
    fn widen(single: Self::Single) -> Self {
        let (re, im) = single.parts();
        Self::from_parts(re, im)
    }
    /// Square of the absolute value.
    fn modulus_squared(self) -> Self::Real {
        (self.conj() * self).re()
    }
    /// Neither NaN nor infinite, in both parts.
    fn finite(self) -> bool {
        let (re, im) = self.parts();
        re.is_finite() && im.is_finite()
    }
    /// Unit round-off of the real numbers underneath, as a double.
    fn eps() -> f64 {
        <Self::Real as Float>::epsilon().parts().0
    }
}

macro_rules! real_scalar {
    ($real:ty, $kind:ident) => {
        impl Scalar for $real {
            type Real = $real;
            type Single = f32;
            const KIND: ScalarKind = ScalarKind::$kind;
            fn from_real(value: $real) -> Self {
                value
            }
            fn from_parts(re: f64, _im: f64) -> Self {
                re as $real
            }
            fn parts(self) -> (f64, f64) {
                (self as f64, 0.0)
            }
            fn re(self) -> $real {
                self
            }
            fn conj(self) -> Self {
                self
            }
            fn modulus(self) -> $real {
                self.abs()
            }
            fn square_root(self) -> Self {
                self.sqrt()
            }
            fn exponential(self) -> Self {
                self.exp()
            }
            fn logarithm(self) -> Self {
                self.ln()
            }
            fn power(self, exponent: Self) -> Self {
                self.powf(exponent)
            }
        }
    };
}

macro_rules! complex_scalar {
    ($real:ty, $kind:ident) => {
        impl Scalar for Complex<$real> {
            type Real = $real;
            type Single = c32;
            const KIND: ScalarKind = ScalarKind::$kind;
            fn from_real(value: $real) -> Self {
                Complex::new(value, 0.0)
            }
            fn from_parts(re: f64, im: f64) -> Self {
                Complex::new(re as $real, im as $real)
            }
            fn parts(self) -> (f64, f64) {
                (self.re as f64, self.im as f64)
            }
            fn re(self) -> $real {
                self.re
            }
            fn conj(self) -> Self {
                Complex::conj(&self)
            }
            fn modulus(self) -> $real {
                self.norm()
            }
            fn square_root(self) -> Self {
                // The library's root of NaN with a sign bit and no imaginary part has the real part 0.
                if self.is_nan() { Complex::new(<$real>::NAN, <$real>::NAN) } else { self.sqrt() }
            }
            fn exponential(self) -> Self {
                self.exp()
            }
            fn logarithm(self) -> Self {
                self.ln()
            }
            fn power(self, exponent: Self) -> Self {
                self.powc(exponent)
            }
        }
    };
}

real_scalar!(f32, F32);
real_scalar!(f64, F64);
complex_scalar!(f32, C32);
complex_scalar!(f64, C64);
