//! What a decision depends on: the sparsity pattern, the scalar, the GPU and this version of the kernels. The pattern
//! goes in by its sizes, all row starts and a sample of the columns: one pass over the rows, not over the entries.

use galerkit_linalg::ScalarKind;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Pattern;
use sha2::{Digest, Sha256};

/// Columns that are looked at, evenly spread over the entries.
const SAMPLES: usize = 1 << 14;
/// Row starts hashed by one task.
const CHUNK: usize = 1 << 16;

/// The name of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of products with a matrix of this pattern and scalar on a GPU of this name.
    pub fn new(A: &dyn Pattern, scalar: ScalarKind, gpu: &str) -> Self {
        let mut hash = Sha256::new();
        for text in [env!("CARGO_PKG_VERSION"), scalar.name(), gpu] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        for number in [A.rows(), A.cols(), A.nnz()] {
            hash.update((number as u64).to_le_bytes());
        }
        let starts = parallel::values((A.rows() + 1).div_ceil(CHUNK), &|k| mixed_starts(A, k));
        starts.iter().for_each(|part| hash.update(part.to_le_bytes()));
        let samples = SAMPLES.min(A.nnz());
        let place = |k: usize| (k as u128 * A.nnz() as u128 / samples as u128) as usize;
        let sampled = parallel::collect(samples, &|k| A.column(place(k)));
        hash.update(mixed(sampled.into_iter().map(u64::from)).to_le_bytes());
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// As a name for files.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A hash of the k-th part of the row starts.
fn mixed_starts(A: &dyn Pattern, k: usize) -> u64 {
    let first = k * CHUNK;
    let mut starts = vec![0; CHUNK.min(A.rows() + 1 - first)];
    A.starts(first, &mut starts);
    mixed_all(&starts)
}

/// A hash of many numbers: four sequences side by side, because one alone would wait for its own products.
fn mixed_all(numbers: &[u64]) -> u64 {
    let mut lanes = [1u64, 2, 3, 4];
    let whole = numbers.chunks_exact(4);
    let rest = mixed(whole.remainder().iter().copied());
    for four in whole {
        (0..4).for_each(|k| lanes[k] = mix(lanes[k], four[k]));
    }
    mixed(lanes.into_iter().chain([rest]))
}

/// A hash of a sequence: multiplied and folded, so that order matters and every bit reaches the top.
fn mixed(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0x9e37_79b9_7f4a_7c15, mix)
}

fn mix(hash: u64, number: u64) -> u64 {
    let product = (hash ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::ScalarKind::{F32, F64};
    use galerkit_linalg::gallery::{GridMatrix, Stencil, poisson2d};
    use galerkit_testkit::problems::{dense, laplacian};

    #[test]
    fn keys_differ_where_decisions_may() {
        let A = laplacian::<f64>(20, 2);
        let key = Key::new(&A, F64, "H200");
        assert_eq!(key, Key::new(&A.map_values(|a| 3.0 * a), F64, "H200"), "values do not matter");
        assert_eq!(key.text().len(), 64);
        assert_ne!(key, Key::new(&A, F64, "H100"));
        assert_ne!(key, Key::new(&A, F32, "H200"));
        assert_ne!(key, Key::new(&laplacian::<f64>(21, 2), F64, "H200"));
        let (upper, lower) = (dense::<f64>(&[&[1.0, 2.0], &[0.0, 3.0]]), dense::<f64>(&[&[1.0, 0.0], &[2.0, 3.0]]));
        assert_ne!(Key::new(&upper, F64, ""), Key::new(&lower, F64, ""), "row starts differ");
        let moved = dense::<f64>(&[&[1.0, 2.0], &[3.0, 0.0]]);
        assert_ne!(Key::new(&upper, F64, ""), Key::new(&moved, F64, ""), "columns differ");
    }

    #[test]
    fn a_stencil_and_its_rows_have_one_key() {
        let beside = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]].map(|offset| (offset, -1.0));
        let stencil = beside.into_iter().chain([([0; 3], 4.0)]).collect();
        let grid = GridMatrix::new([300, 300, 1], stencil).unwrap();
        let rows = poisson2d(300, Stencil::Points5).unwrap();
        assert_eq!(Key::new(&grid, F64, "H200"), Key::new(&rows, F64, "H200"));
    }
}
