//! Null spaces of known dimension, and what stands in place of a solution.

use galerkit_direct::least_squares;
use galerkit_linalg::krylov::{norm, residual};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c32, c64};

const AMPLE: f64 = 1e12;

fn matrix<S: Scalar>(n: usize, entries: &[(usize, usize, f64)]) -> Csr<S> {
    let entries: Vec<_> = entries.iter().map(|&(i, j, a)| (i, j, S::from_f64(a))).collect();
    Coo::from_triples(n, n, &entries).unwrap().to_csr().0
}

/// Paths of this length, one after the other, with D L D in place of their Laplacian L.
fn weighted_paths<S: Scalar>(length: usize, paths: usize) -> Csr<S> {
    let d = |i: usize| 1.0 + 0.37 * (i % 7) as f64;
    let edges = (0..paths).flat_map(|k| (k * length..(k + 1) * length - 1).map(|i| (i, i + 1)));
    let entries: Vec<_> = edges
        .flat_map(|(i, j)| [(i, i, d(i) * d(i)), (j, j, d(j) * d(j)), (i, j, -d(i) * d(j)), (j, i, -d(i) * d(j))])
        .collect();
    matrix(length * paths, &entries)
}

/// Two rows of a bidiagonal matrix made one, and a column left out.
fn deficient<S: Scalar>(n: usize) -> Csr<S> {
    let bidiagonal = |i: usize, to: usize| [(to, i, 4.0), (to, (i + 1) % n, -1.0)];
    let rows = (0..n).flat_map(|i| bidiagonal(if i == 3 { 4 } else { i }, i));
    matrix(n, &rows.filter(|&(_, j, _)| j != 9).collect::<Vec<_>>())
}

fn check<S: Scalar>(A: &Csr<S>, is_self_adjoint: bool, nullity: usize) {
    let n = A.rows();
    let x: Vec<S> = (0..n).map(|i| S::from_f64(((i * 7919) % 101) as f64 / 101.0 - 0.4)).collect();
    let zero = vec![S::zero(); n];
    let b: Vec<S> = residual(A, &zero, &x).into_iter().map(|r| -r).collect();
    let found = least_squares(A, is_self_adjoint, &b, AMPLE).unwrap().unwrap();
    let accuracy = 1e3 * S::eps() * norm(&b);
    assert_eq!((found.nullity, found.is_complete), (nullity, true));
    assert!(norm(&residual(A, &b, &found.x)) <= accuracy && found.least <= accuracy, "{} {accuracy}", found.least);
    assert!(norm(&found.x) <= norm(&x) * 1.0001, "the least norm");
}

#[test]
fn null_spaces_have_their_dimension_and_consistent_systems_a_solution() {
    for paths in [1, 2, 11] {
        check::<f64>(&weighted_paths(30, paths), true, paths);
        check::<f64>(&weighted_paths(30, paths), false, paths);
    }
    check::<c64>(&weighted_paths(20, 2), true, 2);
    check::<f64>(&deficient(40), false, 2);
    check::<c64>(&deficient(40), false, 2);
    check::<f32>(&deficient(40), false, 2);
    check::<c32>(&deficient(40), false, 2);
    check::<f64>(&matrix(50, &(0..49).map(|i| (i, i + 1, 1.0)).collect::<Vec<_>>()), false, 1); // a Jordan block
    check::<f64>(&matrix(5, &[]), true, 5);
    check::<f64>(&matrix(40, &(0..40).map(|i| (i, i, 1e200 / (i + 1) as f64)).collect::<Vec<_>>()), true, 0);
}

#[test]
fn what_no_product_has_is_measured() {
    let A = weighted_paths::<f64>(30, 2);
    let found = least_squares(&A, true, &[1.0; 60], AMPLE).unwrap().unwrap();
    assert_eq!(found.nullity, 2);
    let left = norm(&residual(&A, &[1.0; 60], &found.x));
    assert!(found.least > 1.0 && (left - found.least).abs() < 1e-9, "{left} {}", found.least);
    // r of least squares is orthogonal to all A x
    let r = residual(&A, &[1.0; 60], &found.x);
    assert!(norm(&residual(&A, &[0.0; 60], &r)) < 1e-9);
}

#[test]
fn many_null_vectors_are_not_all_counted() {
    let A = matrix::<f64>(100, &(0..20).map(|i| (i, i, 2.0)).collect::<Vec<_>>());
    let found = least_squares(&A, false, &[0.0; 100], AMPLE).unwrap().unwrap();
    assert_eq!((found.nullity, found.is_complete), (64, false));
}

#[test]
fn what_costs_too_much_is_not_begun() {
    assert!(least_squares(&weighted_paths::<f64>(30, 2), true, &[1.0; 60], 10.0).unwrap().is_none());
}
