//! Conformance of applying a linear map, for each kind of map.

use super::{SIZES, assert_same, hash, integers, poison, thirds};
use crate::assert_close;
use crate::problems::applied;
use galerkit_linalg::backend::{Backend, Reference};
use galerkit_linalg::precond::{BlockDiagonal, Ssor};
use galerkit_linalg::sparse::{Coo, Csr, Matrix};
use galerkit_linalg::{Diagonal, LinearMap, Scalar};

/// Rows of 0 to 5 integers in scattered columns; every seventh row is empty and, if asked for, the middle one dense.
pub fn scattered<S: Scalar>(rows: usize, cols: usize, dense_row: bool) -> Csr<S> {
    let mut triples = Vec::new();
    for i in (0..rows).filter(|i| i % 7 != 3 && cols > 0) {
        for k in 0..hash(i as u64, 20) % 6 {
            let j = hash(i as u64, 21 + k) as usize % cols;
            triples.push((i, j, integers::<S>(1, hash(i as u64, k) % 1000)[0]));
        }
    }
    if dense_row && rows > 0 {
        let values = integers::<S>(cols, 22);
        triples.extend(values.into_iter().enumerate().map(|(j, value)| (rows / 2, j, value)));
    }
    Coo::from_triples(rows, cols, &triples).expect("the indices are below the shape").to_csr().0
}

/// Whole numbers on the diagonals -9, -1, 0, 1 and 9; with holes, every fifth row lacks one entry, and every 40th all.
pub(super) fn on_diagonals<S: Scalar>(rows: usize, cols: usize, holes: bool) -> Csr<S> {
    let mut triples = Vec::new();
    for i in (0..rows).filter(|i| !holes || i % 40 != 7) {
        for (k, j) in
            [(i + 1).checked_sub(10), i.checked_sub(1), Some(i), Some(i + 1), Some(i + 9)].into_iter().enumerate()
        {
            let Some(j) = j.filter(|&j| j < cols && !(holes && i % 5 == 2 && k == i % 3)) else { continue };
            triples.push((i, j, integers::<S>(1, hash((i + j) as u64, 26) % 1000)[0]));
        }
    }
    Coo::from_triples(rows, cols, &triples).expect("the indices are below the shape").to_csr().0
}

/// A Hermitian matrix with neighbours at distance 1 and 9 and a dominant diagonal.
fn banded<S: Scalar>(rows: usize) -> Csr<S> {
    let mut triples = Vec::new();
    for i in 0..rows {
        triples.push((i, i, S::from_f64(9.0 + (i % 3) as f64)));
        for j in [i + 1, i + 9].into_iter().filter(|&j| j < rows) {
            let a = S::from_parts(-1.0 - (i % 2) as f64, (i % 3) as f64 - 1.0);
            triples.extend([(i, j, a), (j, i, a.conj())]);
        }
    }
    Coo::from_triples(rows, rows, &triples).expect("the indices are below the shape").to_csr().0
}

/// What backend and reference make of x, the result having held NaN before.
fn both_applied<S: Scalar, B: Backend<S>>(backend: &B, map: impl LinearMap<S> + Clone, x: &[S]) -> (Vec<S>, Vec<S>) {
    (applied(backend, Box::new(map.clone()), x), applied(&Reference, Box::new(map), x))
}

/// The matrices a product must get right: square, wide and tall, with empty rows, with a dense row, without entries.
fn matrices<S: Scalar>() -> Vec<(String, Csr<S>)> {
    let mut list = Vec::new();
    for n in SIZES {
        for dense_row in [false, true] {
            for (rows, cols) in [(n, n), (n, n / 2), (n / 2, n)] {
                let name = format!("{rows} x {cols}{}", if dense_row { " with a dense row" } else { "" });
                list.push((name, scattered(rows, cols, dense_row)));
            }
        }
    }
    list.push(("33 x 33 without entries".into(), Coo::from_triples(33, 33, &[]).expect("no index").to_csr().0));
    list
}

/// y = A x for stored matrices; exact.
pub fn apply_matrix<S: Scalar, B: Backend<S>>(backend: &B) {
    for (name, A) in matrices::<S>() {
        let x = integers(A.cols(), 23);
        let (found, expected) = both_applied(backend, Matrix::Csr(A.clone()), &x);
        assert_same(&found, &expected, &format!("apply CSR {name}"));
        let (found, expected) = both_applied(backend, Matrix::Coo(A.to_coo()), &x);
        assert_same(&found, &expected, &format!("apply COO {name}"));
    }
}

/// y_i = d_i x_i; exact.
pub fn apply_diagonal<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let (found, expected) = both_applied(backend, Diagonal::new(integers(n, 24)), &integers(n, 25));
        assert_same(&found, &expected, "apply a diagonal");
    }
}

/// y = B x with dense blocks; the last one smaller unless the size divides.
pub fn apply_block_diagonal<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        for block in [1, 3, 4, 32] {
            let M = BlockDiagonal::from_csr(&banded::<S>(n), block).expect("dominant blocks are regular");
            let (found, expected) = both_applied(backend, M, &thirds(n, 26));
            assert_close(&found, &expected, 1.0, &format!("apply {n} rows in blocks of {block}"));
        }
    }
}

/// y = M^-1 x with SSOR, whose sweeps depend on each other row by row.
pub fn apply_ssor<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        for omega in [1.0, 1.5] {
            let M = Ssor::from_csr(&banded::<S>(n), omega).expect("a dominant diagonal is positive");
            let (found, expected) = both_applied(backend, M, &thirds(n, 27));
            assert_close(&found, &expected, 4.0, &format!("apply SSOR of {n} rows, omega {omega}")); // two recurrences
        }
    }
}

/// r = b - A x, the result having held NaN before; exact for matrices and diagonals.
pub fn residual<S: Scalar, B: Backend<S>>(backend: &B) {
    let mut maps: Vec<(String, Box<dyn LinearMap<S>>)> = Vec::new();
    maps.extend(matrices().into_iter().map(|(name, A)| (name, Box::new(Matrix::Csr(A)) as _)));
    maps.extend(SIZES.map(|n| (format!("diagonal {n}"), Box::new(Diagonal::new(integers(n, 28))) as _)));
    for (name, map) in maps {
        let (rows, cols) = map.shape();
        let (b, x) = (integers::<S>(rows, 29), integers::<S>(cols, 30));
        let (mut found, mut expected) = (poison(rows), poison(rows));
        let (loaded, oracle) = (backend.load(map.clone()), Reference.load(map));
        backend.residual(&loaded.map, &loaded.values, &b, &x, &mut found);
        Reference.residual(&oracle.map, &oracle.values, &b, &x, &mut expected);
        assert_same(&found, &expected, &format!("residual {name}"));
    }
}
