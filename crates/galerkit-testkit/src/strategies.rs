//! Proptest strategies. Entries are small integers, so that sums and products are exact in every scalar and tests
//! demand equality whatever the order of summation.

use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Coo, Csr};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// So many cases from a fixed seed, without a file of past failures: the same cases every time.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(2), ..ProptestConfig::default() }
}

/// An integer between -4 and 4; complex scalars have such an imaginary part too.
pub fn integer<S: Scalar>() -> impl Strategy<Value = S> {
    (-4i32..=4, -4i32..=4).prop_map(|(re, im)| S::from_parts(re as f64, im as f64))
}

/// A vector of integers.
pub fn vector<S: Scalar>(length: usize) -> impl Strategy<Value = Vec<S>> {
    vec(integer(), length)
}

/// Triples with integer values, duplicates included: at most 4 a row on average.
fn triples<S: Scalar>(rows: usize, cols: usize) -> impl Strategy<Value = Vec<(usize, usize, S)>> {
    let most = if rows * cols == 0 { 0 } else { 4 * rows };
    vec((0..rows.max(1), 0..cols.max(1), integer()), 0..=most)
}

/// A rows x cols matrix of integers, sparse enough for empty rows; one time in four, one row is dense.
pub fn matrix_of_shape<S: Scalar>(rows: usize, cols: usize) -> impl Strategy<Value = Csr<S>> {
    let dense_row = (prop::bool::weighted(0.25), 0..rows.max(1), vec(1i32..=3, cols));
    (triples(rows, cols), dense_row).prop_map(move |(mut triples, (dense, row, values))| {
        if dense && rows > 0 {
            triples.extend(values.iter().enumerate().map(|(j, &v)| (row, j, S::from_f64(v as f64))));
        }
        let A = Coo::from_triples(rows, cols, &triples).expect("the indices are below the shape");
        A.to_csr().0
    })
}

/// A matrix of integers of any shape up to `largest` rows and columns, empty shapes included.
pub fn matrix<S: Scalar>(largest: usize) -> impl Strategy<Value = Csr<S>> {
    (0..=largest, 0..=largest).prop_flat_map(|(rows, cols)| matrix_of_shape(rows, cols))
}

/// A square matrix of integers with up to `largest` rows.
pub fn square<S: Scalar>(largest: usize) -> impl Strategy<Value = Csr<S>> {
    (0..=largest).prop_flat_map(|rows| matrix_of_shape(rows, rows))
}

/// A Hermitian matrix of integers whose diagonal dominates strictly: positive definite.
pub fn positive_definite<S: Scalar>(largest: usize) -> impl Strategy<Value = Csr<S>> {
    (1..=largest).prop_flat_map(|rows| triples(rows, rows).prop_map(move |triples| dominant(rows, &triples)))
}

/// Mirrors the triples off the diagonal and adds a diagonal that exceeds each row's sum of moduli.
fn dominant<S: Scalar>(rows: usize, triples: &[(usize, usize, S)]) -> Csr<S> {
    let mut all: Vec<(usize, usize, S)> = Vec::new();
    let mut sums = vec![1.0; rows];
    for &(i, j, a) in triples.iter().filter(|t| t.0 != t.1) {
        all.extend([(i, j, a), (j, i, a.conj())]);
        let bound = a.parts().0.abs() + a.parts().1.abs();
        sums[i] += bound;
        sums[j] += bound;
    }
    all.extend(sums.iter().enumerate().map(|(i, &sum)| (i, i, S::from_f64(sum))));
    Coo::from_triples(rows, rows, &all).expect("the indices are below the shape").to_csr().0
}
