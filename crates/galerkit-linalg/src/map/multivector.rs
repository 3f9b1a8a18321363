//! A matrix on several vectors at once: Y = A X (SpMM), one pass over A for all columns. X is stored row by row, so it
//! is one vector of length rows * columns, the product is that of A ⊗ I, and every method runs on it as it is: with
//! inner products over all columns it is the *global* method of Jbilou, Messaoudi and Sadok (Appl. Numer. Math. 31,
//! 1999, p. 49).
//!
//! Slices of 4 rows, entries column by column; for A = [1 2; 3 0; 0 4; 5 6; 7 8] with the last slice cut short:
//!
//! ```text
//! val    1 3 4 5 | 2 . . 6 || 7 | 8        col    0 0 1 0 | 1 . . 1 || 0 | 1
//! slice_start    0 8 10                    length 2 1 1 2 2
//! ```
//! On a GPU 4 rows of 8 columns are a warp: each of its loads of the matrix is one sector, which 8 threads share.

use super::{DeviceSource, Grid, LinearMap, Protocol, Word};
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// Rows of a slice.
const HEIGHT: usize = 4;
/// Slices that one task works on.
const SLICES: usize = 256;

/// A matrix that multiplies so many columns.
#[derive(Clone, Debug, PartialEq)]
pub struct OnMultivector<S> {
    shape: (usize, usize),
    columns: usize,
    slice_start: Vec<u64>,
    length: Vec<u32>,
    col: Vec<u32>,
    val: Vec<S>,
}

per_scalar! {
    fn on_columns<S>(A: &Csr<S>, columns: usize) -> OnMultivector<S> = OnMultivector::laid_out;
}

impl<S: Scalar> OnMultivector<S> {
    /// The matrix for so many columns, at least one.
    pub fn new(A: &Csr<S>, columns: usize) -> Self {
        on_columns(A, columns)
    }

    fn laid_out(A: &Csr<S>, columns: usize) -> Self {
        let rows: Vec<usize> = (0..A.rows()).collect();
        let length: Vec<u32> = rows.iter().map(|&i| A.range(i).len() as u32).collect();
        let (mut slice_start, mut slots) = (vec![0], 0);
        for lengths in length.chunks(HEIGHT) {
            slots += lengths.iter().copied().max().unwrap_or(0) as usize * lengths.len();
            slice_start.push(slots as u64);
        }
        let (mut col, mut val) = (vec![0; slots], vec![S::zero(); slots]);
        for (slice, rows) in rows.chunks(HEIGHT).enumerate() {
            for (lane, &i) in rows.iter().enumerate() {
                for (e, k) in A.range(i).enumerate() {
                    let slot = slice_start[slice] as usize + e * rows.len() + lane;
                    (col[slot], val[slot]) = (A.col()[k], A.val()[k]);
                }
            }
        }
        Self { shape: (A.rows(), A.cols()), columns: columns.max(1), slice_start, length, col, val }
    }

    /// The rows of some slices, from the first on; each sum in the order of its row.
    fn rows(&self, val: &[S], x: &[S], first: usize, y: &mut [S]) {
        for (i, y) in (first * HEIGHT..).zip(y.chunks_mut(self.columns)) {
            let (slice, lane) = (i / HEIGHT, i % HEIGHT);
            let height = HEIGHT.min(self.shape.0 - slice * HEIGHT);
            y.fill(S::zero());
            for e in 0..self.length[i] as usize {
                let slot = self.slice_start[slice] as usize + e * height + lane;
                let from = self.col[slot] as usize * self.columns;
                y.iter_mut().zip(&x[from..from + self.columns]).for_each(|(y, &x)| *y += val[slot] * x);
            }
        }
    }
}

