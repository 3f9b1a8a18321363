//! Invariant 9 and its kin: NaN and infinity go where the matrix sends them and nowhere else. Padding reads column 0,
//! so a product that multiplied it would spread a NaN in x[0] to every short row.

use super::{formats, matrices, product, whole_numbers};
use galerkit_linalg::sparse::{Csr, Matrix};
use proptest::prelude::*;

/// NaN in x[j] spoils exactly the rows that store column j, explicit zeros included; the others keep their value.
fn spoils_only_its_rows(A: &Csr<f64>, j: usize, spoiler: f64) {
    let clean = whole_numbers::<f64>(A.cols());
    let mut x = clean.clone();
    x[j] = spoiler;
    for format in formats(A.rows(), A.cols()) {
        let stored = Matrix::from_csr(A, format).unwrap();
        let (y, expected) = (product(&stored, &x), product(&stored, &clean));
        for i in 0..A.rows() {
            match A.get(i, j) {
                Some(_) => assert!(!y[i].is_finite(), "{format}, row {i} lost its {spoiler}"),
                None => assert_eq!(y[i], expected[i], "{format}, row {i}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_spoiled_entry_of_x_stays_in_its_rows(A in matrices(), j in 0usize..70) {
        spoils_only_its_rows(&A, 0, f64::NAN);
        spoils_only_its_rows(&A, 0, f64::INFINITY);
        spoils_only_its_rows(&A, j % A.cols(), f64::NAN);
    }

    #[test]
    fn a_spoiled_entry_of_the_matrix_stays_in_its_row(A in matrices(), k in 0usize..300) {
        prop_assume!(A.nnz() > 0);
        let k = k % A.nnz();
        let row = (0..A.rows()).find(|&i| A.range(i).contains(&k)).unwrap();
        let x = vec![1.0; A.cols()];
        let clean = product(&Matrix::Csr(A.clone()), &x);
        let mut spoiled = A.clone();
        spoiled.val_mut()[k] = f64::NAN;
        for format in formats(A.rows(), A.cols()) {
            let y = product(&Matrix::from_csr(&spoiled, format).unwrap(), &x);
            for i in 0..A.rows() {
                prop_assert!(if i == row { y[i].is_nan() } else { y[i] == clean[i] }, "{}, row {}", format, i);
            }
        }
    }
}
