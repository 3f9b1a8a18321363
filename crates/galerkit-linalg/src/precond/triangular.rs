//! A forward and a backward triangular solve, one after the other: the form that SSOR and incomplete factorisations
//! share, and all that a backend must know to run the rows in another order.
//!
//! ```text
//! forward    u_i = forward(s_i, x_i, sum_{j<i} l_ij u_j)
//! backward   y_i = backward(s_i, u_i, sum_{j>i} u_ij y_j)
//! ```

use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Two triangles and what becomes of a row once the sum over it is known.
pub trait Triangular<S: Scalar>: Sync {
    /// The entries below the diagonal.
    fn lower(&self) -> &Csr<S>;
    /// The entries above the diagonal.
    fn upper(&self) -> &Csr<S>;
    /// s_i, one number for each row.
    fn scale(&self) -> &[S];
    /// u_i from s_i, x_i and the sum over row i of the lower triangle.
    fn forward(&self, scale: S, x: S, sum: S) -> S;
    /// y_i from s_i, u_i and the sum over row i of the upper triangle.
    fn backward(&self, scale: S, u: S, sum: S) -> S;

    /// Both solves in natural order. Whoever runs independent rows side by side, and keeps the order within each row,
    /// gets the same bits.
    fn solve(&self, x: &[S], y: &mut [S]) {
        let (lower, upper, scale) = (self.lower(), self.upper(), self.scale());
        debug_assert_eq!((scale.len(), scale.len()), (x.len(), y.len()));
        for i in 0..y.len() {
            let sum = row_sum(lower, i, y);
            y[i] = self.forward(scale[i], x[i], sum);
        }
        for i in (0..y.len()).rev() {
            let sum = row_sum(upper, i, y);
            y[i] = self.backward(scale[i], y[i], sum);
        }
    }
}

fn row_sum<S: Scalar>(T: &Csr<S>, i: usize, y: &[S]) -> S {
    let mut sum = S::zero();
    for (j, a) in T.row(i) {
        sum += a * y[j];
    }
    sum
}

/// The entries (i, j) of A that are asked for.
pub(super) fn part<S: Scalar>(A: &Csr<S>, keep: impl Fn(usize, usize) -> bool + Copy) -> Csr<S> {
    let row = |i: usize| A.row(i).filter(move |&(j, _)| keep(i, j));
    Csr::collect_rows(A.cols(), A.nnz() / 2, (0..A.rows()).map(row))
}
