//! Direct solves against spec 02, section 3: the printed examples, backward errors, refusals; all four scalars.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod fill;
mod fronts;
mod singular;

use galerkit_direct::textbook::{Cholesky, Dense, Lu, Pivoting, eliminate};
use galerkit_direct::{Factor, dense_lu, sparse_cholesky, sparse_lu};
use galerkit_linalg::krylov::{Outcome, Stop, frobenius_norm};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error, Scalar, c32, c64};
use galerkit_testkit::{System, assert_close, distance, problems, strategies};
use proptest::prelude::*;

/// The matrix of section 4.
fn example() -> Csr<f64> {
    problems::dense(&[&[1.0, -2.0, 0.0, 0.0], &[0.0, 3.0, 1.0, 0.0], &[2.0, 0.0, -5.0, 1.0], &[0.0, 2.0, 0.0, 4.0]])
}

fn textbook(A: &Csr<f64>, pivoting: Pivoting) -> Lu<f64> {
    Lu::new(Dense::from_csr(A).unwrap(), pivoting).unwrap()
}

/// The textbook failure: without pivoting the answer is (0, 1), with it (1, 1).
#[test]
fn pivoting_matters() {
    let A = problems::dense::<f64>(&[&[1e-20, 1.0], &[1.0, 1.0]]);
    let b = [1.0, 2.0];
    let dense = Dense::from_csr(&A).unwrap();
    assert_eq!(textbook(&A, Pivoting::Partial).solve(&b).unwrap(), [1.0, 1.0]);
    assert_eq!(textbook(&A, Pivoting::Never).solve(&b).unwrap(), [0.0, 1.0]);
    assert_eq!(eliminate(dense.clone(), &b, Pivoting::Partial).unwrap(), [1.0, 1.0]);
    assert_eq!(eliminate(dense, &b, Pivoting::Never).unwrap(), [0.0, 1.0]);
    assert_eq!(dense_lu(&A).unwrap().solve(&b).unwrap(), [1.0, 1.0]);
    assert_eq!(sparse_lu(&A).unwrap().solve(&b).unwrap(), [1.0, 1.0]);
}

#[test]
fn four_by_four() {
    let (A, b) = (example(), [1.0, 2.0, 3.0, 4.0]);
    let expected = [77.0 / 37.0, 20.0 / 37.0, 14.0 / 37.0, 27.0 / 37.0]; // 2.0810810811, 0.5405405405, ...
    assert!((expected[0] - 2.081_081_081_1f64).abs() < 1e-10 && (expected[3] - 0.729_729_729_7f64).abs() < 1e-10);
    let lu = textbook(&A, Pivoting::Partial);
    assert!((lu.determinant() + 74.0).abs() <= 1e-12);
    assert_close(&lu.solve(&b).unwrap(), &expected, 1.0, "textbook LU");
    assert_close(&textbook(&A, Pivoting::Never).solve(&b).unwrap(), &expected, 1.0, "LU without pivoting");
    let eliminated = eliminate(Dense::from_csr(&A).unwrap(), &b, Pivoting::Partial).unwrap();
    assert_close(&eliminated, &expected, 1.0, "elimination");
    assert_close(&dense_lu(&A).unwrap().solve(&b).unwrap(), &expected, 1.0, "dense LU");
    assert_close(&sparse_lu(&A).unwrap().solve(&b).unwrap(), &expected, 1.0, "sparse LU");
}

/// P A = L U entry by entry, with ones on L's whole diagonal and multipliers of at most 1.
#[test]
fn factors_multiply_to_the_matrix() {
    let A = example();
    let lu = textbook(&A, Pivoting::Partial);
    for i in 0..4 {
        assert_eq!(lu.lower(i, i), 1.0);
        for j in 0..4 {
            let product: f64 = (0..4).map(|k| lu.lower(i, k) * lu.upper(k, j)).sum();
            assert!((product - A.get(lu.rows()[i], j).unwrap_or(0.0)).abs() <= 1e-14);
            assert!(lu.lower(i, j).abs() <= 1.0);
        }
    }
}

fn hilbert(n: usize) -> Dense<f64> {
    Dense::new(n, (0..n * n).map(|k| 1.0 / (k / n + k % n + 1) as f64).collect()).unwrap()
}

