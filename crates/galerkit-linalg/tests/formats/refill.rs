//! Invariant 8: new values scattered through `slot_of` give what converting anew gives, padding and all.

use super::{csr, formats, in_scalar, matrices};
use galerkit_linalg::sparse::{Coo, Csr, Matrix};
use galerkit_linalg::{Error, Scalar, c32, c64};
use proptest::prelude::*;

fn refills<S: Scalar>(A: &Csr<f64>) {
    let A = in_scalar::<S>(A);
    let mut B = A.clone();
    B.val_mut().iter_mut().enumerate().for_each(|(k, v)| *v = S::from_parts(k as f64 - 8.0, 2.0));
    for format in formats(A.rows(), A.cols()) {
        let mut stored = Matrix::from_csr(&A, format).unwrap();
        let slot_of = stored.slot_of(&A).unwrap();
        stored.refill(&slot_of, B.val()).unwrap();
        assert_eq!(stored, Matrix::from_csr(&B, format).unwrap(), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn refilling_equals_converting_anew(A in matrices()) {
        refills::<f32>(&A);
        refills::<f64>(&A);
        refills::<c32>(&A);
        refills::<c64>(&A);
    }
}

#[test]
fn triples_in_any_order_are_refilled() {
    let unsorted = Coo::from_triples(2, 2, &[(1, 1, 4.0), (0, 1, 2.0), (1, 0, 3.0)]).unwrap();
    let pattern = unsorted.to_csr().0;
    let mut A = Matrix::Coo(unsorted);
    let slot_of = A.slot_of(&pattern).unwrap();
    assert_eq!(slot_of, [1, 2, 0]);
    A.refill(&slot_of, &[20.0, 30.0, 40.0]).unwrap();
    assert_eq!(A.to_csr().val(), [20.0, 30.0, 40.0]);
    let twice = Matrix::Coo(Coo::from_triples(1, 1, &[(0, 0, 1.0), (0, 0, 2.0)]).unwrap());
    assert!(matches!(twice.slot_of(&twice.to_csr()), Err(Error::InvalidStructure { .. })));
}

#[test]
fn a_foreign_pattern_or_map_is_refused() {
    let A = csr::<f64>(3, 3, &[(0, 0, 1.0), (1, 2, 2.0), (2, 0, 3.0), (2, 1, 4.0)]);
    let other = csr::<f64>(3, 3, &[(0, 0, 1.0), (1, 1, 2.0), (2, 0, 3.0), (2, 1, 4.0)]);
    let wide = csr::<f64>(3, 4, &[(0, 0, 1.0)]);
    for format in formats(3, 3) {
        let mut stored = Matrix::from_csr(&A, format).unwrap();
        assert!(matches!(stored.slot_of(&other), Err(Error::InvalidStructure { .. })), "{format}");
        assert!(matches!(stored.slot_of(&wide), Err(Error::DimensionMismatch { .. })), "{format}");
        let slot_of = stored.slot_of(&A).unwrap();
        assert!(matches!(stored.refill(&slot_of, &[1.0]), Err(Error::DimensionMismatch { .. })), "{format}");
        let beyond = stored.slots() as u64;
        assert!(matches!(stored.refill(&[beyond], &[1.0]), Err(Error::InvalidStructure { .. })), "{format}");
    }
}
