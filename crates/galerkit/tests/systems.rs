//! Matrices for the tests of the facade, and the residual that decides them.

use galerkit::linalg::gallery::{self, Built};
use galerkit::prelude::*;

/// A real system of the gallery.
pub fn real(name: &str) -> Csr<f64> {
    match gallery::build(name).unwrap() {
        Built::Real(A) => A,
        Built::Complex(_) => panic!("{name} is complex"),
    }
}

/// Rows and columns 0.., from (row, column, value).
pub fn matrix<S: Scalar>(rows: usize, entries: &[(usize, usize, S)]) -> Csr<S> {
    Coo::from_triples(rows, rows, entries).unwrap().to_csr().0
}

/// ||b - A x|| / ||b||
pub fn residual<S: Scalar>(A: &Csr<S>, b: &[S], x: &[S]) -> f64 {
    let square = |value: S| value.modulus_squared().parts().0;
    let row = |i: usize| b[i] - A.row(i).map(|(j, a)| a * x[j]).sum::<S>();
    let above: f64 = (0..A.rows()).map(|i| square(row(i))).sum();
    (above / b.iter().map(|&v| square(v)).sum::<f64>()).sqrt()
}
