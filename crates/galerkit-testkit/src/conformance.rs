//! The suite that every backend must pass: one function a verb, each holding the backend against [`Reference`] at the
//! sizes where tails, partitions and schedules go wrong. Integer entries must agree exactly, in any order of
//! summation; what divides must agree to the tolerance.

mod formats;
mod maps;
mod vectors;

pub use formats::{formats, nan_stays_in_its_column, spmv};
pub use maps::{apply_block_diagonal, apply_diagonal, apply_matrix, apply_ssor, residual, scattered};
pub use vectors::{axpby, axpy, copy, dot, scale, xpby};

use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Backend, Reference};

/// Sizes of dense vectors: nothing, one, around a warp, odd, and larger than any cache line or block.
pub const SIZES: [usize; 6] = [0, 1, 31, 33, 597, 100_000];

/// Every verb.
pub fn all<S: Scalar, B: Backend<S>>(backend: &B) {
    copy(backend);
    axpby(backend);
    axpy(backend);
    xpby(backend);
    scale(backend);
    dot(backend);
    apply_matrix(backend);
    apply_diagonal(backend);
    apply_block_diagonal(backend);
    apply_ssor(backend);
    residual(backend);
    spmv(backend);
    nan_stays_in_its_column(backend);
}

/// A vector of small integers that looks random and always is the same.
pub fn integers<S: Scalar>(length: usize, seed: u64) -> Vec<S> {
    let part = |i: usize, salt: u64| (hash(i as u64, seed + salt) % 7) as f64 - 3.0;
    (0..length).map(|i| S::from_parts(part(i, 0), part(i, 1 << 32))).collect()
}

/// The same divided by 3: sums of these round.
pub fn thirds<S: Scalar>(length: usize, seed: u64) -> Vec<S> {
    integers::<S>(length, seed).into_iter().map(|value| value / S::from_f64(3.0)).collect()
}

/// Mixes the bits of a counter (the finaliser of splitmix64).
pub(crate) fn hash(i: u64, seed: u64) -> u64 {
    let mut z = i.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// NaN in every entry: what a verb that only writes must overwrite.
fn poison<S: Scalar>(length: usize) -> Vec<S> {
    vec![S::from_parts(f64::NAN, f64::NAN); length]
}

/// Fails at the first entry that differs; -0 is 0.
#[track_caller]
fn assert_same<S: Scalar>(found: &[S], expected: &[S], verb: &str) {
    assert_eq!(found.len(), expected.len(), "{verb}: the length changed");
    if let Some(i) = (0..found.len()).find(|&i| found[i] != expected[i]) {
        let (n, kind) = (found.len(), S::KIND.name());
        panic!("{verb} ({kind}, length {n}): entry {i} is {}, expected {}", found[i], expected[i]);
    }
}

/// Runs the same lines on the backend and on the reference and returns both results.
fn both<S: Scalar, B: Backend<S>>(
    backend: &B,
    y: &[S],
    on_backend: impl Fn(&B, &mut [S]),
    on_reference: impl Fn(&Reference, &mut [S]),
) -> (Vec<S>, Vec<S>) {
    let (mut found, mut expected) = (y.to_vec(), y.to_vec());
    on_backend(backend, &mut found);
    on_reference(&Reference, &mut expected);
    (found, expected)
}
