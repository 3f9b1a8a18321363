//! What expressions are evaluated in.

use super::names::Smooth;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Partial derivatives of a function of two arguments: f, f_a, f_b, f_aa, f_ab, f_bb.
pub type Partials = [f64; 6];

/// Arithmetic, and functions given by their derivatives.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;
    /// The value alone.
    fn value(&self) -> f64;
    /// f(self).
    fn through(self, f: Smooth) -> Self;
    /// self^exponent, with an exponent that depends on nothing.
    fn power(self, exponent: f64) -> Self;
    /// f(self, other), by its partial derivatives there.
    fn with(self, other: Self, f: fn(f64, f64) -> Partials) -> Self;
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }
    fn value(&self) -> f64 {
        *self
    }
    fn through(self, f: Smooth) -> Self {
        f(self)[0]
    }
    fn power(self, exponent: f64) -> Self {
        power(self, exponent)
    }
    fn with(self, other: Self, f: fn(f64, f64) -> Partials) -> Self {
        f(self, other)[0]
    }
}

/// t^exponent; whole exponents allow negative t, and multiply.
pub fn power(t: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() < 64.0 { t.powi(exponent as i32) } else { t.powf(exponent) }
}

/// The angle of (b, a).
pub fn atan2(a: f64, b: f64) -> Partials {
    let square = a * a + b * b;
    let (down, along) = (b / square, -a / square);
    let (aa, ab) = (2.0 * down * along, along * along - down * down);
    [a.atan2(b), down, along, aa, ab, -aa]
}

/// a^b, with b that varies.
pub fn pow(a: f64, b: f64) -> Partials {
    let (f, ln) = (a.powf(b), a.ln());
    [f, b * f / a, ln * f, b * (b - 1.0) * f / (a * a), f / a * (1.0 + b * ln), ln * ln * f]
}

/// (a^2 + b^2)^(1/2).
pub fn hypot(a: f64, b: f64) -> Partials {
    let r = a.hypot(b);
    let cube = r * r * r;
    [r, a / r, b / r, b * b / cube, -a * b / cube, a * a / cube]
}
