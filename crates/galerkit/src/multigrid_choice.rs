//! Whether algebraic multigrid pays for a matrix whose preconditioner is left to the program: a Laplacian of some kind,
//! on a grid that is so long that conjugate gradients with the diagonal take more time than the set-up and a dozen
//! cycles. Their iterations grow with the points along the longest side, which is rows by bandwidth where unknowns are
//! numbered line by line, and more than that otherwise, so that nobody pays in vain.
//!
//! On a CPU the bound lies between grids that were measured on two threads, to 1e-8: with 27 points on 100³ the
//! diagonal is faster (5.4 to 6.0 s, multigrid 6.2), multigrid is with 7 points on 160³ (15 s, the diagonal 22), with 5
//! points on 400² (0.45 and 1.15 s) and 1000² (3.0 and 21 s). On a GPU both times are estimated, by constants that are
//! those of an H200 (`gpu`).

pub(crate) mod gpu;

use galerkit_linalg::precond::Class;
use galerkit_linalg::sparse::{Csr, bandwidth};
use galerkit_linalg::{Scalar, parallel};

/// Rows from which on the choice is looked at.
const LEAST_ROWS: usize = 100_000;
/// Points along the longest side from which on set-up and a dozen cycles are the cheaper way.
const LEAST_SIDE: usize = 150;
/// The part of rows that must sum up to nearly nothing, as those of a Laplacian do.
const BALANCED: f64 = 0.9;
/// What is nearly nothing, by the diagonal.
const REST: f64 = 0.01;

/// Why it pays on a CPU, if it does.
pub(crate) fn multigrid_pays<S: Scalar>(A: &Csr<S>, class: Class) -> Option<String> {
    if class != Class::PositiveDefinite || A.rows() < LEAST_ROWS || S::KIND.is_complex() {
        return None;
    }
    let side = A.rows() / bandwidth(A).max(1);
    if side < LEAST_SIDE {
        return None;
    }
    let parts = A.rows().div_ceil(1 << 14);
    let balanced: usize = parallel::values(parts, &|part| {
        let rows = part << 14..A.rows().min((part + 1) << 14);
        rows.filter(|&i| is_balanced(A, i)).count()
    })
    .into_iter()
    .sum();
    let share = balanced as f64 / A.rows() as f64;
    (share >= BALANCED).then(|| sentence(share, side))
}

fn sentence(share: f64, side: usize) -> String {
    let percent = 100.0 * share;
    format!(
        "{percent:.0} % of the rows sum up to nothing, as those of a Laplacian, over some {side} points in a line: \
         iterations with the diagonal would grow with these, a cycle of multigrid does not"
    )
}

/// Whether a row sums up to nearly nothing, with entries beside the diagonal against it.
fn is_balanced<S: Scalar>(A: &Csr<S>, i: usize) -> bool {
    let (mut sum, mut diagonal, mut against) = (0.0, 0.0, true);
    for (j, a) in A.row(i) {
        let value = a.parts().0;
        sum += value;
        if j == i {
            diagonal = value;
        } else {
            against &= value <= 0.0;
        }
    }
    against && sum.abs() <= REST * diagonal
}

#[cfg(test)]
mod tests {
    use super::multigrid_pays;
    use galerkit_linalg::gallery::{Stencil, poisson1d, poisson2d};
    use galerkit_linalg::precond::Class;

    #[test]
    fn long_grids_only_and_only_for_positive_definite_methods() {
        let A = poisson2d(400, Stencil::Points5).unwrap();
        assert!(multigrid_pays(&A, Class::PositiveDefinite).unwrap().contains("400 points"));
        assert!(multigrid_pays(&A, Class::General).is_none());
        let heavy = A.map_values(|a| if a > 0.0 { 2.0 * a } else { a });
        assert!(multigrid_pays(&heavy, Class::PositiveDefinite).is_none());
        assert!(multigrid_pays(&poisson1d(50_000).unwrap(), Class::PositiveDefinite).is_none(), "too few rows");
    }
}
