//! Classical interpolation, extended+i (De Sterck, Falgout, Nolting, Yang, Numer. Linear Algebra Appl. 15, 2008): row
//! i, which does not stay, is interpolated from points that it depends on, and through rows k that it depends on and
//! that do not stay either, from theirs. With beta_k the sum of the entries by which k depends on points that stay,
//! y_ik = a_ki where that has the sign of such an entry, else 0, and x_ik = a_ik/(beta_k + y_ik):
//!
//! ```text
//! w_ij = -(a_ij + sum_k x_ik a_kj) / (a_ii + entries that are not strong + sum_k x_ik y_ik)
//! ```
//!
//! The four largest weights of a row stay, scaled to the sum of all.

use super::aggregate::{Aggregates, NONE};
use super::strength::Graph;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::accumulator::{Accumulator, Accumulators};
use crate::sparse::{Csr, build};
use num_traits::{Float, Zero};

/// Weights of a row that stay.
const MOST: usize = 4;

/// P of a real matrix; in the pattern of one that other values had, if that is given.
pub fn extended<S: Scalar>(A: &Csr<S>, depends: &Graph, points: &Aggregates, pattern: Option<&Csr<S>>) -> Csr<S> {
    let number = &points.of;
    let strong_sum = |k: usize| {
        let to_points = strong(A, depends, k).filter(|(j, _)| number[*j] != NONE);
        to_points.fold(S::zero(), |sum, (_, a)| sum + a)
    };
    let beta: Vec<S> = parallel::collect(A.rows(), &strong_sum);
    let (diagonal, scratch) = (A.diagonal(), Accumulators::new(points.count));
    build::append_rows(points.count, A.start(), &|rows, made| {
        scratch.lend(&mut |sums: &mut Accumulator<S>| {
            for i in rows.clone() {
                let before = made.col.len();
                if number[i] != NONE {
                    made.col.push(number[i]);
                    made.val.push(S::one());
                } else {
                    sums.begin(i);
                    let whole = row(A, depends, number, (&beta, &diagonal), i, sums);
                    sums.append_to(&mut made.col, &mut made.val);
                    made.val[before..].iter_mut().for_each(|w| *w = -*w / whole);
                    match pattern {
                        None => truncate(&mut made.col, &mut made.val, before),
                        Some(P) => choose(&P.col()[P.range(i)], &mut made.col, &mut made.val, before),
                    }
                }
                made.lengths.push((made.col.len() - before) as u32);
            }
        });
    })
}

/// The entries of row i that it depends by.
fn strong<'a, S: Scalar>(A: &'a Csr<S>, depends: &'a Graph, i: usize) -> impl Iterator<Item = (usize, S)> + 'a {
    let mut edges = depends.neighbours(i).iter().peekable();
    A.row(i).filter(move |(j, _)| edges.next_if(|&&edge| edge as usize == *j).is_some())
}

/// Collects the numerators of row i, and returns the denominator.
fn row<S: Scalar>(
    A: &Csr<S>,
    depends: &Graph,
    number: &[u32],
    (beta, diagonal): (&[S], &[S]),
    i: usize,
    sums: &mut Accumulator<S>,
) -> S {
    let mut whole = diagonal[i];
    let mut edges = depends.neighbours(i).iter().peekable();
    for (k, a) in A.row(i).filter(|(k, _)| *k != i) {
        if edges.next_if(|&&edge| edge as usize == k).is_none() {
            whole += a; // weak
        } else if number[k] != NONE {
            sums.add(number[k], a);
        } else {
            let back = A.get(k, i).unwrap_or(S::zero());
            let is_against = (back * diagonal[k]).re() < S::Real::zero();
            let y = if is_against { back } else { S::zero() };
            let sum = beta[k] + y;
            if beta[k] == S::zero() || sum == S::zero() {
                whole += a; // lumped
                continue;
            }
            let x = a / sum;
            strong(A, depends, k).filter(|(j, _)| number[*j] != NONE).for_each(|(j, b)| sums.add(number[j], x * b));
            whole += x * y;
        }
    }
    if (whole * diagonal[i]).re() > S::Real::zero() { whole } else { diagonal[i] }
}

/// The places of the largest sizes, ascending.
fn largest(sizes: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    let larger =
        |a: &usize, b: &usize| sizes[*b].partial_cmp(&sizes[*a]).unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(b));
    order.sort_by(larger);
    order.truncate(MOST);
    order.sort_unstable();
    order
}

/// Keeps the largest weights of the row that begins at `first`; of equals those of lower columns.
fn truncate<S: Scalar>(col: &mut Vec<u32>, val: &mut Vec<S>, first: usize) {
    if col.len() - first <= MOST {
        return;
    }
    let sizes: Vec<f64> = val[first..].iter().map(|w| w.modulus().parts().0).collect();
    let stay: Vec<(u32, S)> = largest(&sizes).into_iter().map(|k| (col[first + k], val[first + k])).collect();
    keep(&stay, col, val, first);
}

/// Keeps the weights of these columns; one that the row does not have is zero.
fn choose<S: Scalar>(columns: &[u32], col: &mut Vec<u32>, val: &mut Vec<S>, first: usize) {
    let weight = |j: u32| col[first..].binary_search(&j).map_or(S::zero(), |k| val[first + k]);
    let stay: Vec<(u32, S)> = columns.iter().map(|&j| (j, weight(j))).collect();
    if col[first..] != *columns {
        keep(&stay, col, val, first);
    }
}

/// The row that begins at `first` becomes these entries, scaled to the sum that it had.
fn keep<S: Scalar>(stay: &[(u32, S)], col: &mut Vec<u32>, val: &mut Vec<S>, first: usize) {
    let sum = |val: &[S]| val.iter().fold(S::zero(), |sum, &w| sum + w);
    let whole = sum(&val[first..]);
    col.truncate(first);
    val.truncate(first);
    col.extend(stay.iter().map(|(j, _)| *j));
    val.extend(stay.iter().map(|(_, w)| *w));
    let left = sum(&val[first..]);
    if Float::abs(left.re()) > S::Real::zero() {
        val[first..].iter_mut().for_each(|w| *w *= whole / left);
    }
}
