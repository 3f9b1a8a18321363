//! Which incomplete factorisation is wanted, apart from what its triangles are solved with and from who computes it:
//! the host does it here, a GPU does the same from the same recipe.

use super::{Factors, Pattern, diagonal_blocks, ilu0_fixed_point, iluk};
use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
use std::borrow::Cow;

/// An incomplete factorisation, to be made of any matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// Incomplete LU by elimination.
    Ilu {
        /// Highest level of fill that is kept.
        fill: usize,
    },
    /// ILU(0) of diagonal blocks, each by itself.
    Ilu0Blocks {
        /// How many.
        blocks: usize,
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

per_scalar! {
    fn factorise<S>(recipe: Recipe, A: &Csr<S>) -> Result<Factors<S>> = Recipe::factors;
}

impl Recipe {
    /// What is factorised: A, or A without couplings that are dropped.
    pub fn matrix<S: Scalar>(self, A: &Csr<S>) -> Result<Cow<'_, Csr<S>>> {
        match self {
            Recipe::Ilu0Blocks { blocks } => diagonal_blocks(A, blocks),
            Recipe::Ilu { .. } | Recipe::Ic { .. } | Recipe::FixedPoint { .. } => Ok(Cow::Borrowed(A)),
        }
    }

    /// The factors of A, computed on the host.
    pub fn factorise<S: Scalar>(self, A: &Csr<S>) -> Result<Factors<S>> {
        factorise(self, A)
    }

    fn factors<S: Scalar>(self, A: &Csr<S>) -> Result<Factors<S>> {
        match self {
            Recipe::Ilu { fill } => iluk(A, fill),
            Recipe::Ilu0Blocks { .. } => iluk(&*self.matrix(A)?, 0),
            Recipe::Ic { shift } => Pattern::of(A, 0)?.ic(A, shift),
            Recipe::FixedPoint { sweeps } => ilu0_fixed_point(A, sweeps),
        }
    }
}
