//! Conformance of y = alpha A x + beta y for every format: exact on integers, NaN of y not read when beta is zero, NaN
//! of x kept to the rows that store its column.

use super::maps::{on_diagonals, scattered};
use super::{assert_same, integers, poison};
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Backend, Placed, Reference};
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// One of each format, and parameters off the fast paths: odd heights, narrow and wide warps, large blocks.
pub fn formats() -> Vec<Format> {
    let odd = ["sell:8:1", "sell:3:5", "sell:64:64", "k1:4", "k1rs:128", "k2:8:1", "k2r:16:3", "k2rs:2:1"];
    let blocks = ["bsr:1", "bsr:2", "bsr:3", "bsr:20"];
    let parsed = odd.iter().chain(&blocks).map(|name| name.parse().expect("the names are legal"));
    Format::all().into_iter().chain(parsed).collect()
}

/// Whether the format has its own order of rows and columns, which only square matrices can have.
fn renumbers(format: Format) -> bool {
    matches!(format, Format::EllWarp { variant, .. } if variant.renumbers())
}

/// y = alpha A x + beta y.
pub fn spmv<S: Scalar, B: Backend<S>>(backend: &B) {
    for (rows, cols) in [(0, 0), (1, 1), (31, 31), (33, 65), (597, 597), (5000, 4999), (30_000, 30_000)] {
        multiply(backend, &scattered(rows, cols, rows < 10_000), &formats());
    }
    // Backends may store few diagonals in a way of their own; with holes, and none.
    let sliced: Vec<Format> = ["sell:32:1", "k1r:32"].map(|name| name.parse().expect("the names are legal")).into();
    for (rows, cols) in [(597, 597), (640, 600), (600, 640), (30_000, 30_000)] {
        for holes in [false, true] {
            multiply(backend, &on_diagonals(rows, cols, holes), &sliced);
        }
    }
}

fn multiply<S: Scalar, B: Backend<S>>(backend: &B, A: &Csr<S>, formats: &[Format]) {
    let (rows, cols) = (A.rows(), A.cols());
    for &format in formats.iter().filter(|&&format| rows == cols || !renumbers(format)) {
        let matrix = Box::new(Matrix::from_csr(A, format).expect("the format takes any shape"));
        let (x, loaded, oracle) = (integers::<S>(cols, 31), backend.load(matrix.clone()), Reference.load(matrix));
        for (alpha, beta) in [(1.0, 0.0), (2.0, 0.0), (-1.0, 3.0)] {
            let (alpha, beta) = (S::from_f64(alpha), S::from_f64(beta));
            let before = if beta == S::zero() { poison(rows) } else { integers(rows, 32) };
            let (mut found, mut expected) = (before.clone(), before);
            backend.spmv(alpha, &loaded.map, &loaded.values, &x, beta, &mut found);
            Reference.spmv(alpha, &oracle.map, &oracle.values, &x, beta, &mut expected);
            assert_same(&found, &expected, &format!("spmv {format} {rows} x {cols}, beta {beta}"));
        }
    }
}

/// A NaN in x_0 reaches the rows that store column 0 and no other, in spite of padding.
pub fn nan_stays_in_its_column<S: Scalar, B: Backend<S>>(backend: &B) {
    for A in [scattered(597, 597, true), on_diagonals(597, 597, false), on_diagonals(597, 597, true)] {
        nan_stays(backend, &A);
    }
}

fn nan_stays<S: Scalar, B: Backend<S>>(backend: &B, A: &Csr<S>) {
    let mut x = integers::<S>(597, 33);
    x[0] = S::from_f64(f64::NAN);
    for format in formats() {
        let matrix = Matrix::from_csr(A, format).expect("the matrix is square");
        let order = matrix.order().cloned();
        let given = order.as_ref().map_or(x.clone(), |order| order.gather(&x).expect("as long as the matrix"));
        let mut y = vec![S::zero(); 597];
        let Placed { map, values } = backend.load(Box::new(matrix));
        backend.apply(&map, &values, &given, &mut y);
        let y = order.as_ref().map_or(y.clone(), |order| order.scatter(&y).expect("as long as the matrix"));
        for (i, y) in y.iter().enumerate() {
            assert_eq!(!y.finite(), A.get(i, 0).is_some(), "{format}, row {i}");
        }
    }
}
