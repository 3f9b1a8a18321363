//! The sparse formats against spec 07: the worked example array for array, the invariants as properties on
//! integer-valued numbers (exact equality), the edge cases, the published statistics, and real files.

mod edges;
mod invariants;
mod published;
mod real_files;
mod recipe;
mod refill;
mod spoiled;
mod worked_example;

use galerkit_linalg::Scalar;
use galerkit_linalg::backend::reference::spmv;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix, Variant};
use proptest::prelude::*;

/// A x in the original numbering, whatever order the format works in.
fn product<S: Scalar>(A: &Matrix<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::from_f64(f64::NAN); A.rows()]; // beta = 0 must not read it
    match A.order() {
        None => spmv(S::one(), A, x, S::zero(), &mut y),
        Some(order) => {
            spmv(S::one(), A, &order.gather(x).unwrap(), S::zero(), &mut y);
            y = order.scatter(&y).unwrap();
        }
    }
    y
}

fn csr<S: Scalar>(rows: usize, cols: usize, triples: &[(usize, usize, f64)]) -> Csr<S> {
    let triples: Vec<_> = triples.iter().map(|&(i, j, v)| (i, j, S::from_parts(v, 1.0 - v))).collect();
    Coo::from_triples(rows, cols, &triples).unwrap().to_csr().0
}

/// A matrix with the given row lengths, in as many columns as the longest needs; entry e of row i lies in column e.
fn with_lengths(lengths: &[usize], cols: usize) -> Csr<f64> {
    let mut start = vec![0u64];
    let mut col = Vec::new();
    for &length in lengths {
        col.extend(0..length as u32);
        start.push(col.len() as u64);
    }
    let val = (0..col.len()).map(|k| (k % 7) as f64 - 3.0).collect();
    Csr::new(lengths.len(), cols, start, col, val).unwrap()
}

/// Every format with ordinary and extreme parameters that a matrix of this shape allows.
fn formats(rows: usize, cols: usize) -> Vec<Format> {
    let mut all = vec![Format::Coo, Format::Csr, Format::Ell, Format::EllR];
    all.extend([1, 2, 3, 4, 7].map(|block| Format::Bsr { block }));
    all.extend(
        [(1, 1), (2, 1), (4, 8), (8, 256), (3, 5), (32, 1)].map(|(height, sigma)| Format::Sell { height, sigma }),
    );
    all.extend([None, Some(0), Some(1), Some(3), Some(99)].map(|width| Format::Hyb { width }));
    for variant in Variant::ALL {
        if !variant.renumbers() || rows == cols {
            let parameters = [(1, 1), (2, 2), (4, 1), (4, 2), (8, 3), (32, 1), (32, 2), (32, 16), (32, 1000)];
            all.extend(parameters.map(|(warp, threshold)| Format::EllWarp { variant, warp, threshold }));
        }
    }
    all
}

/// Small matrices of whole numbers with explicit zeros, empty rows and now and then a dense row; every second square.
fn matrices() -> impl Strategy<Value = Csr<f64>> {
    let shape = prop_oneof![(1usize..70).prop_map(|n| (n, n)), (1usize..70, 1usize..70)];
    let entry = (0usize..70, 0usize..70, -4i32..5);
    (shape, prop::collection::vec(entry, 0..300), prop::option::of(0usize..70)).prop_map(
        |((rows, cols), entries, dense)| {
            let mut triples: Vec<_> = entries.iter().map(|&(i, j, v)| (i % rows, j % cols, v as f64)).collect();
            triples.extend(dense.into_iter().flat_map(|i| (0..cols).map(move |j| (i % rows, j, j as f64 % 5.0 - 2.0))));
            Coo::from_triples(rows, cols, &triples).unwrap().to_csr().0
        },
    )
}

/// Whole numbers that differ from position to position.
fn whole_numbers<S: Scalar>(n: usize) -> Vec<S> {
    (0..n).map(|i| S::from_parts((i * 7 % 11) as f64 - 5.0, (i * 5 % 7) as f64 - 3.0)).collect()
}

/// The same matrix in another scalar; complex ones get an imaginary part.
fn in_scalar<S: Scalar>(A: &Csr<f64>) -> Csr<S> {
    A.map_values(|v| S::from_parts(v, if v == 0.0 { 0.0 } else { 1.0 - v }))
}
