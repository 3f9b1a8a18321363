//! Which method suits a matrix, and how good an answer is.

use crate::choice::Method;
use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, symmetry};
use rayon::prelude::*;

/// Up to this order dense elimination costs nothing and pivots best.
const SMALL: usize = 200;

/// The method to use and why.
pub(super) fn method<S: Scalar>(A: &Csr<S>, asked: Method) -> Result<(Method, &'static str)> {
    if asked == Method::Cg {
        return Ok((Method::Cg, "asked for"));
    }
    if let Some(row) = (0..A.rows()).find(|&i| A.row_length(i) == 0) {
        return Err(Error::EmptyRow { row });
    }
    Ok(match asked {
        Method::Auto if may_be_positive_definite(A) => (Method::Cg, "Hermitian with a positive diagonal"),
        Method::Auto if A.rows() <= SMALL => (Method::Dense, "small and not Hermitian with a positive diagonal"),
        Method::Auto => (Method::Lu, "not Hermitian with a positive diagonal"),
        asked => (asked, "asked for"),
    })
}

/// Necessary, cheap to see: Hermitian, and every diagonal entry positive.
fn may_be_positive_definite<S: Scalar>(A: &Csr<S>) -> bool {
    A.diagonal().iter().all(|d| d.parts().0 > 0.0 && d.parts().1 == 0.0) && is_self_adjoint(A)
}

/// Whether A equals its conjugate transpose, exactly.
pub(super) fn is_self_adjoint<S: Scalar>(A: &Csr<S>) -> bool {
    symmetry(A).is_self_adjoint::<S>()
}

/// Euclidean norm in double precision, scaled so that squares neither overflow nor vanish.
pub(super) fn norm<S: Scalar>(x: &[S]) -> f64 {
    let modulus = |value: &S| value.parts().0.hypot(value.parts().1);
    let largest = x.iter().map(modulus).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|value| (modulus(value) / largest).powi(2)).sum::<f64>().sqrt()
}

/// b - A x, products and sums in double precision whatever the scalar.
pub(super) fn residual<S: Scalar>(A: &Csr<S>, b: &[S], x: &[S]) -> Vec<S> {
    let row = |i: usize| {
        let (re, im) = A.row(i).fold(b[i].parts(), |(re, im), (j, a)| {
            let ((a, b), (c, d)) = (a.parts(), x[j].parts());
            (re - (a * c - b * d), im - (a * d + b * c))
        });
        S::from_parts(re, im)
    };
    (0..A.rows()).into_par_iter().map(row).collect()
}

/// A norm relative to that of b; as it is if b is zero.
pub(super) fn relative(norm: f64, rhs_norm: f64) -> f64 {
    if rhs_norm > 0.0 { norm / rhs_norm } else { norm }
}
