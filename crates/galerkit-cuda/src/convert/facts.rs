//! What set-up must know of a matrix, found where the matrix is: two passes over its entries, one download. Kernels:
//! facts.cu.

use super::DeviceCsr;
use super::kernels::{FACTS, Kernels};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// Facts about a square matrix. Rows and entries count from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The first entry that is not finite, as its place among all entries.
    pub not_finite: Option<usize>,
    /// The first row without entries.
    pub empty_row: Option<usize>,
    /// The first row whose diagonal entry has a real part that is not positive; an entry that is not stored is zero.
    pub not_positive: Option<usize>,
    /// The same, or with an imaginary part.
    pub not_real_positive: Option<usize>,
    /// The first row whose diagonal entry has no finite reciprocal.
    pub not_invertible: Option<usize>,
    /// Rows that sum to zero, up to the rounding of their sums.
    pub vanishing_rows: usize,
    /// Rows with |a_ii| >= sum of the other |a_ij|.
    pub dominant_rows: usize,
    /// Whether (i, j) is stored exactly when (j, i) is.
    pub is_mirrored: bool,
    /// Whether it also equals its conjugate transpose.
    pub is_self_adjoint: bool,
    /// Sum of the squared moduli of all entries; they may have overflowed or vanished.
    pub squares: f64,
}

/// Words of `struct Found`: five minima, then sums and flags.
const MINIMA: usize = 5;
const WORDS: usize = 12;

impl Facts {
    /// Of a square matrix.
    pub fn of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<Self> {
        facts(gpu, jit, A)
    }

    fn found<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<Self> {
        let kernels = Kernels::new(gpu, jit, &FACTS, S::KIND)?;
        let start: Vec<u64> = [u64::MAX; MINIMA].into_iter().chain([0; WORDS - MINIMA]).collect();
        let found = Buffer::from_slice(gpu, "facts about a matrix", &start)?;
        let threads = 8 * A.rows; // of a team a row
        let squares = Buffer::zeroed(gpu, "facts about a matrix", 8 * kernels.blocks(threads))?;
        let pattern = [A.start.address(), A.col.address(), A.val.address()];
        let words =
            [&[A.rows as u64, S::eps().to_bits()][..], &pattern, &[found.address(), squares.address()]].concat();
        kernels.launch("row_facts", threads, &words);
        kernels.launch("mirror_facts", threads, &words);
        let sums: Vec<f64> = squares.download(squares.bytes() / 8)?;
        Ok(Self::read::<S>(&found.download::<u64>(WORDS)?, sums.iter().sum()))
    }

    fn read<S: Scalar>(words: &[u64], squares: f64) -> Self {
        let first = |k: usize| (words[k] != u64::MAX).then_some(words[k] as usize);
        let [vanishing, dominant, above, below, unmirrored, not_symmetric, not_hermitian] =
            std::array::from_fn(|k| words[MINIMA + k]);
        let is_mirrored = unmirrored == 0 && above == below;
        let differs = if S::KIND.is_complex() { not_hermitian } else { not_symmetric };
        Self {
            not_finite: first(0),
            empty_row: first(1),
            not_positive: first(2),
            not_real_positive: first(3),
            not_invertible: first(4),
            vanishing_rows: vanishing as usize,
            dominant_rows: dominant as usize,
            is_mirrored,
            is_self_adjoint: is_mirrored && differs == 0,
            squares,
        }
    }
}

per_scalar! {
    fn facts<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<Facts> = Facts::found;
    /// The diagonal, on the host; zero where none is stored.
    pub fn diagonal<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<Vec<S>> = found_diagonal;
}

fn found_diagonal<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<Vec<S>> {
    let kernels = Kernels::new(gpu, jit, &FACTS, S::KIND)?;
    let out = Buffer::new(gpu, "the diagonal", A.rows * size_of::<S>())?;
    let words = [A.rows as u64, A.start.address(), A.col.address(), A.val.address(), out.address()];
    kernels.launch("diagonal", A.rows, &words);
    out.download(A.rows)
}
