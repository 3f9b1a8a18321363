//! Preconditioners: numbers checkable by hand, the definition M (M^-1 x) = x, symmetry, refusals, names.

use galerkit_linalg::backend::Reference;
use galerkit_linalg::precond::{BlockDiagonal, Preconditioner, Ssor, jacobi};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error, LinearMap, Scalar, c32, c64};
use galerkit_testkit::{assert_close, problems, strategies, tol};
use proptest::prelude::*;

const EVERY: [Preconditioner; 4] = [
    Preconditioner::Jacobi,
    Preconditioner::BlockJacobi { block: 3 },
    Preconditioner::Ssor { omega: 1.0 },
    Preconditioner::Ssor { omega: 1.7 },
];

fn apply<S: Scalar>(map: impl LinearMap<S>, x: &[S]) -> Vec<S> {
    problems::applied(&Reference, Box::new(map), x)
}

/// tridiag(-1, 2, -1) of order 3 and x = (1, 2, 3).
#[test]
fn by_hand() {
    let A = problems::laplacian::<f64>(3, 1);
    let x = [1.0, 2.0, 3.0];
    assert_eq!(apply(jacobi(&A).unwrap(), &x), [0.5, 1.0, 1.5]);
    // omega = 1: u = (1/2, 5/4, 17/8); y_3 = 17/8, y_2 = 5/4 + 17/16 = 37/16, y_1 = 1/2 + 37/32 = 53/32
    let M = Ssor::from_csr(&A, 1.0).unwrap();
    assert_eq!(apply(M, &x), [53.0 / 32.0, 37.0 / 16.0, 17.0 / 8.0]);
    // omega = 1/2: u = (1/4, 9/16, 57/64); y_3 = 171/128, y_2 = 27/32 + 171/512 = 603/512, y_1 = 3/8 + 603/2048
    let M = Ssor::from_csr(&A, 0.5).unwrap();
    assert_eq!(apply(M, &x), [1371.0 / 2048.0, 603.0 / 512.0, 171.0 / 128.0]);
    // [2 -1; -1 2]^-1 = [2 1; 1 2] / 3 and 1/2
    let M = BlockDiagonal::from_csr(&A, 2).unwrap();
    assert_eq!((M.rows(), M.block(), M.blocks(), M.val().len()), (3, 2, 2, 5));
    let (rows, slots) = M.block_at(1);
    assert_eq!((rows, &M.val()[slots]), (2..3, &[0.5][..]));
    assert_close(&apply(M, &x), &[4.0 / 3.0, 5.0 / 3.0, 1.5], 1.0, "block Jacobi");
}

/// Blocks need row exchanges when the diagonal is zero: [0 2; 4 0]^-1 = [0 1/4; 1/2 0], exactly.
#[test]
fn blocks_are_inverted_with_pivoting() {
    let A = problems::dense::<f64>(&[&[0.0, 2.0], &[4.0, 0.0]]);
    assert_eq!(BlockDiagonal::from_csr(&A, 2).unwrap().val(), [0.0, 0.25, 0.5, 0.0]);
    // a block larger than the matrix is the matrix
    assert_eq!(BlockDiagonal::from_csr(&A, 1000).unwrap().val(), [0.0, 0.25, 0.5, 0.0]);
}

/// The triangles are A's own, so a Hermitian A gives U = L^H.
#[test]
fn ssor_keeps_the_triangles_of_a() {
    let A = problems::hermitian::<c64>(3);
    let M = Ssor::from_csr(&A, 1.25).unwrap();
    assert_eq!((M.omega(), M.damping(), M.diagonal()), (1.25, c64::new(0.75, 0.0), &A.diagonal()[..]));
    assert_eq!(M.lower().nnz() + M.upper().nnz() + 9, A.nnz());
    for i in 0..9 {
        assert!(
            M.lower().row(i).all(|(j, l)| j < i && A.get(i, j) == Some(l) && M.upper().get(j, i) == Some(l.conj()))
        );
        assert_eq!(M.relaxed()[i], c64::new(1.25, 0.0) / A.get(i, i).unwrap());
    }
}

/// M y for SSOR from its definition (D/w + L) (w/(2-w)) D^-1 (D/w + U) y.
fn ssor_product<S: Scalar>(A: &Csr<S>, omega: f64, y: &[S]) -> Vec<S> {
    let (w, d) = (S::from_f64(omega), A.diagonal());
    let sweep = |v: &[S], keep: &dyn Fn(usize, usize) -> bool| -> Vec<S> {
        let row = |i: usize| A.row(i).filter(|&(j, _)| keep(i, j)).fold(d[i] / w * v[i], |sum, (j, a)| sum + a * v[j]);
        (0..v.len()).map(row).collect()
    };
    let upper = sweep(y, &|i, j| j > i);
    let scaled: Vec<S> = (0..y.len()).map(|i| w / (S::from_f64(2.0) - w) / d[i] * upper[i]).collect();
    sweep(&scaled, &|i, j| j < i)
}

/// M y for block Jacobi: the blocks of A.
fn block_product<S: Scalar>(A: &Csr<S>, block: usize, y: &[S]) -> Vec<S> {
    let row = |i: usize| A.row(i).filter(|&(j, _)| j / block == i / block).map(|(j, a)| a * y[j]).sum();
    (0..y.len()).map(row).collect()
}

fn definitions<S: Scalar>() {
    let A = problems::hermitian::<S>(8);
    let x = problems::scattered::<S>(64, 1);
    for omega in [0.3, 1.0, 1.9] {
        let y = apply(Ssor::from_csr(&A, omega).unwrap(), &x);
        assert_close(&ssor_product(&A, omega, &y), &x, 4.0, &format!("SSOR {omega}")); // M amplifies y's rounding
    }
    for block in [1, 2, 5, 8, 64, 100] {
        let y = apply(BlockDiagonal::from_csr(&A, block).unwrap(), &x);
        assert_close(&block_product(&A, block, &y), &x, 4.0, &format!("block Jacobi {block}"));
    }
}

