//! A forward and a backward triangular solve, one after the other: the form that SSOR and incomplete factorisations
//! share, and all that a backend must know to run the rows in another order.
//!
//! ```text
//! forward    u_i = forward(s_i, x_i, sum_{j<i} l_ij u_j)
//! backward   y_i = backward(s_i, u_i, sum_{j>i} u_ij y_j)
//! values     l (lower triangle, row after row) | u (upper triangle) | s
//! ```

use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Two triangles and what becomes of a row once the sum over it is known.
pub trait Triangular<S: Scalar>: Sync {
    /// The pattern below the diagonal; its numbers too, until an engine takes them.
    fn lower(&self) -> &Csr<S>;
    /// The pattern above the diagonal; its numbers too, until an engine takes them.
    fn upper(&self) -> &Csr<S>;
    /// s_i, one number for each row; none once an engine has taken them.
    fn scale(&self) -> &[S];
    /// u_i from s_i, x_i and the sum over row i of the lower triangle.
    fn forward(&self, scale: S, x: S, sum: S) -> S;
    /// y_i from s_i, u_i and the sum over row i of the upper triangle.
    fn backward(&self, scale: S, u: S, sum: S) -> S;

    /// The numbers that it holds itself.
    fn own(&self) -> Numbers<'_, S> {
        Numbers { lower: self.lower().val(), upper: self.upper().val(), scale: self.scale() }
    }
    /// The numbers among the values that an engine has taken.
    fn among<'a>(&self, values: &'a [S]) -> Numbers<'a, S> {
        let (lower, rest) = values.split_at(self.lower().nnz());
        let (upper, scale) = rest.split_at(self.upper().nnz());
        Numbers { lower, upper, scale }
    }

    /// Both solves in natural order, with the numbers that it holds itself.
    fn solve(&self, x: &[S], y: &mut [S]) {
        self.solve_with(self.own(), x, y);
    }
    /// Both solves in natural order. Whoever runs independent rows side by side, and keeps the order within each row,
    /// gets the same bits.
    fn solve_with(&self, numbers: Numbers<'_, S>, x: &[S], y: &mut [S]) {
        let (lower, upper, scale) = (self.lower(), self.upper(), numbers.scale);
        debug_assert_eq!((scale.len(), scale.len()), (x.len(), y.len()));
        for i in 0..y.len() {
            let sum = row_sum(lower, numbers.lower, i, y);
            y[i] = self.forward(scale[i], x[i], sum);
        }
        for i in (0..y.len()).rev() {
            let sum = row_sum(upper, numbers.upper, i, y);
            y[i] = self.backward(scale[i], y[i], sum);
        }
    }
}

/// The numbers of two triangles.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a, S> {
    /// l_ij, in the order of the lower pattern.
    pub lower: &'a [S],
    /// u_ij, in the order of the upper pattern.
    pub upper: &'a [S],
    /// s_i
    pub scale: &'a [S],
}

impl<S: Scalar> Numbers<'_, S> {
    /// All of them, in the order of a loaded map's values.
    pub fn joined(self) -> Vec<S> {
        [self.lower, self.upper, self.scale].concat()
    }
}

fn row_sum<S: Scalar>(T: &Csr<S>, val: &[S], i: usize, y: &[S]) -> S {
    let range = T.range(i);
    let mut sum = S::zero();
    for (&j, &a) in T.col()[range.clone()].iter().zip(&val[range]) {
        sum += a * y[j as usize];
    }
    sum
}
