//! Preconditioners built in double precision and rounded, for inner solves in single precision.

use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded, Resident};
use galerkit_linalg::precond::{Class, Preconditioner};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Linear, Scalar};
use galerkit_testkit::distance;
use galerkit_testkit::problems::{diagonal, hermitian, scattered};
use std::sync::Arc;

/// Built in double precision, rounded, and applied to vectors in single precision.
#[test]
fn every_preconditioner_can_be_rounded() {
    fn apply<E: Engine<Scalar = f64>>(e: &mut E, A: &Csr<f64>, name: &str) -> [Vec<f64>; 2] {
        let prepared = name.parse::<Preconditioner>().unwrap().prepare(A, Class::PositiveDefinite).unwrap();
        let rounded = prepared.rounded().unwrap();
        let high_A = Resident::<E>(e.load(Arc::new(Linear::Matrix(Matrix::Csr(A.clone())))));
        let low_A = Resident::<E>(e.load_lower(Arc::new(Linear::Matrix(Matrix::Csr(A.map_values(f64::lower))))));
        let x = e.upload(&scattered::<f64>(A.rows(), 7));
        let (mut low_x, mut low_y, mut y) = (e.lower_like(&x), e.lower_like(&x), e.zeros_like(&x));
        let (M, low_M) = (prepared.load(e, &high_A), rounded.load_lower(e, &low_A, &x));
        e.copy(&x, &mut low_x);
        e.apply(&*M, &x, &mut y);
        e.apply(&*low_M, &low_x, &mut low_y);
        [e.download(&y), e.download(&low_y)]
    }
    let A = hermitian::<f64>(7);
    let factors = ["ilu0", "ilu:2", "ic0", "ilu0-blocks:3", "ilu0-sweeps:2"];
    for name in ["none", "jacobi", "block-jacobi:3", "ssor:1.4", "chebyshev:3"].into_iter().chain(factors) {
        for [high, low] in [apply(&mut Immediate::new(Reference), &A, name), apply(&mut Recorded::new(Cpu), &A, name)] {
            let off = distance(&high, &low);
            assert!(off > 0.0 && off < 1e-6, "{name}: {off:e}");
        }
    }
}

#[test]
fn what_overflows_in_single_precision_is_not_rounded() {
    let A: Csr<f64> = diagonal(&[1.0, 1e-40]);
    for name in ["jacobi", "block-jacobi:1", "ssor:1", "ilu0", "ic0", "ilu0-sweeps:1"] {
        let prepared = name.parse::<Preconditioner>().unwrap().prepare(&A, Class::PositiveDefinite).unwrap();
        assert_eq!(prepared.rounded().is_some(), name == "ic0", "{name}: the root of 1e-40 fits");
    }
}
