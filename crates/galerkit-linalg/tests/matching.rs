//! Maximum-product matchings: by hand, against every permutation of tiny matrices, and what the scaled matrix must be.

use galerkit_linalg::gallery::{Random, Stencil, poisson2d};
use galerkit_linalg::sparse::{Coo, Csr, Matching, Permutation, matching};
use galerkit_linalg::{Error, Scalar, c64};
use proptest::prelude::*;

fn matrix<S: Scalar>(n: usize, triples: &[(usize, usize, S)]) -> Csr<S> {
    Coo::from_triples(n, n, triples).unwrap().to_csr().0
}

fn modulus<S: Scalar>(a: S) -> f64 {
    let (re, im) = a.parts();
    re.hypot(im)
}

/// The largest product of moduli on a diagonal and the most entries other than zero on one, of all orders of the rows.
fn by_all_permutations(dense: &[Vec<f64>], column: usize, used: &mut Vec<bool>) -> (f64, usize) {
    if column == dense.len() {
        return (1.0, 0);
    }
    let mut best = (0.0f64, 0);
    for i in 0..dense.len() {
        if !std::mem::replace(&mut used[i], true) {
            let (product, rank) = by_all_permutations(dense, column + 1, used);
            let a = dense[i][column].abs();
            best = (best.0.max(a * product), best.1.max(rank + usize::from(a > 0.0)));
            used[i] = false;
        }
    }
    best
}

fn product_of_diagonal<S: Scalar>(A: &Csr<S>, found: &Matching) -> f64 {
    let rows = found.order().old().iter().enumerate();
    rows.map(|(j, &i)| A.get(i as usize, j).map_or(0.0, modulus)).product()
}

/// One on the diagonal and at most one elsewhere, up to the rounding of logarithms.
fn assert_scaled<S: Scalar>(A: &Csr<S>, found: &Matching) {
    const ROUNDING: f64 = 1e-12;
    let scaled = found.apply(A).unwrap();
    for i in 0..scaled.rows() {
        for (j, a) in scaled.row(i) {
            assert!(modulus(a) <= 1.0 + ROUNDING, "({i}, {j}): {}", modulus(a));
            assert!(i != j || (modulus(a) - 1.0).abs() <= ROUNDING, "({i}, {i}): {}", modulus(a));
        }
        assert!(scaled.get(i, i).is_some(), "row {i} has no diagonal");
    }
}

#[test]
fn a_cyclic_matrix_is_turned_back() {
    let A = matrix(3, &[(0, 1, -2.0), (1, 2, 0.5), (2, 0, 8.0), (0, 0, 1.0), (1, 1, 1e-3)]);
    let found = matching(&A).unwrap();
    assert_eq!(found.order().old(), [2, 0, 1]);
    assert_scaled(&A, &found);
}

/// Rows alone are greedy: both want the first column, and the product decides who gets it.
#[test]
fn the_product_decides() {
    let A = matrix(2, &[(0, 0, 10.0), (0, 1, 9.0), (1, 0, 8.0), (1, 1, 1.0)]);
    assert_eq!(matching(&A).unwrap().order().old(), [1, 0], "72 against 10");
    let A = matrix(2, &[(0, 0, 10.0), (0, 1, 1.0), (1, 0, 8.0), (1, 1, 1.0)]);
    assert_eq!(matching(&A).unwrap().order().old(), [0, 1], "10 against 8");
}

#[test]
fn structurally_singular_matrices_say_their_rank() {
    let singular = |n, triples: &[(usize, usize, f64)]| match matching(&matrix(n, triples)) {
        Err(Error::StructurallySingular { rank, rows }) => (rank, rows),
        other => panic!("{other:?}"),
    };
    assert_eq!(singular(3, &[(0, 0, 1.0), (1, 0, 2.0), (2, 1, 1.0), (2, 2, 1.0)]), (2, 3));
    assert_eq!(singular(2, &[(0, 0, 1.0), (0, 1, 0.0), (1, 0, 1.0)]), (1, 2), "a stored zero is none");
    assert_eq!(singular(2, &[]), (0, 2));
    let said = matching(&matrix::<f64>(1, &[])).unwrap_err().to_string();
    assert!(said.contains("only 0 of 1 rows"), "{said}");
    assert_eq!(matching(&matrix::<f64>(0, &[])).unwrap().order().len(), 0);
    let not_finite = matrix(1, &[(0, 0, f64::NAN)]);
    assert!(matches!(matching(&not_finite), Err(Error::NonFinite { .. })));
}

/// A system goes in and its solution comes out: C y solves A x = b if y solves P R A C y = P R b.
#[test]
fn a_system_goes_in_and_its_solution_comes_out() {
    let A = matrix(3, &[(0, 1, -2.0), (1, 2, 0.5), (2, 0, 8.0), (0, 0, 1.0), (1, 1, 1e-3)]);
    let found = matching(&A).unwrap();
    let scaled = found.apply(&A).unwrap();
    let y = [3.0, -1.0, 2.0];
    let product = |A: &Csr<f64>, x: &[f64]| -> Vec<f64> {
        (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect()
    };
    let b = product(&A, &found.outward(&y).unwrap());
    for (inside, from) in product(&scaled, &y).iter().zip(found.inward(&b).unwrap()) {
        assert!((inside - from).abs() <= 1e-13, "{inside} {from}");
    }
    assert!(matches!(found.inward(&[1.0]), Err(Error::DimensionMismatch { .. })));
}

/// Rows of a grid in any order find their way back; so do entries of any size, real and complex.
#[test]
fn shuffled_rows_of_a_grid_are_dominant_again() {
    let A = poisson2d(30, Stencil::Points5).unwrap();
    let order = Permutation::from_old(Random::new(5).shuffled(A.rows())).unwrap();
    let mut shuffled = A.permute_rows(&order).unwrap();
    for i in 0..shuffled.rows() {
        let factor = 10f64.powi((i % 41) as i32 - 20);
        for k in shuffled.range(i) {
            shuffled.val_mut()[k] *= factor;
        }
    }
    let found = matching(&shuffled).unwrap();
    assert_eq!(found.order().old(), order.new_position(), "the largest entries were on the diagonal");
    assert_scaled(&shuffled, &found);
    let complex = shuffled.map_values(|a| c64::new(0.6 * a, 0.8 * a));
    assert_eq!(matching(&complex).unwrap().order(), found.order());
    assert_scaled(&complex, &found);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// No permutation has a larger product, or a larger rank where none fills the diagonal.
    #[test]
    fn nothing_better_exists(
        n in 1usize..6,
        entries in prop::collection::vec((0usize..6, 0usize..6, -4i32..5), 0..24),
    ) {
        let mut dense = vec![vec![0.0; n]; n];
        entries.iter().for_each(|&(i, j, value)| dense[i % n][j % n] = f64::from(value));
        let triples: Vec<(usize, usize, f64)> =
            (0..n * n).map(|k| (k / n, k % n, dense[k / n][k % n])).filter(|entry| entry.2 != 0.0).collect();
        let A = matrix(n, &triples);
        let (most, rank) = by_all_permutations(&dense, 0, &mut vec![false; n]);
        match matching(&A) {
            Ok(found) => {
                let product = product_of_diagonal(&A, &found);
                prop_assert!(product >= most * (1.0 - 1e-12), "{product} of {most}");
                assert_scaled(&A, &found);
            }
            Err(Error::StructurallySingular { rank: found, .. }) => prop_assert_eq!(found, rank),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
