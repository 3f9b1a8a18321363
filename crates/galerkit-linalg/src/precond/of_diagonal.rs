//! Preconditioners of operators that show no entries but those of their diagonal D.

use super::jacobi::inverted;
use super::{Chebyshev, Class, Prepared, diagonal};
use crate::error::Result;
use crate::map::diagonal_map;
use crate::scalar::{Scalar, per_scalar};

/// Eigenvalues below this part of the largest are left to the method.
const LEFT: f64 = 1.0 / 30.0;

per_scalar! {
    /// Jacobi for an operator with this diagonal. Refuses what [`Preconditioner::prepare`](super::Preconditioner::prepare) refuses.
    pub fn jacobi_of_diagonal<S>(diagonal: Vec<S>, class: Class) -> Result<Prepared<S>> = jacobi;
    /// Chebyshev's polynomial of this degree for an operator with this diagonal, where no eigenvalue of D^-1 A is above `upper`.
    pub fn chebyshev_of_diagonal<S>(diagonal: Vec<S>, degree: usize, upper: f64, class: Class) -> Result<Prepared<S>> = chebyshev;
}

fn jacobi<S: Scalar>(diagonal: Vec<S>, class: Class) -> Result<Prepared<S>> {
    check(&diagonal, class, "Jacobi")?;
    Ok(Prepared::Map(diagonal_map(inverted(diagonal))))
}

fn chebyshev<S: Scalar>(diagonal: Vec<S>, degree: usize, upper: f64, class: Class) -> Result<Prepared<S>> {
    check(&diagonal, class, "Chebyshev")?;
    Ok(Prepared::Chebyshev(Chebyshev::of_diagonal(diagonal, degree, LEFT * upper, upper)?))
}

fn check<S: Scalar>(diagonal: &[S], class: Class, preconditioner: &'static str) -> Result<()> {
    diagonal::require_invertible(diagonal, preconditioner)?;
    match class {
        Class::PositiveDefinite => diagonal::require_positive(diagonal, preconditioner),
        Class::General => Ok(()),
    }
}
