//! Numbers as solvers see them: arithmetic, but no comparison and no look at the value.

use crate::scalar::Scalar;
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

/// Arithmetic on a number that may not exist yet.
pub trait Number:
    Copy
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Principal square root.
    fn sqrt(self) -> Self;
    /// Complex conjugate.
    fn conj(self) -> Self;
    /// Absolute value, as a number with zero imaginary part.
    fn abs(self) -> Self;
    /// self / other; zero if other is zero, where the quotient is a step along a direction that has vanished.
    fn over(self, other: Self) -> Self;
}

impl<S: Scalar> Number for S {
    fn sqrt(self) -> Self {
        self.square_root()
    }
    fn conj(self) -> Self {
        Scalar::conj(self)
    }
    fn abs(self) -> Self {
        S::from_real(self.modulus())
    }
    fn over(self, other: Self) -> Self {
        if other == S::zero() { S::zero() } else { self / other }
    }
}

/// A number carried from one iteration to the next.
pub trait Register<N> {
    /// The value set last.
    fn get(&self) -> N;
    /// Replaces the value.
    fn set(&self, value: N);
}

/// The register of engines that compute at once. Frozen by the engine after a failed test.
#[derive(Clone)]
pub struct Cellular<S> {
    pub(super) value: Rc<Cell<S>>,
    pub(super) frozen: Rc<Cell<bool>>,
}

impl<S: Scalar> Register<S> for Cellular<S> {
    fn get(&self) -> S {
        self.value.get()
    }
    fn set(&self, value: S) {
        if !self.frozen.get() {
            self.value.set(value);
        }
    }
}
