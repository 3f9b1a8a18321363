//! Small problems with known answers: the matrices of spec 02, section 2, and vectors to go with them.

use crate::conformance::hash;
use galerkit_linalg::backend::reference::spmv;
use galerkit_linalg::backend::{Backend, Placed};
use galerkit_linalg::sparse::{Coo, Csr, Matrix};
use galerkit_linalg::{LinearMap, Scalar};

/// A matrix from triples; duplicates are summed.
pub fn from_triples<S: Scalar>(rows: usize, cols: usize, triples: &[(usize, usize, S)]) -> Csr<S> {
    Coo::from_triples(rows, cols, triples).expect("a problem's indices are below its shape").to_csr().0
}

/// A matrix from rows of integers, zeros left out.
pub fn dense<S: Scalar>(rows: &[&[f64]]) -> Csr<S> {
    let entries = rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &a)| (i, j, a)));
    let triples: Vec<_> = entries.filter(|e| e.2 != 0.0).map(|(i, j, a)| (i, j, S::from_f64(a))).collect();
    from_triples(rows.len(), rows.first().map_or(0, |row| row.len()), &triples)
}

/// A diagonal matrix.
pub fn diagonal<S: Scalar>(values: &[f64]) -> Csr<S> {
    let triples: Vec<_> = values.iter().enumerate().map(|(i, &d)| (i, i, S::from_f64(d))).collect();
    from_triples(values.len(), values.len(), &triples)
}

/// The Laplacian of a grid with n points a side in the given number of dimensions, Dirichlet boundary, unscaled:
/// tridiag(-1, 2, -1) in one dimension, its Kronecker sums beyond.
pub fn laplacian<S: Scalar>(n: usize, dimensions: u32) -> Csr<S> {
    let rows = n.pow(dimensions);
    let mut triples = Vec::new();
    for i in 0..rows {
        triples.push((i, i, S::from_f64(2.0 * dimensions as f64)));
        for stride in (0..dimensions).map(|d| n.pow(d)).filter(|stride| i / stride % n + 1 < n) {
            triples.extend([(i, i + stride, -S::one()), (i + stride, i, -S::one())]);
        }
    }
    from_triples(rows, rows, &triples)
}

/// The Laplacian of a path of n nodes without boundary condition: singular, constants are its kernel.
pub fn neumann<S: Scalar>(n: usize) -> Csr<S> {
    let ends = |i: usize| usize::from(i > 0) + usize::from(i + 1 < n);
    let mut triples: Vec<_> = (0..n).map(|i| (i, i, S::from_f64(ends(i) as f64))).collect();
    triples.extend((1..n).flat_map(|i| [(i - 1, i, -S::one()), (i, i - 1, -S::one())]));
    from_triples(n, n, &triples)
}

/// A Hermitian positive definite matrix: a 2D Laplacian, shifted, whose couplings turn in the complex plane.
pub fn hermitian<S: Scalar>(n: usize) -> Csr<S> {
    let A = laplacian::<S>(n, 2).to_coo();
    let turned = |i: u32, j: u32, a: S| match i.cmp(&j) {
        std::cmp::Ordering::Equal => a + S::from_f64(0.125),
        std::cmp::Ordering::Less => a * turn::<S>(i),
        std::cmp::Ordering::Greater => a * turn::<S>(j).conj(),
    };
    let val = (0..A.nnz()).map(|k| turned(A.row()[k], A.col()[k], A.val()[k])).collect();
    Coo::new(A.rows(), A.cols(), A.row().to_vec(), A.col().to_vec(), val).expect("the pattern is valid").to_csr().0
}

/// A number of modulus 1 (1 for real scalars): 3/5 + 4/5 i or its conjugate.
fn turn<S: Scalar>(i: u32) -> S {
    let imaginary = if i.is_multiple_of(2) { 0.8 } else { -0.8 };
    if S::KIND.is_complex() { S::from_parts(0.6, imaginary) } else { S::one() }
}

/// y = A x
pub fn product<S: Scalar>(A: &Csr<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::zero(); A.rows()];
    spmv(S::one(), &Matrix::Csr(A.clone()), x, S::zero(), &mut y);
    y
}

/// y = A x for any map on a backend, y having held NaN before.
pub fn applied<S: Scalar, B: Backend<S>>(backend: &B, map: Box<dyn LinearMap<S>>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::from_parts(f64::NAN, f64::NAN); map.shape().0];
    let Placed { map, values } = backend.load(map);
    backend.apply(&map, &values, x, &mut y);
    y
}

/// The right-hand side whose solution is 1 everywhere.
pub fn rhs_of_ones<S: Scalar>(A: &Csr<S>) -> Vec<S> {
    product(A, &vec![S::one(); A.cols()])
}

/// Numbers between -1 and 1 that look random and always are the same.
pub fn scattered<S: Scalar>(length: usize, seed: u64) -> Vec<S> {
    let part = |i: usize, salt: u64| (hash(i as u64, seed + salt) >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    (0..length).map(|i| S::from_parts(part(i, 0), part(i, 1 << 32))).collect()
}

/// conj(x) . y in double precision, real part.
pub fn inner<S: Scalar>(x: &[S], y: &[S]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x.parts().0 * y.parts().0 + x.parts().1 * y.parts().1).sum()
}

/// Euclidean norm in double precision.
pub fn norm<S: Scalar>(x: &[S]) -> f64 {
    inner(x, x).sqrt()
}

/// Rows of these lengths, their entries in the first columns: small integers.
pub fn from_lengths<S: Scalar>(cols: usize, lengths: &[usize]) -> Csr<S> {
    let start = std::iter::once(0).chain(lengths.iter().scan(0, |end, &length| {
        *end += length as u64;
        Some(*end)
    }));
    let col: Vec<u32> = lengths.iter().flat_map(|&length| 0..length as u32).collect();
    let val = crate::conformance::integers(col.len(), 11);
    Csr::new(lengths.len(), cols, start.collect(), col, val).unwrap()
}
