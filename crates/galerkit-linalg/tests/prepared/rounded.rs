//! Preconditioners built in double precision and rounded, for inner solves in single precision.

use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::map::InSingle;
use galerkit_linalg::precond::{Class, Preconditioner};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_testkit::distance;
use galerkit_testkit::problems::{diagonal, hermitian, scattered};

/// Built in double precision, rounded, and applied to vectors in single precision.
#[test]
fn every_preconditioner_can_be_rounded() {
    fn apply<E: Engine<Scalar = f64>>(e: &mut E, A: &Csr<f64>, name: &str) -> [Vec<f64>; 2] {
        let prepared = name.parse::<Preconditioner>().unwrap().prepare(A, Class::PositiveDefinite).unwrap();
        assert!(prepared.fits_single());
        let high_A = e.load(Box::new(Matrix::Csr(A.clone())));
        let low_A = e.load(Box::new(InSingle(Box::new(Matrix::Csr(A.map_values(f64::to_single))))));
        let x = e.upload(&scattered::<f64>(A.rows(), 7));
        let [mut low_x, mut low_y] = [(); 2].map(|()| e.zeros(A.rows(), Precision::Single));
        let mut y = e.zeros_like(&x);
        let (M, low_M) =
            (prepared.clone().load(e, &high_A, Precision::Full), prepared.load(e, &low_A, Precision::Single));
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
        assert_eq!(prepared.fits_single(), name == "ic0", "{name}");
    }
}