#[test]
fn preconditioners_invert_what_they_say() {
    definitions::<f32>();
    definitions::<f64>();
    definitions::<c32>();
    definitions::<c64>();
}

#[test]
fn refusals() {
    let zero = problems::dense::<f64>(&[&[1.0, 1.0], &[1.0, 0.0]]);
    let negative = problems::diagonal::<f64>(&[1.0, -2.0]);
    let imaginary = problems::from_triples(1, 1, &[(0, 0, c64::new(1.0, 0.5))]);
    let zero_row = |result: Result<_, Error>| matches!(result, Err(Error::ZeroDiagonal { row: 1, .. }));
    assert!(zero_row(jacobi(&zero).map(|_| ())) && zero_row(Ssor::from_csr(&zero, 1.0).map(|_| ())));
    // Jacobi itself serves any method; prepared for CG it refuses what SSOR always refuses.
    assert_eq!(apply(jacobi(&negative).unwrap(), &[1.0, 1.0]), [1.0, -0.5]);
    for preconditioner in [Preconditioner::Jacobi, Preconditioner::Ssor { omega: 1.0 }] {
        assert!(matches!(preconditioner.build(&negative), Err(Error::NegativeDiagonal { row: 1, .. })));
        assert!(matches!(preconditioner.build(&imaginary), Err(Error::NegativeDiagonal { row: 0, .. })));
        assert!(zero_row(preconditioner.build(&zero).map(|_| ())));
    }
    for omega in [0.0, 2.0, -1.0, 2.5, f64::NAN, f64::INFINITY] {
        let refused = Ssor::from_csr(&problems::laplacian::<f64>(3, 1), omega);
        assert!(matches!(refused, Err(Error::InvalidParameter { name: "omega", .. })), "omega = {omega}");
    }
    // The nearest double below 2 is 2 in single precision; the interval is open there as well.
    let almost = 2.0 - f64::EPSILON;
    assert!(Ssor::from_csr(&problems::laplacian::<f64>(3, 1), almost).is_ok());
    let singular = problems::dense::<f64>(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0], &[0.0, 2.0, 4.0]]);
    let refused = BlockDiagonal::from_csr(&problems::dense::<f64>(&[&[1.0, 2.0], &[2.0, 4.0]]), 2).unwrap_err();
    assert!(matches!(refused, Error::SingularBlock { first: 0, last: 1 }));
    assert!(refused.to_string().contains("rows 1 to 2"));
    assert!(matches!(BlockDiagonal::from_csr(&singular, 3), Err(Error::SingularBlock { first: 0, last: 2 })));
    assert!(BlockDiagonal::from_csr(&singular, 2).is_ok());
    for block in [0, 1025] {
        assert!(matches!(
            BlockDiagonal::from_csr(&singular, block),
            Err(Error::InvalidParameter { name: "block", .. })
        ));
    }
    let wide = problems::dense::<f64>(&[&[1.0, 2.0]]);
    for preconditioner in EVERY {
        assert!(matches!(preconditioner.build(&wide), Err(Error::NotSquare { rows: 1, cols: 2, .. })));
    }
    let nan = problems::diagonal::<f64>(&[f64::NAN]);
    assert!(matches!(jacobi(&nan), Err(Error::NonFinite { .. })));
}

#[test]
fn names() {
    let parse = |text: &str| text.parse::<Preconditioner>();
    assert_eq!(parse("none").unwrap(), Preconditioner::None);
    assert_eq!(parse("block-jacobi").unwrap(), Preconditioner::BlockJacobi { block: 4 });
    assert_eq!(parse("ssor").unwrap(), Preconditioner::Ssor { omega: 1.0 });
    for text in ["none", "jacobi", "block-jacobi:7", "ssor:1.5", "ssor:0.25"] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    for text in ["ssor:2", "ssor:nan", "ssor:", "ssor:x"] {
        assert!(matches!(parse(text), Err(Error::InvalidParameter { name: "omega", .. })), "{text}");
    }
    for text in ["block-jacobi:0", "block-jacobi:-1", "block-jacobi:2.5"] {
        assert!(matches!(parse(text), Err(Error::InvalidParameter { name: "block", .. })), "{text}");
    }
    for text in ["", "Jacobi", "jacobi:3", "none:1", "ilu"] {
        assert!(matches!(parse(text), Err(Error::UnknownName { .. })), "{text}");
    }
}

proptest! {
    #![proptest_config(strategies::config(64))]
    /// (x, M^-1 y) = (M^-1 x, y) within 1e-12, and (x, M^-1 x) > 0.
    #[test]
    fn hermitian_and_positive(A in strategies::positive_definite::<c64>(20), seed in 0u64..1000) {
        let (x, y) = (problems::scattered::<c64>(A.rows(), seed), problems::scattered::<c64>(A.rows(), seed + 1));
        for preconditioner in EVERY {
            let M = preconditioner.build(&A).unwrap().unwrap();
            let (Mx, My) = (problems::applied(&Reference, M.clone(), &x), problems::applied(&Reference, M, &y));
            let scale = problems::norm(&x) * problems::norm(&My) + tol::<c64>();
            prop_assert!((problems::inner(&x, &My) - problems::inner(&Mx, &y)).abs() <= 1e-12 * scale);
            prop_assert!(problems::inner(&x, &Mx) > 0.0);
        }
    }
}
