//! What a step of diffusion applies: S A S with A = M/dt + K/2 and a unit diagonal, and -S K. Values are made row by
//! row on all threads.

use crate::cardiac::matrices::Matrices;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Rows that a thread takes at a time.
const ROWS: usize = 4096;

/// The matrices of steps of one length, in compressed rows.
pub struct Diffusing {
    /// S A S.
    pub A: Csr<f64>,
    /// -S K.
    pub flux: Csr<f64>,
    /// The diagonal of S.
    pub scaling: Vec<f64>,
}

impl Diffusing {
    /// For steps of this length.
    pub fn new(matrices: &Matrices, dt: f64) -> Self {
        let (K, M) = (&matrices.K, &matrices.M);
        let shifted = |k: usize| M.val()[k] / dt + 0.5 * K.val()[k];
        let (stiffness, mass) = (K.diagonal(), M.diagonal());
        let scaling: Vec<f64> = stiffness.iter().zip(&mass).map(|(k, m)| 1.0 / (m / dt + 0.5 * k).sqrt()).collect();
        let A = with_rows(K, &|i, row| {
            for (value, k) in row.iter_mut().zip(K.range(i)) {
                *value = scaling[i] * scaling[K.col()[k] as usize] * shifted(k);
            }
        });
        let flux = with_rows(K, &|i, row| {
            row.iter_mut().zip(K.range(i)).for_each(|(value, k)| *value = -scaling[i] * K.val()[k]);
        });
        Self { A, flux, scaling }
    }
}

/// A matrix of the same pattern; `fill` writes the values of a row.
fn with_rows(pattern: &Csr<f64>, fill: &(dyn Fn(usize, &mut [f64]) + Sync)) -> Csr<f64> {
    let mut values = vec![0.0; pattern.nnz()];
    let (mut rest, mut pieces) = (&mut values[..], Vec::new());
    for first in (0..pattern.rows()).step_by(ROWS) {
        let last = (first + ROWS).min(pattern.rows());
        let piece;
        (piece, rest) = rest.split_at_mut((pattern.start()[last] - pattern.start()[first]) as usize);
        pieces.push((first..last, piece));
    }
    parallel::each_piece(pieces, &|(rows, mut piece): (std::ops::Range<usize>, &mut [f64])| {
        for i in rows {
            let row;
            (row, piece) = piece.split_at_mut(pattern.row_length(i));
            fill(i, row);
        }
    });
    pattern.with_values(&values)
}
