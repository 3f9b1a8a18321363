//! What is known of a stencil on a grid without looking at its rows: there are few kinds of them, 27 for 27 points in
//! space.

use galerkit_cuda::convert::Facts;
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::sparse::Pattern;

/// What a GPU would find in the rows, but for the rounding of sums.
pub(super) fn found<S: Scalar>(A: &GridMatrix<S>) -> Facts {
    let kinds: Vec<Kind> = A.kinds().into_iter().map(|kind| Kind::new(A, kind)).collect();
    let first = |wanted: &dyn Fn(&Kind) -> bool| kinds.iter().filter(|kind| wanted(kind)).map(|kind| kind.first).min();
    let rows = |wanted: &dyn Fn(&Kind) -> bool| kinds.iter().filter(|kind| wanted(kind)).map(|kind| kind.rows).sum();
    let (diagonal, is_mirrored) = (A.value_at([0; 3]), present(A).all(|(offset, ..)| has(A, offset.map(|o| -o))));
    let (re, im) = diagonal.parts();
    let somewhere = (A.rows() > 0).then_some(0); // every row has the diagonal entry, or none has
    Facts {
        not_finite: first(&|kind| !kind.is_finite).map(|row| first_not_finite(A, row)),
        empty_row: first(&|kind| kind.entries == 0),
        not_positive: somewhere.filter(|_| re.is_nan() || re <= 0.0),
        not_real_positive: somewhere.filter(|_| re.is_nan() || re <= 0.0 || im != 0.0),
        not_invertible: somewhere.filter(|_| diagonal == S::zero() || !(S::one() / diagonal).finite()),
        vanishing_rows: rows(&|kind| kind.vanishes),
        dominant_rows: rows(&|kind| kind.is_dominant),
        is_mirrored,
        is_self_adjoint: is_mirrored && asymmetry(A) == 0.0,
        squares: present(A).map(|(_, value, rows)| rows as f64 * value.modulus_squared().parts().0).sum(),
    }
}

/// The number of the first entry of a row that is not finite, which it has.
fn first_not_finite<S: Scalar>(A: &GridMatrix<S>, row: usize) -> usize {
    let mut start = [0];
    A.starts(row, &mut start);
    start[0] as usize + A.row(row).take_while(|(_, value)| value.finite()).count()
}

/// ||A||_F, with squares that neither overflow nor vanish.
pub(super) fn frobenius<S: Scalar>(A: &GridMatrix<S>) -> f64 {
    scaled_norm(present(A).map(|(_, value, rows)| (size(value), rows)))
}

/// ||A - A^H||_F over the entries that are stored.
pub(super) fn asymmetry<S: Scalar>(A: &GridMatrix<S>) -> f64 {
    let difference = |offset: [i64; 3], value: S| size(value - A.value_at(offset.map(|o| -o)).conj());
    scaled_norm(present(A).map(|(offset, value, rows)| (difference(offset, value), rows)))
}

/// The root of the sum of squares of numbers that occur so many times each.
fn scaled_norm(numbers: impl Iterator<Item = (f64, usize)>) -> f64 {
    let numbers: Vec<(f64, usize)> = numbers.collect();
    let most = numbers.iter().fold(0.0, |most: f64, (number, _)| most.max(*number));
    if most == 0.0 {
        return 0.0;
    }
    most * numbers.iter().map(|(number, count)| *count as f64 * (number / most).powi(2)).sum::<f64>().sqrt()
}

fn size<S: Scalar>(value: S) -> f64 {
    let (re, im) = value.parts();
    f64::hypot(re, im)
}

/// The points that are in some row: offset, value, and in how many.
fn present<S: Scalar>(A: &GridMatrix<S>) -> impl Iterator<Item = ([i64; 3], S, usize)> + '_ {
    let all = A.stencil().iter().zip(A.rows_of_points()).map(|(&(offset, value), rows)| (offset, value, rows));
    all.filter(|(_, _, rows)| *rows > 0)
}

fn has<S: Scalar>(A: &GridMatrix<S>, offset: [i64; 3]) -> bool {
    A.stencil().iter().any(|(known, _)| *known == offset)
}

/// Rows that are alike.
struct Kind {
    first: usize,
    rows: usize,
    entries: usize,
    is_finite: bool,
    /// They sum to zero, up to the rounding of their sums.
    vanishes: bool,
    /// |a_ii| >= sum of the other |a_ij|
    is_dominant: bool,
}

