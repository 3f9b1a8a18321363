//! What can be chosen about p-multigrid.

use galerkit_linalg::program::Precision;

/// How the matrices of levels are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operators {
    /// As sparse matrices.
    #[default]
    Assembled,
    /// Cell by cell, where degrees are above 2; below that sparse matrices are smaller.
    MatrixFree,
}

/// The choices, with defaults that suit every degree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Degree of the smoothing polynomial: products with A in each of two sweeps.
    pub degree: usize,
    /// The polynomial is least from 1/ratio of the largest eigenvalue on.
    pub ratio: f64,
    /// The precision of the cycle.
    pub precision: Precision,
    /// A system with at most so many unknowns is the coarsest, and inverted explicitly.
    pub explicit: usize,
    /// How matrices are stored.
    pub operators: Operators,
}

impl Default for Settings {
    fn default() -> Self {
        Self { degree: 1, ratio: 8.0, precision: Precision::Full, explicit: 400, operators: Operators::Assembled }
    }
}
