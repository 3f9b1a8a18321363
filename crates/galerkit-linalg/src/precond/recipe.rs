//! Which incomplete factorisation is wanted, apart from what its triangles are solved with and from who computes it: the
//! host does it here, a GPU does the same from the same recipe.

use super::{Factors, Pattern, ilu0_fixed_point, iluk};
use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// An incomplete factorisation, to be made of any matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// Incomplete LU by elimination.
    Ilu {
        /// Highest level of fill that is kept.
        fill: usize,
    },
    /// Incomplete Cholesky on the pattern of A.
    Ic {
        /// The diagonal is multiplied by one plus this.
        shift: f64,
    },
    /// ILU(0) by so many fixed-point sweeps.
    FixedPoint {
        /// Sweeps over all entries.
        sweeps: usize,
    },
}

impl Recipe {
    /// The factors of A, computed on the host.
    pub fn factorise<S: Scalar>(self, A: &Csr<S>) -> Result<Factors<S>> {
        match self {
            Recipe::Ilu { fill } => iluk(A, fill),
            Recipe::Ic { shift } => Pattern::of(A, 0)?.ic(A, shift),
            Recipe::FixedPoint { sweeps } => ilu0_fixed_point(A, sweeps),
        }
    }
}
