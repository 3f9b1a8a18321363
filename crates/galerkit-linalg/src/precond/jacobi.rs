//! Jacobi: M = diag(A).
//!
//! [`jacobi`] serves any method and refuses only what it cannot divide by. A negative entry makes M indefinite, which
//! CG cannot use: [`Preconditioner::prepare`](super::Preconditioner::prepare) refuses it for such methods.

use super::diagonal;
use crate::error::Result;
use crate::map::Diagonal;
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// Rows that one thread takes at a time.
const ROWS: usize = 1 << 14;

per_scalar! {
    /// The inverse diagonal of A; refuses a zero or missing entry.
    pub fn jacobi<S>(A: &Csr<S>) -> Result<Diagonal<S>> = jacobi_of;
}

fn jacobi_of<S: Scalar>(A: &Csr<S>) -> Result<Diagonal<S>> {
    let diagonal = diagonal::invertible(A, "Jacobi")?;
    Ok(inverted(diagonal))
}

/// The map by the inverse of a diagonal.
pub fn inverted<S: Scalar>(mut diagonal: Vec<S>) -> Diagonal<S> {
    parallel::each_chunk(&mut diagonal, ROWS, &|_, part| part.iter_mut().for_each(|value| *value = S::one() / *value));
    Diagonal::new(diagonal)
}
