//! Preconditioners of operators that show no entries but those of their diagonal D.

use super::jacobi::inverted;
use super::{Chebyshev, Class, Prepared, diagonal};
use crate::error::Result;
use crate::map::diagonal_map;
use crate::scalar::{Scalar, per_scalar};

/// Eigenvalues below this part of the largest are left to the method.
const LEFT: f64 = 1.0 / 30.0;

per_scalar! {
    /// Jacobi for an operator with this diagonal. Refuses what
    /// [`Preconditioner::prepare`](super::Preconditioner::prepare) refuses.
    pub fn jacobi_of_diagonal<S>(diagonal: Vec<S>, class: Class) -> Result<Prepared<S>> = jacobi;
    /// Chebyshev's polynomial of this degree for an operator with this diagonal, where no eigenvalue of D^-1 A is above
    /// `upper`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::gallery::{Stencil, poisson2d};
    use crate::map::Diagonal;
    use crate::precond::Preconditioner;

    #[test]
    fn jacobi_is_that_of_the_matrix() {
        let A = poisson2d(5, Stencil::Points5).unwrap();
        let map = |M: Prepared<f64>| match M {
            Prepared::Map(M) => M.known::<Diagonal<f64>>().unwrap().values().to_vec(),
            other => panic!("{other:?}"),
        };
        let of_matrix = Preconditioner::Jacobi.prepare(&A, Class::PositiveDefinite).unwrap();
        assert_eq!(map(jacobi(A.diagonal(), Class::PositiveDefinite).unwrap()), map(of_matrix));
    }

    #[test]
    fn chebyshev_has_the_interval_below_the_bound() {
        let Prepared::Chebyshev(M) = chebyshev(vec![4.0, 2.0], 3, 1.5, Class::PositiveDefinite).unwrap() else {
            panic!("a polynomial")
        };
        assert_eq!((M.degree(), M.bounds(), M.inverse()), (3, (0.05, 1.5), &[0.25, 0.5][..]));
        for upper in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = chebyshev(vec![1.0], 3, upper, Class::General);
            assert!(matches!(refused, Err(Error::InvalidParameter { .. })), "{upper}");
        }
    }

    #[test]
    fn entries_that_do_not_suit_are_refused_with_their_row() {
        let refused = |diagonal: &[f64], class| jacobi(diagonal.to_vec(), class).unwrap_err();
        assert!(matches!(refused(&[1.0, 0.0], Class::General), Error::ZeroDiagonal { row: 1, .. }));
        assert!(matches!(refused(&[-1.0], Class::PositiveDefinite), Error::NegativeDiagonal { row: 0, .. }));
        assert!(matches!(refused(&[1.0, f64::NAN], Class::General), Error::NonFinite { .. }));
        assert!(jacobi(vec![-1.0], Class::General).is_ok());
    }
}
