//! Matrices whose rows sum to zero, such as those of pure Neumann problems and graph Laplacians: A x = 0 for constant
//! x, so they are singular, whatever rounding leaves of their last pivot.

use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Whether every row sums to zero, up to the rounding of its sum.
pub(super) fn annihilates_constants<S: Scalar>(A: &Csr<S>) -> bool {
    let vanishes = |i: usize| {
        let (mut re, mut im, mut size) = (0.0, 0.0, 0.0);
        for (_, a) in A.row(i) {
            let (x, y) = a.parts();
            (re, im, size) = (re + x, im + y, size + x.abs() + y.abs());
        }
        f64::hypot(re, im) <= A.row_length(i) as f64 * S::eps() * size
    };
    A.rows() > 0 && !parallel::any(A.rows(), &|i| !vanishes(i))
}

/// For self-adjoint A with such rows: an error if no x can meet the tolerance, because A x has mean zero and b has not.
pub(super) fn require_mean_zero<S: Scalar>(b: &[S], tolerance: f64, rhs_norm: f64) -> Result<()> {
    let (re, im) = b.iter().fold((0.0, 0.0), |(re, im), b| (re + b.parts().0, im + b.parts().1));
    let least = f64::hypot(re, im) / (b.len() as f64).sqrt();
    if least > tolerance { Err(Error::NotConsistent { least: least / rhs_norm }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three vertices, with a loop of this weight at the end.
    fn path(end: f64) -> Csr<f64> {
        let val = vec![0.1, -0.1, -0.1, 0.3, -0.2, -0.2, 0.2 + end];
        Csr::new(3, 3, vec![0, 2, 5, 7], vec![0, 1, 0, 1, 2, 1, 2], val).unwrap()
    }

    #[test]
    fn rows_that_sum_to_zero_are_seen_through_rounding() {
        assert!(annihilates_constants(&path(0.0)) && !annihilates_constants(&path(1e-9)));
        assert!(!annihilates_constants(&Csr::<f64>::identity(0)));
    }

    #[test]
    fn what_has_no_solution_is_said_with_the_least_residual() {
        assert!(require_mean_zero(&[1.0, -2.0, 1.0], 1e-8, 6f64.sqrt()).is_ok());
        let said = require_mean_zero(&[1.0; 4], 1e-8, 2.0).unwrap_err().to_string();
        assert!(said.contains("singular") && said.contains("1.0e0") && said.contains("mean"), "{said}");
    }
}
