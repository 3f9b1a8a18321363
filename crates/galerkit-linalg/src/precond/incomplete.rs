//! Incomplete factorisations by name: a pattern, and the numbers on it; and new numbers for factors that are there.

use super::{Factorisation, Factors, Pattern, ic, ilu};
use crate::error::Result;
use crate::map::LinearMap;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// ILU(0): incomplete LU on the pattern of A.
pub fn ilu0<S: Scalar>(A: &Csr<S>) -> Result<Factors<S>> {
    iluk(A, 0)
}

/// ILU(k): incomplete LU with fill up to level k.
pub fn iluk<S: Scalar>(A: &Csr<S>, k: usize) -> Result<Factors<S>> {
    Pattern::of(A, k)?.ilu(A, 0.0)
}

/// IC(0): incomplete Cholesky on the lower pattern of A.
pub fn ic0<S: Scalar>(A: &Csr<S>) -> Result<Factors<S>> {
    Pattern::of(A, 0)?.ic(A, 0.0)
}

impl<S: Scalar> Factors<S> {
    /// New numbers for a matrix with the same pattern (or a part of it); nothing symbolic is computed again. The bits
    /// are those of factors made anew. After an error the numbers are of no use, but another refill makes them good.
    pub fn refill(&mut self, A: &Csr<S>) -> Result<()> {
        refill(self, A)
    }

    /// As a map behind a trait object, compiled here.
    pub fn boxed(self) -> Box<dyn LinearMap<S>> {
        boxed(self)
    }
}

per_scalar! {
    fn refill<S>(factors: &mut Factors<S>, A: &Csr<S>) -> Result<()> = fill;
    fn boxed<S>(factors: Factors<S>) -> Box<dyn LinearMap<S>> = Box::new;
}

fn fill<S: Scalar>(factors: &mut Factors<S>, A: &Csr<S>) -> Result<()> {
    match factors.kind {
        Factorisation::Ilu => ilu::fill(A, factors),
        Factorisation::Ic => ic::fill(A, factors),
    }
}