// A thread takes WIDE columns of a row: what it loads of the matrix serves all of them.
const SOURCE: &str = "struct Map { Offset rows; Offset columns; const Offset *slice_start; const unsigned *length; const unsigned *col; const Scalar *val; };
template <unsigned WIDE, class Row> __device__ inline void some_rows(const Map &A, const Scalar *x, Row row) {
    const unsigned groups = unsigned(A.columns) / WIDE;
    const Offset all = A.rows * groups, threads = Offset(gridDim.x) * blockDim.x;
    const bool narrow = all <= 0xffffffffu;             // a division of 32 bits takes a fraction of the time
    for (Offset p = Offset(blockIdx.x) * blockDim.x + threadIdx.x; p < all; p += threads) {
        const Offset i = narrow ? Offset(unsigned(p) / groups) : p / groups;
        const unsigned column = WIDE * unsigned(p - i * groups);
        const Offset slice = i / 4;
        const unsigned height = A.rows - slice * 4 < 4 ? unsigned(A.rows - slice * 4) : 4u;
        const Offset first = A.slice_start[slice] + i % 4;
        const unsigned count = A.length[i];
        const Scalar *own = x + column;
        Scalar sum[WIDE];
        #pragma unroll
        for (unsigned c = 0; c < WIDE; ++c) sum[c] = zero();
        #pragma unroll 4
        for (unsigned e = 0; e < count; ++e) {
            const Offset slot = first + e * height;
            const Scalar a = A.val[slot];
            const Scalar *from = own + Offset(A.col[slot]) * A.columns;
            #pragma unroll
            for (unsigned c = 0; c < WIDE; ++c) sum[c] += a * from[c];
        }
        #pragma unroll
        for (unsigned c = 0; c < WIDE; ++c) row(i * A.columns + column + c)(sum[c]);
    }
}
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    if (A.columns % 2 == 0) some_rows<2>(A, x, row);
    else some_rows<1>(A, x, row);
}
";

impl<S: Scalar> LinearMap<S> for OnMultivector<S> {
    fn shape(&self) -> (usize, usize) {
        (self.shape.0 * self.columns, self.shape.1 * self.columns)
    }
    fn bytes(&self) -> usize {
        let pattern = size_of_val(&self.slice_start[..]) + size_of_val(&self.length[..]) + size_of_val(&self.col[..]);
        pattern + self.col.len() * size_of::<S>()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.rows(values, x, 0, y);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        let size = SLICES * HEIGHT * self.columns;
        parallel::each_chunk(y, size, &|first, y| self.rows(values, x, first / size * SLICES, y));
    }
    fn take_values(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = vec![
            Word::Number(self.shape.0 as u64),
            Word::Number(self.columns as u64),
            Word::array(&self.slice_start),
            Word::array(&self.length),
            Word::array(&self.col),
            Word::Values,
        ];
        Some(DeviceSource { source: SOURCE.into(), protocol: Protocol::Rows, words, lanes: 1, grid: Grid::Rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of the drawing, on two columns.
    #[test]
    fn the_drawing_times_two_columns() {
        let A = Csr::new(5, 2, vec![0, 2, 3, 4, 6, 8], vec![0, 1, 0, 1, 0, 1, 0, 1], (1..=8).map(f64::from).collect());
        let mut map = OnMultivector::new(&A.expect("a matrix"), 2);
        assert_eq!(map.slice_start, [0, 8, 10]);
        assert_eq!(map.val, [1.0, 3.0, 4.0, 5.0, 2.0, 0.0, 0.0, 6.0, 7.0, 8.0]);
        let values = map.take_values();
        let x = [1.0, 10.0, 2.0, 20.0];
        let expected = [5.0, 50.0, 3.0, 30.0, 8.0, 80.0, 17.0, 170.0, 23.0, 230.0];
        let (mut y, mut z) = ([0.0; 10], [0.0; 10]);
        map.apply(&values, &x, &mut y);
        map.apply_on_threads(&values, &x, &mut z);
        assert_eq!((y, z), (expected, expected));
    }
}