/// Hilbert matrices: Cholesky succeeds up to 13 rows and fails at pivot 13 (0-based) of 14, accumulating by rows.
#[test]
fn hilbert_matrices() {
    (1..=13).for_each(|n| assert!(Cholesky::new(hilbert(n)).is_ok(), "n = {n}"));
    match Cholesky::new(hilbert(14)) {
        Err(Error::Factorisation { pivot, .. }) => assert_eq!(pivot, 13),
        other => panic!("n = 14 must fail, not give {other:?}"),
    }
}

/// [4 2; 2 5] = L L^T with L = [2 0; 1 2]; the upper triangle is never read.
#[test]
fn cholesky_by_hand() {
    let llt = Cholesky::new(Dense::new(2, vec![4.0, f64::NAN, 2.0, 5.0]).unwrap()).unwrap();
    assert_eq!([llt.lower(0, 0), llt.lower(0, 1), llt.lower(1, 0), llt.lower(1, 1)], [2.0, 0.0, 1.0, 2.0]);
    assert_eq!(llt.solve(&[8.0, 12.0]).unwrap(), [1.0, 2.0]);
    let upper_differs = problems::dense::<f64>(&[&[4.0, 77.0], &[2.0, 5.0]]);
    assert_close(&sparse_cholesky(&upper_differs).unwrap().solve(&[8.0, 12.0]).unwrap(), &[1.0, 2.0], 1.0, "sparse");
}

/// Every solver gives the same answer on the 8 x 8 grid.
#[test]
fn all_agree() {
    let A = problems::laplacian::<f64>(8, 2);
    let b = problems::scattered::<f64>(64, 1);
    let dense = Dense::from_csr(&A).unwrap();
    let solved = System::new(&A, Preconditioner::None, b.clone()).solve(&Stop { rtol: 1e-12, ..Stop::default() });
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
    let answers = [
        Cholesky::new(dense.clone()).unwrap().solve(&b).unwrap(),
        Lu::new(dense.clone(), Pivoting::Never).unwrap().solve(&b).unwrap(),
        Lu::new(dense.clone(), Pivoting::Partial).unwrap().solve(&b).unwrap(),
        eliminate(dense, &b, Pivoting::Partial).unwrap(),
        dense_lu(&A).unwrap().solve(&b).unwrap(),
        sparse_lu(&A).unwrap().solve(&b).unwrap(),
        sparse_cholesky(&A).unwrap().solve(&b).unwrap(),
    ];
    for (k, answer) in answers.iter().enumerate() {
        assert!(distance(answer, &solved.x) <= 1e-10, "solver {k}: {:e}", distance(answer, &solved.x));
    }
}

/// ||A x - b|| <= 10 n eps ||A|| ||x||
#[track_caller]
fn backward_stable<S: Scalar>(A: &Csr<S>, factor: &Factor<S>, what: &str) {
    let b = problems::scattered::<S>(A.rows(), 2);
    let x = factor.solve(&b).unwrap();
    let residual: Vec<S> = problems::product(A, &x).iter().zip(&b).map(|(&a, &b)| a - b).collect();
    let allowed = 10.0 * A.rows() as f64 * S::eps() * frobenius_norm(A) * problems::norm(&x);
    let found = problems::norm(&residual);
    assert!(found <= allowed, "{what} ({}): {found:e}, allowed {allowed:e}", S::KIND.name());
}

fn every_factorisation<S: Scalar>() {
    let hermitian = problems::hermitian::<S>(12);
    backward_stable(&hermitian, &sparse_cholesky(&hermitian).unwrap(), "sparse Cholesky");
    let mut general = hermitian.clone();
    general.val_mut().iter_mut().step_by(3).for_each(|a| *a *= S::from_parts(0.5, 2.0));
    backward_stable(&general, &sparse_lu(&general).unwrap(), "sparse LU");
    backward_stable(&general, &dense_lu(&general).unwrap(), "dense LU");
    let empty = problems::diagonal::<S>(&[]);
    for factor in [dense_lu(&empty), sparse_lu(&empty), sparse_cholesky(&empty)] {
        assert_eq!(factor.unwrap().solve(&[]).unwrap(), []);
    }
    let one = problems::diagonal::<S>(&[4.0]);
    for factor in [dense_lu(&one), sparse_lu(&one), sparse_cholesky(&one)] {
        let factor = factor.unwrap();
        assert_eq!((factor.rows(), factor.solve(&[S::one()]).unwrap()), (1, vec![S::from_f64(0.25)]));
        assert!(matches!(factor.solve(&[]), Err(Error::DimensionMismatch { expected: 1, found: 0, .. })));
    }
}

