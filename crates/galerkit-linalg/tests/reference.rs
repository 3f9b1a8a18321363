//! The reference backend, the oracle of all others, on numbers checkable by hand.

use galerkit_linalg::backend::{Backend, Placed, Reference};
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Diagonal, LinearMap, c64};
use galerkit_testkit::problems::{self, applied};
use galerkit_testkit::strategies;
use proptest::prelude::*;

const NAN: f64 = f64::NAN;

/// The matrix of spec 02, section 4, with x = (1, 2, 3, 4) and b = (10, 20, 30, 40).
#[test]
fn maps() {
    let rows: [&[f64]; 4] =
        [&[1.0, -2.0, 0.0, 0.0], &[0.0, 3.0, 1.0, 0.0], &[2.0, 0.0, -5.0, 1.0], &[0.0, 2.0, 0.0, 4.0]];
    let A = problems::dense::<f64>(&rows);
    let (x, b) = ([1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]);
    for map in [Matrix::Csr(A.clone()), Matrix::Coo(A.to_coo())] {
        let Placed { map, values } = Reference.load(Box::new(map) as Box<dyn LinearMap<f64>>);
        let mut y = [NAN; 4];
        Reference.apply(&map, &values, &x, &mut y);
        assert_eq!(y, [-3.0, 9.0, -9.0, 20.0]);
        let mut r = [NAN; 4];
        Reference.residual(&map, &values, &b, &x, &mut r);
        assert_eq!(r, [13.0, 11.0, 39.0, 20.0]);
    }
    let y = applied(&Reference, Box::new(Diagonal::new(vec![2.0, 0.0, -1.0, 0.5])), &x);
    assert_eq!(y, [2.0, 0.0, -3.0, 2.0]);
}

/// Rows without entries give zero, whatever the result held before.
#[test]
fn empty_rows() {
    let A = problems::from_triples(3, 2, &[(1, 0, 5.0)]);
    let y = applied(&Reference, Box::new(Matrix::Csr(A)), &[2.0, 7.0]);
    assert_eq!(y, [0.0, 10.0, 0.0]);
}

#[test]
fn vectors() {
    let x = [1.0, 2.0, 3.0];
    let fresh = || [10.0, 20.0, 30.0];
    let mut y = fresh();
    Reference.copy(&x, &mut y);
    assert_eq!(y, x);
    let mut y = fresh();
    Reference.axpby(2.0, &x, -1.0, &mut y);
    assert_eq!(y, [-8.0, -16.0, -24.0]);
    let mut y = [NAN; 3];
    Reference.axpby(2.0, &x, 0.0, &mut y);
    assert_eq!(y, [2.0, 4.0, 6.0]);
    let mut y = fresh();
    Reference.axpy(3.0, &x, &mut y);
    assert_eq!(y, [13.0, 26.0, 39.0]);
    let mut y = fresh();
    Reference.xpby(&x, 0.5, &mut y);
    assert_eq!(y, [6.0, 12.0, 18.0]);
    let mut y = fresh();
    Reference.scale(-0.1, &mut y);
    assert_eq!(y, [-1.0, -2.0, -3.0]);
    assert_eq!(Reference.dot(&x, &fresh()), 140.0);
}

/// The first argument is conjugated: (i, 1) . (1, i) = -i + i = 0 and (i, 1) . (i, 1) = 2.
#[test]
fn dot_conjugates_its_first_argument() {
    let (one, i) = (c64::new(1.0, 0.0), c64::new(0.0, 1.0));
    assert_eq!(Reference.dot(&[i, one], &[one, i]), c64::new(0.0, 0.0));
    assert_eq!(Reference.dot(&[i, one], &[i, one]), c64::new(2.0, 0.0));
    assert_eq!(Reference.dot(&[i], &[one]), -i);
}

proptest! {
    #![proptest_config(strategies::config(128))]
    /// Sparse equals dense, exactly, on integers: y_i is the sum over j of a_ij x_j, zeros included.
    #[test]
    fn product_is_the_dense_one(
        (A, x) in strategies::matrix::<c64>(24).prop_flat_map(|A| {
            let cols = A.cols();
            (Just(A), strategies::vector::<c64>(cols))
        }),
    ) {
        let dense = |i: usize| (0..A.cols()).map(|j| A.get(i, j).unwrap_or_default() * x[j]).sum::<c64>();
        let expected: Vec<c64> = (0..A.rows()).map(dense).collect();
        prop_assert_eq!(problems::product(&A, &x), expected);
    }
}