impl Kind {
    fn new<S: Scalar>(A: &GridMatrix<S>, (first, rows): (usize, usize)) -> Self {
        let (mut re, mut im, mut sum, mut radius, mut own) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let (mut entries, mut is_finite) = (0, true);
        for (j, value) in A.row(first) {
            let (x, y) = value.parts();
            (re, im, sum) = (re + x, im + y, sum + x.abs() + y.abs());
            if j == first {
                own = size(value)
            } else {
                radius += size(value)
            }
            (entries, is_finite) = (entries + 1, is_finite && value.finite());
        }
        let vanishes = f64::hypot(re, im) <= entries as f64 * S::eps() * sum;
        Self { first, rows, entries, is_finite, vanishes, is_dominant: own >= radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::singular::annihilates_constants;
    use galerkit_linalg::c64;
    use galerkit_linalg::gallery::{OnGrid, Point, parse};
    use galerkit_linalg::krylov::frobenius_norm;
    use galerkit_linalg::sparse::{definiteness_hints, symmetry};

    /// Everything against the loops over rows.
    fn check<S: Scalar>(A: &GridMatrix<S>) {
        let (rows, found) = (A.to_csr().unwrap(), found(A));
        let diagonal = rows.diagonal();
        let at = |wanted: &dyn Fn(S) -> bool| diagonal.iter().position(|&d| wanted(d));
        assert_eq!(found.not_finite.is_none(), rows.require_finite().is_ok());
        assert_eq!(found.empty_row, (0..rows.rows()).find(|&i| rows.row_length(i) == 0));
        assert_eq!(found.not_positive, at(&|d| d.parts().0 <= 0.0));
        assert_eq!(found.not_real_positive, at(&|d| d.parts().0 <= 0.0 || d.parts().1 != 0.0));
        assert_eq!(found.not_invertible, at(&|d| !(S::one() / d).finite()));
        assert_eq!(found.vanishing_rows == rows.rows(), annihilates_constants(&rows));
        assert_eq!(found.dominant_rows, definiteness_hints(&rows).unwrap().dominant_rows);
        assert_eq!(found.is_self_adjoint, symmetry(&rows).is_self_adjoint::<S>(), "{:?}", A.stencil());
        let norm = frobenius_norm(&rows);
        assert!((frobenius(A) - norm).abs() <= 1e-12 * norm && (found.squares.sqrt() - norm).abs() <= 1e-12 * norm);
        let difference = (0..rows.rows()).flat_map(|i| rows.row(i).map(move |entry| (i, entry)));
        let difference = difference.map(|(i, (j, a))| size(a - rows.get(j, i).unwrap_or_else(S::zero).conj()).powi(2));
        let difference = difference.sum::<f64>().sqrt();
        assert!((asymmetry(A) - difference).abs() <= 1e-12 * norm, "{:?}", A.stencil());
    }

    #[test]
    fn formulas_say_what_the_rows_say() {
        for name in
            ["poisson3d?n=5", "poisson2d?n=1", "convection_diffusion3d?n=4", "shifted_laplace2d?n=7", "toeplitz?n=9"]
        {
            match parse(name).unwrap().on_grid().unwrap() {
                Some(OnGrid::Real(A)) => check(&A),
                Some(OnGrid::Complex(A)) => check(&A),
                None => panic!("{name} is no grid"),
            }
        }
        let cyclic = |values: [f64; 3]| -> Vec<Point<f64>> { (-1..).map(|x| [x, 0, 0]).zip(values).collect() };
        for values in [[-1.0, 2.0, -1.0], [0.0, 0.0, 1.0], [1.0, -3.0, 1.0 + 1e-15], [1.0, 1e-90, 4.0]] {
            check(&GridMatrix::new([6, 2, 1], cyclic(values)).unwrap());
            check(&GridMatrix::new([1, 3, 1], cyclic(values)).unwrap());
        }
        check(
            &GridMatrix::new([3, 3, 2], vec![([0, 1, 0], c64::new(0.0, 1.0)), ([0, -1, 0], c64::new(0.0, -1.0))])
                .unwrap(),
        );
    }

    #[test]
    fn norms_and_reciprocals_at_the_end_of_the_range() {
        let scaled = |value: f64| GridMatrix::new([4, 1, 1], vec![([0; 3], value)]).unwrap();
        assert_eq!(
            (frobenius(&scaled(3e200)), frobenius(&scaled(3e-200)), frobenius(&scaled(0.0))),
            (6e200, 6e-200, 0.0)
        );
        assert_eq!((found(&scaled(1e-320)).not_invertible, found(&scaled(1e-300)).not_invertible), (Some(0), None));
        let odd = GridMatrix::new([3, 2, 1], vec![([0; 3], 1.0), ([-1, 1, 0], f64::NAN), ([1, 0, 0], -1.0)]).unwrap();
        let first = odd.to_csr().unwrap().val().iter().position(|value| !value.is_finite());
        assert!(first.is_some() && found(&odd).not_finite == first, "{first:?}");
    }
}