#[test]
fn every_scalar() {
    every_factorisation::<f32>();
    every_factorisation::<f64>();
    every_factorisation::<c32>();
    every_factorisation::<c64>();
}

#[test]
fn refusals() {
    let singular = problems::dense::<f64>(&[&[1.0, 2.0, 0.0], &[2.0, 4.0, 0.0], &[0.0, 0.0, 1.0]]);
    assert!(matches!(dense_lu(&singular), Err(Error::Factorisation { .. })));
    assert!(matches!(sparse_lu(&singular), Err(Error::Singular { .. } | Error::Factorisation { .. })));
    let empty_row = problems::from_triples(3, 3, &[(0, 0, 1.0), (2, 2, 1.0)]);
    assert!(matches!(dense_lu(&empty_row), Err(Error::Factorisation { .. })));
    assert!(matches!(sparse_lu(&empty_row), Err(Error::Singular { .. } | Error::Factorisation { .. })));
    assert!(matches!(sparse_cholesky(&empty_row), Err(Error::Factorisation { .. })));
    let indefinite = problems::diagonal::<f64>(&[1.0, -1.0, 2.0]);
    assert!(matches!(sparse_cholesky(&indefinite), Err(Error::Factorisation { .. })));
    assert!(matches!(Cholesky::new(Dense::from_csr(&indefinite).unwrap()), Err(Error::Factorisation { pivot: 1, .. })));
    let wide = problems::dense::<f64>(&[&[1.0, 2.0]]);
    let nan = problems::diagonal::<f64>(&[1.0, f64::NAN]);
    for solver in [dense_lu, sparse_lu, sparse_cholesky] {
        assert!(matches!(solver(&wide), Err(Error::NotSquare { .. })));
        assert!(matches!(solver(&nan), Err(Error::NonFinite { .. })));
    }
    let zero = problems::dense::<f64>(&[&[0.0, 1.0], &[1.0, 0.0]]);
    let dense = Dense::from_csr(&zero).unwrap();
    assert!(matches!(Lu::new(dense.clone(), Pivoting::Never), Err(Error::Factorisation { pivot: 0, .. })));
    assert!(matches!(eliminate(dense, &[1.0, 1.0], Pivoting::Never), Err(Error::Factorisation { pivot: 0, .. })));
    assert_eq!(textbook(&zero, Pivoting::Partial).determinant(), -1.0);
}

proptest! {
    #![proptest_config(strategies::config(64))]
    /// Any matrix: a factorisation that succeeds solves, one that fails says so; none panics. Textbook and faer agree
    /// on what is singular, as integer elimination of such small matrices rounds little.
    #[test]
    fn any_matrix(A in strategies::square::<f64>(12)) {
        let x = problems::scattered::<f64>(A.rows(), 3);
        let b = problems::product(&A, &x);
        for solver in [dense_lu, sparse_lu, sparse_cholesky] {
            if let Ok(factor) = solver(&A) {
                prop_assert_eq!(factor.solve(&b).unwrap().len(), A.rows());
            }
        }
        if A.rows() == 0 || (0..A.rows()).any(|i| A.row_length(i) == 0) {
            prop_assert_eq!(dense_lu(&A).is_ok(), A.rows() == 0);
            prop_assert_eq!(sparse_lu(&A).is_ok(), A.rows() == 0);
        }
    }

    #[test]
    fn any_positive_definite_matrix(A in strategies::positive_definite::<c64>(30)) {
        let x = problems::scattered::<c64>(A.rows(), 3);
        let b = problems::product(&A, &x);
        for solver in [dense_lu, sparse_lu, sparse_cholesky] {
            prop_assert!(distance(&solver(&A).unwrap().solve(&b).unwrap(), &x) <= 1e-11);
        }
    }
}
