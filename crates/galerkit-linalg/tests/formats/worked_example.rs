//! Section 4 of the spec, array for array: seven rows, W = 4, columns printed 1-based with padding in column 1.

use super::product;
use galerkit_linalg::sparse::{Coo, Csr, EllWarp, Format, Matrix, Variant};

const Y: [f64; 7] = [4.0, 121.0, 16.0, 24.0, 56.0, 54.0, 78.0];

fn example() -> Csr<f64> {
    let rows: [&[(usize, f64)]; 7] = [
        &[(1, 4.0)],
        &[(1, 7.0), (2, 8.0), (4, 9.0), (5, 10.0), (6, 2.0)],
        &[(3, 3.0), (7, 1.0)],
        &[(4, 6.0)],
        &[(2, 1.0), (4, 2.0), (5, 5.0), (7, 3.0)],
        &[(6, 9.0)],
        &[(1, 2.0), (5, 4.0), (7, 8.0)],
    ];
    let triples: Vec<_> =
        rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&(j, v)| (i, j - 1, v))).collect();
    Coo::from_triples(7, 7, &triples).unwrap().to_csr().0
}

fn built(variant: Variant, threshold: usize) -> EllWarp<f64> {
    EllWarp::from_csr(&example(), variant, 4, threshold).unwrap()
}

fn columns(A: &EllWarp<f64>) -> Vec<u32> {
    A.col().iter().map(|&j| j + 1).collect()
}

const K1_VAL: [f64; 24] = [
    7.0, 1.0, 2.0, 3.0, 8.0, 2.0, 4.0, 1.0, 9.0, 5.0, 8.0, 0.0, 10.0, 3.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 6.0, 9.0,
    0.0,
];
const K1R_COL: [u32; 24] = [5, 1, 5, 4, 1, 6, 2, 3, 6, 2, 3, 1, 2, 3, 1, 1, 7, 1, 1, 1, 5, 6, 7, 1];

#[test]
fn k1() {
    let A = built(Variant::K1, 16);
    assert_eq!(A.row_order().old(), [1, 4, 6, 2, 0, 3, 5]); // P = 2 5 7 3 1 4 6
    assert_eq!(A.warp_offset(), [0, 20, 24]);
    assert_eq!(A.max_rows(), [5, 1]);
    assert_eq!(A.row_start(), [0, 4]);
    assert_eq!(A.reduction(), [1, 1]);
    assert_eq!(A.len(), [5, 4, 3, 2, 1, 1, 1]);
    assert_eq!(A.val(), K1_VAL);
    assert_eq!(columns(&A), [1, 2, 1, 3, 2, 4, 5, 7, 4, 5, 7, 1, 5, 7, 1, 1, 6, 1, 1, 1, 1, 4, 6, 1]);
    assert!(A.order().is_none());
}

#[test]
fn k1r() {
    let A = built(Variant::K1r, 16);
    assert_eq!(A.val(), K1_VAL);
    assert_eq!(columns(&A), K1R_COL);
    assert_eq!(A.order().unwrap().old(), [1, 4, 6, 2, 0, 3, 5]);
}

#[test]
fn k1rs() {
    let A = built(Variant::K1rs, 16);
    let val = [
        8.0, 1.0, 4.0, 1.0, 10.0, 5.0, 8.0, 3.0, 7.0, 3.0, 2.0, 0.0, 9.0, 2.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 6.0,
        9.0, 0.0,
    ];
    assert_eq!(A.val(), val);
    assert_eq!(columns(&A), [1, 1, 2, 3, 2, 2, 3, 4, 5, 3, 5, 1, 6, 6, 1, 1, 7, 1, 1, 1, 5, 6, 7, 1]);
}

#[test]
fn k2_with_threshold_2() {
    let A = built(Variant::K2, 2);
    assert_eq!(A.warp_offset(), [0, 8, 12, 20, 24]);
    assert_eq!(A.max_rows(), [2, 1, 2, 1]);
    assert_eq!(A.reduction(), [4, 4, 2, 1]);
    assert_eq!(A.row_start(), [0, 1, 2, 4]);
    let val = [
        7.0, 8.0, 9.0, 10.0, 2.0, 0.0, 0.0, 0.0, 1.0, 2.0, 5.0, 3.0, 2.0, 4.0, 3.0, 1.0, 8.0, 0.0, 0.0, 0.0, 4.0, 6.0,
        9.0, 0.0,
    ];
    assert_eq!(A.val(), val);
}

#[test]
fn every_format_gives_the_product() {
    let x: Vec<f64> = (1..=7).map(f64::from).collect();
    for format in super::formats(7, 7).into_iter().chain(Format::all()) {
        let A = Matrix::from_csr(&example(), format).unwrap();
        assert_eq!(product(&A, &x), Y, "{format}");
        assert_eq!(A.to_csr(), example(), "{format}");
    }
}

/// A row longer than the others costs K1 a whole group of padding; K2 splits it: lengths 8 1 1 1, T = 2 give warps
/// of 1, 1 and 2 rows.
#[test]
fn k2_may_store_less_than_k1() {
    let A = super::with_lengths(&[8, 1, 1, 1], 8);
    assert_eq!(EllWarp::from_csr(&A, Variant::K1, 4, 2).unwrap().slots(), 32);
    let K2 = EllWarp::from_csr(&A, Variant::K2, 4, 2).unwrap();
    assert_eq!((K2.slots(), K2.reduction(), K2.max_rows()), (16, &[4, 4, 2][..], &[2, 1, 1][..]));
}
