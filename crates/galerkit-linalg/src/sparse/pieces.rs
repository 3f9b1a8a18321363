//! Rows in pieces, as the tasks that made them have left them. What is only read, row by row and soon, needs not be
//! copied behind one another: the copies would be the larger part of what memory does for a sparse product.

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What a product multiplies from the right: rows of columns and values.
pub(crate) trait Rows<S: Scalar> {
    /// Number of rows.
    fn count(&self) -> usize;
    /// Number of columns.
    fn width(&self) -> usize;
    /// Columns and values of a row.
    fn entries(&self, i: usize) -> (&[u32], &[S]);
    /// Reads the ends of some rows that will be read soon, so that memory is waited for once and not row by row.
    #[inline]
    fn touch(&self, rows: &[u32]) {
        let mut sum = S::zero();
        let mut last = 0;
        for &i in rows {
            let (col, val) = self.entries(i as usize);
            if let (Some(&j), Some(&a), Some(&b)) = (col.first(), val.first(), val.last()) {
                (last, sum) = (last ^ j, sum + a + b);
            }
        }
        std::hint::black_box((last, sum));
    }
}

impl<S: Scalar> Rows<S> for Csr<S> {
    fn count(&self) -> usize {
        self.rows()
    }
    fn width(&self) -> usize {
        self.cols()
    }
    #[inline]
    fn entries(&self, i: usize) -> (&[u32], &[S]) {
        let range = self.range(i);
        (&self.col()[range.clone()], &self.val()[range])
    }
}

/// Rows that one task has made.
pub(crate) struct Made<S> {
    /// Entries of each row.
    pub(crate) lengths: Vec<u32>,
    /// Their columns, ascending in each row.
    pub(crate) col: Vec<u32>,
    /// Their values.
    pub(crate) val: Vec<S>,
}

/// A sparse matrix in pieces of rows.
pub(crate) struct Pieces<S> {
    cols: usize,
    made: Vec<Made<S>>,
    places: Vec<[u32; 3]>, // of each row: which piece, where it begins there, how many entries
}

impl<S: Scalar> Pieces<S> {
    /// Of rows that were made one piece after the other.
    pub(crate) fn new(cols: usize, rows: usize, made: Vec<Made<S>>) -> Self {
        let mut places = Vec::with_capacity(rows);
        for (k, piece) in (0..).zip(&made) {
            let mut begin = 0;
            for &length in &piece.lengths {
                places.push([k, begin, length]);
                begin += length;
            }
        }
        Self { cols, made, places }
    }

    /// As one matrix.
    pub(crate) fn joined(self) -> Csr<S> {
        let (mut start, mut sum) = (Vec::with_capacity(self.places.len() + 1), 0);
        start.push(0);
        for [_, _, length] in &self.places {
            sum += u64::from(*length);
            start.push(sum);
        }
        let (col, val) = self.made.into_iter().map(|piece| (piece.col, piece.val)).unzip();
        Csr::from_parts_trusted(self.cols, start, parallel::concatenated(col), parallel::concatenated(val))
    }
}

impl<S: Scalar> Rows<S> for Pieces<S> {
    fn count(&self) -> usize {
        self.places.len()
    }
    fn width(&self) -> usize {
        self.cols
    }
    #[inline]
    fn entries(&self, i: usize) -> (&[u32], &[S]) {
        let [k, begin, length] = self.places[i];
        let (piece, range) = (&self.made[k as usize], begin as usize..(begin + length) as usize);
        (&piece.col[range.clone()], &piece.val[range])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(rows: usize, cols: usize, values: &[i8]) -> Csr<f64> {
        let entry = move |i: usize, j: usize| f64::from(values[(i * cols + j) % values.len()] / 40);
        let row = |i: usize| (0..cols).map(move |j| (j, entry(i, j))).filter(|(_, a)| *a != 0.0);
        Csr::collect_rows(cols, 0, (0..rows).map(row))
    }

    fn dense(A: &Csr<f64>) -> Vec<Vec<f64>> {
        let mut all = vec![vec![0.0; A.cols()]; A.rows()];
        (0..A.rows()).for_each(|i| A.row(i).for_each(|(j, a)| all[i][j] = a));
        all
    }

    proptest! {
        /// Small integers are exact: every order of a sum is the same number.
        #[test]
        fn products_with_pieces_are_products(
            [l, m, n] in [1usize..40, 1usize..40, 1usize..40],
            values in proptest::collection::vec(any::<i8>(), 7..90),
        ) {
            let (R, A, P) = (matrix(n, l, &values), matrix(l, m, &values), matrix(m, n, &values));
            let AP = A.multiply_in_pieces(&P).unwrap();
            let (whole, upper) = (R.multiply_pieces(&AP).unwrap(), R.multiply_pieces_upper(&AP).unwrap());
            let (r, ap) = (dense(&R), dense(&AP.joined()));
            let (a, p) = (dense(&A), dense(&P));
            for i in 0..l {
                for j in 0..n {
                    prop_assert_eq!(ap[i][j], (0..m).map(|k| a[i][k] * p[k][j]).sum::<f64>());
                }
            }
            let (found, found_upper) = (dense(&whole), dense(&upper));
            for i in 0..n {
                for j in 0..n {
                    let expected = (0..l).map(|k| r[i][k] * ap[k][j]).sum::<f64>();
                    prop_assert_eq!(found[i][j], expected);
                    prop_assert_eq!(found_upper[i][j], if j < i { 0.0 } else { expected });
                }
            }
            prop_assert_eq!(&whole, &R.multiply(&A.multiply(&P).unwrap()).unwrap());
            prop_assert!((0..n).all(|i| upper.row(i).eq(whole.row(i).filter(|(j, _)| *j >= i))));
        }
    }
}
