//! How often a cycle visits its coarser levels.

use std::fmt;

/// The shape of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Once.
    #[default]
    V,
    /// Twice.
    W,
    /// By up to two steps of a flexible Krylov method, the second only if the first has left more than a quarter of the
    /// norm (Notay, Numer. Linear Algebra Appl. 15, 2008).
    K,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::V => "V",
            Shape::W => "W",
            Shape::K => "K",
        })
    }
}
