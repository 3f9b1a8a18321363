//! What factorisations would take.

use galerkit_direct::Fill;
use galerkit_linalg::sparse::{Coo, Csr};

fn band(rows: usize, half: usize) -> Csr<f64> {
    let row = |i: usize| (i.saturating_sub(half)..(i + half + 1).min(rows)).map(move |j| (i, j, 1.0));
    Coo::from_triples(rows, rows, &(0..rows).flat_map(row).collect::<Vec<_>>()).unwrap().to_csr().0
}

#[test]
fn a_tridiagonal_matrix_fills_nothing() {
    let fill = Fill::of_cholesky(&band(50, 1)).unwrap();
    assert_eq!((fill.entries, fill.multiplications), (99.0, 49.0));
    let bound = Fill::of_lu(&band(50, 1)).unwrap();
    assert_eq!((bound.entries, bound.multiplications), (148.0, 98.0));
}

#[test]
fn a_full_matrix_takes_a_sixth_of_the_cube_and_lu_twice_as_much() {
    let cube = 60.0_f64.powi(3);
    let [cholesky, lu] = [Fill::of_cholesky(&band(60, 60)).unwrap(), Fill::of_lu(&band(60, 60)).unwrap()];
    assert_eq!((cholesky.entries, lu.entries), (60.0 * 61.0 / 2.0, 60.0 * 60.0));
    assert!((cholesky.multiplications / (cube / 6.0) - 1.0).abs() < 0.05, "{cholesky:?}");
    assert!((lu.multiplications / (cube / 3.0) - 1.0).abs() < 0.05, "{lu:?}");
}

/// An arrow fills nothing if its tip is last.
#[test]
fn a_full_row_is_eliminated_last() {
    let arrow = (0..40).flat_map(|i| [(i, i, 1.0), (0, i, 2.0), (i, 0, 2.0)]).collect::<Vec<_>>();
    let A = Coo::from_triples(40, 40, &arrow).unwrap().to_csr().0;
    assert_eq!(Fill::of_cholesky(&A).unwrap().entries, 79.0);
    assert_eq!(Fill::of_lu(&A).unwrap().entries, 118.0);
}

/// By the bound for any pivots, which knows that no row below a pivot has an entry.
#[test]
fn a_triangle_fills_nothing() {
    let triangle = (0..20).flat_map(|i| (i..20).map(move |j| (i, j, 1.0))).collect::<Vec<_>>();
    let A = Coo::from_triples(20, 20, &triangle).unwrap().to_csr().0;
    let fill = Fill::of_lu(&A).unwrap();
    assert_eq!((fill.entries, fill.is_bound), (20.0 * 21.0 / 2.0 + 20.0, true));
}

#[test]
fn what_is_not_square_has_no_factors_and_nothing_takes_nothing() {
    let A = Coo::<f64>::from_triples(2, 3, &[(0, 2, 1.0)]).unwrap().to_csr().0;
    assert_eq!((Fill::of_cholesky(&A), Fill::of_lu(&A)), (None, None));
    let none = Fill { entries: 0.0, multiplications: 0.0, is_bound: false };
    assert_eq!((Fill::of_cholesky(&band(0, 0)), Fill::of_lu(&band(0, 0))), (Some(none), Some(none)));
}

#[test]
fn factors_beyond_the_memory_do_not_fit() {
    assert!(!Fill { entries: 1e16, multiplications: 1.0, is_bound: false }.fits::<f32>());
}
