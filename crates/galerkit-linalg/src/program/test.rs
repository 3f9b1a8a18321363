//! What must hold for a loop to go on, evaluated where the scalars are.

use crate::scalar::Scalar;

/// What must hold for a solver to go on; evaluated where the numbers are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test<N> {
    /// The real part is above zero and both parts are finite.
    Positive(N),
    /// Not zero, and finite.
    Nonzero(N),
    /// Neither NaN nor infinite.
    Finite(N),
}

impl<N: Copy> Test<N> {
    /// The number under test.
    pub fn number(&self) -> N {
        match *self {
            Test::Positive(n) | Test::Nonzero(n) | Test::Finite(n) => n,
        }
    }
    /// The same test of another number.
    pub fn with<T>(&self, number: T) -> Test<T> {
        match self {
            Test::Positive(_) => Test::Positive(number),
            Test::Nonzero(_) => Test::Nonzero(number),
            Test::Finite(_) => Test::Finite(number),
        }
    }
}

impl<S: Scalar> Test<S> {
    /// Whether the test holds.
    pub fn holds(&self) -> bool {
        let value = self.number();
        value.finite()
            && match self {
                Test::Positive(v) => v.parts().0 > 0.0,
                Test::Nonzero(v) => *v != S::zero(),
                Test::Finite(_) => true,
            }
    }
}
