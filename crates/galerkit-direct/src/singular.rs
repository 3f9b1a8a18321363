//! Singular systems: the dimension of the null space and the least-squares solution of least norm, by a regular matrix
//! nearby ([`regular`]) whose inverse amplifies null vectors. Inverse iteration brings them out of a random block, one
//! step of Rayleigh and Ritz by one-sided Jacobi rotations says how many there are (Golub and Van Loan, Matrix
//! Computations, sections 5.4 and 8.6).

mod null_vectors;
mod regular;

use crate::factor::{Eliminated, converted};
use galerkit_linalg::error::check_length;
use galerkit_linalg::krylov::{norm, residual};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Result, Scalar, table_per_scalar};
use null_vectors::{NullVectors, orthonormal, remove};
use regular::Regular;

/// The most null vectors that are searched for.
const MOST: usize = 64;
/// Solves with the regular matrix: each multiplies what is left by delta^2 / (sigma^2 + delta^2).
const SOLVES: usize = 12;

/// What a system has in place of a solution where its matrix is singular, or nearly so.
///
/// ```
/// use galerkit_direct::least_squares;
/// use galerkit_linalg::sparse::Coo;
///
/// let A = Coo::from_triples(2, 2, &[(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)])?.to_csr().0;
/// let found = least_squares(&A, true, &[3.0f64, 1.0], 1e6)?.expect("it is small");
/// assert_eq!(found.nullity, 1);
/// assert!((found.x[0] - 0.5).abs() < 1e-12 && (found.x[1] + 0.5).abs() < 1e-12);
/// assert!((found.least - 8f64.sqrt()).abs() < 1e-12); // b has the mean 2, which no A x has
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeastSquares<S> {
    /// Of all x with the least ||b - A x|| the one with the least norm, as far as all null vectors were found.
    pub x: Vec<S>,
    /// The dimension of the null space, up to rounding: so many singular values vanish after rows and columns were
    /// scaled.
    pub nullity: usize,
    /// Whether there are no more null vectors than these.
    pub is_complete: bool,
    /// What of b no A x has: the least ||b - A x||, or less where null vectors are missing.
    pub least: f64,
}

table_per_scalar! {
    /// The least-squares solution of a system whose matrix may be singular. None where that takes more than so many
    /// multiplications, or more memory than there is.
    pub fn least_squares<S>(A: &Csr<S>, is_self_adjoint: bool, b: &[S], multiplications: f64) -> Result<Option<LeastSquares<S>>> = in_double;
}

fn in_double<S: Eliminated>(
    A: &Csr<S>,
    is_self_adjoint: bool,
    b: &[S],
    multiplications: f64,
) -> Result<Option<LeastSquares<S>>> {
    A.require_square("least squares")?;
    A.require_finite()?;
    check_length("the right-hand side", A.rows(), b.len())?;
    let b: Vec<S::Double> = b.iter().map(|&value| converted(value)).collect();
    let found = solve(&S::in_double(A), is_self_adjoint, &b, (multiplications, S::eps()))?;
    Ok(found.map(|found| LeastSquares {
        x: found.x.into_iter().map(converted).collect(),
        nullity: found.nullity,
        is_complete: found.is_complete,
        least: found.least,
    }))
}

/// For numbers that are known up to this eps.
fn solve<D: Scalar>(
    A: &Csr<D>,
    is_self_adjoint: bool,
    b: &[D],
    (multiplications, eps): (f64, f64),
) -> Result<Option<LeastSquares<D>>> {
    let Some(regular) = Regular::new(A, is_self_adjoint, eps.sqrt(), multiplications) else { return Ok(None) };
    let mut count = MOST.min(A.rows()).min(8);
    let null = loop {
        let null = NullVectors::search(&regular, count, eps)?;
        if null.right.len() < count || count >= MOST.min(A.rows()) {
            break null;
        }
        count = (2 * count).min(MOST).min(A.rows());
    };
    let nullity = null.right.len();
    let is_complete = nullity < count || nullity == A.rows();
    let (right, left) =
        (orthonormal(regular.unscaled_columns(null.right)), orthonormal(regular.unscaled_rows(null.left)));
    let mut reachable = b.to_vec();
    let least = remove(&left, &mut reachable);
    let mut x = vec![D::zero(); b.len()];
    let (mut r, mut last) = (reachable.clone(), norm(&reachable));
    for _ in 0..SOLVES {
        if last == 0.0 {
            break;
        }
        let step = regular.solve(&r)?;
        let next: Vec<D> = x.iter().zip(&step).map(|(&x, &d)| x + d).collect();
        r = residual(A, &reachable, &next);
        let now = norm(&r);
        if now.is_nan() || now >= last {
            break;
        }
        (x, last) = (next, now);
    }
    remove(&right, &mut x);
    Ok(Some(LeastSquares { x, nullity, is_complete, least }))
}
