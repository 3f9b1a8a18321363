//! Classical coarsening: which points stay, by parallel maximal independent sets (PMIS; De Sterck, Yang, Heys, SIAM J.
//! Matrix Anal. Appl. 27, 2006). Row i depends on j where -a_ij sg_i is positive and at least theta of the row's
//! largest; a point that many depend on goes first, and of equals the one with the larger hash.

use super::aggregate::{Aggregates, NONE};
use super::hash::hash;
use super::strength::Graph;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::pieces::Rows;
use num_traits::{Float, Zero};

/// Rows whose sum is above this part of the diagonal depend on nobody.
const DOMINANT: f64 = 0.9;

/// Whom each row depends on, in a real matrix.
pub fn dependence<S: Scalar>(A: &Csr<S>, theta: f64) -> Graph {
    let real = <S::Real as Scalar>::from_f64;
    let diagonal = A.diagonal();
    Graph::chosen(A.start(), &|i, neighbours| {
        let sign = if diagonal[i].re() < S::Real::zero() { real(-1.0) } else { real(1.0) };
        let sum = A.row(i).fold(S::Real::zero(), |sum, (_, a)| sum + a.re());
        let against = |a: S| -a.re() * sign;
        let beside = || A.row(i).filter(|(j, _)| *j != i);
        let most = beside().fold(S::Real::zero(), |most, (_, a)| Float::max(most, against(a)));
        let may_depend = Float::abs(sum) <= real(DOMINANT) * diagonal[i].modulus();
        let is_strong = |a: S| against(a) > S::Real::zero() && against(a) >= real(theta) * most;
        let strong = beside().filter(|(_, a)| may_depend && is_strong(*a));
        strong.zip(neighbours).map(|((j, _), place)| *place = j as u32).count()
    })
}

/// The points that stay, numbered in the order of rows; all others have no number.
pub fn pmis(depends: &Graph) -> Aggregates {
    let rows = depends.rows();
    let followers = transposed(depends);
    let count = |i: usize| followers.neighbours(i).len() as u64;
    let key: Vec<u64> = parallel::collect(rows, &|i| count(i) << 48 | (hash(i as u64) >> 48) << 32 | i as u64);
    let mut undecided: Vec<bool> = parallel::collect(rows, &|i| count(i) > 0);
    let (mut stays, mut rounds) = (vec![false; rows], 0);
    let mut open: Vec<u32> = (0..rows as u32).filter(|&i| undecided[i as usize]).collect();
    while !open.is_empty() {
        let wins: Vec<bool> = parallel::collect(open.len(), &|k| {
            let i = open[k] as usize;
            let near = depends.neighbours(i).iter().chain(followers.neighbours(i));
            near.map(|&j| j as usize).filter(|&j| undecided[j]).all(|j| key[j] < key[i])
        });
        for (&i, _) in open.iter().zip(&wins).filter(|(_, wins)| **wins) {
            (stays[i as usize], undecided[i as usize]) = (true, false);
        }
        for (&i, _) in open.iter().zip(&wins).filter(|(_, wins)| **wins) {
            followers.neighbours(i as usize).iter().for_each(|&j| undecided[j as usize] = false);
        }
        open.retain(|&i| undecided[i as usize]);
        rounds += 1;
    }
    let (mut of, mut count) = (vec![NONE; rows], 0);
    for i in (0..rows).filter(|&i| stays[i]) {
        of[i] = count;
        count += 1;
    }
    let first = (0..rows as u32).filter(|&i| stays[i as usize]).collect();
    Aggregates { of, count: count as usize, rounds, first }
}

/// Who depends on each row.
fn transposed(graph: &Graph) -> Graph {
    let edges = (0..graph.rows()).map(|i| graph.neighbours(i).len()).sum();
    let rows = (0..graph.rows()).map(|i| graph.neighbours(i).iter().map(|&j| (j as usize, 0.0f32)));
    let followers = Csr::collect_rows(graph.rows(), edges, rows).transpose();
    Graph::chosen(followers.start(), &|i, neighbours| {
        let (col, _) = followers.entries(i);
        neighbours[..col.len()].copy_from_slice(col);
        col.len()
    })
}
