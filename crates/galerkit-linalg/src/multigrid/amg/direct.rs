//! Direct interpolation (Ruge, Stueben 1987): a row that does not stay is interpolated from the points that it depends
//! on, by entries that are scaled to stand for all others of their sign; entries of the diagonal's sign are added to
//! it:
//!
//! ```text
//! w_ij = -alpha_i a_ij / (a_ii + a+),   alpha_i = a- / (sum of a_ij over those points)
//! ```
//!
//! with a- and a+ the sums of entries beside the diagonal of the other and of the same sign. Rows that sum to zero have
//! weights that sum to 1.

use super::aggregate::{Aggregates, NONE};
use super::strength::Graph;
use crate::scalar::Scalar;
use crate::sparse::pieces::Made;
use crate::sparse::{Csr, build};
use num_traits::Zero;

/// P of a real matrix.
pub fn direct<S: Scalar>(A: &Csr<S>, depends: &Graph, points: &Aggregates) -> Csr<S> {
    let (number, diagonal) = (&points.of, A.diagonal());
    build::append_rows(points.count, A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            if number[i] != NONE {
                made.col.push(number[i]);
                made.val.push(S::one());
            } else {
                row(A, depends, number, (i, diagonal[i]), made);
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    })
}

/// Row i, which does not stay.
fn row<S: Scalar>(A: &Csr<S>, depends: &Graph, number: &[u32], (i, own): (usize, S), made: &mut Made<S>) {
    let before = made.col.len();
    let [mut against, mut along, mut chosen] = [S::zero(); 3];
    let mut edges = depends.neighbours(i).iter().peekable();
    for (j, a) in A.row(i).filter(|(j, _)| *j != i) {
        if (a * own).re() < S::Real::zero() {
            against += a
        } else {
            along += a
        }
        if edges.next_if(|&&edge| edge as usize == j).is_some() && number[j] != NONE {
            chosen += a;
            made.col.push(number[j]);
            made.val.push(a);
        }
    }
    let scale = -(against / chosen) / (own + along);
    made.val[before..].iter_mut().for_each(|w| *w *= scale);
}
