//! Which rows belong together. w_ij = |a_ij|^2/d_j; row i counts on j where w_ij >= theta^2 m_i, and an edge needs both
//! to count on each other. Nothing changes for S A S, and no sum over rows decides.
//!
//! A general matrix is looked at as (|a_ij| + |a_ji|)/2 where both entries are stored ([`coupling`]); of one that
//! equals its mirror image that is |a_ij| itself.

use super::modulus::modulus;
use super::norms::Norms;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::build;
use num_traits::{Float, Zero};

/// Edges between rows, in both directions; columns ascend in each row. There may be gaps between rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Where the neighbours of each row begin, and how many there are.
    begin: Vec<u64>,
    length: Vec<u32>,
    col: Vec<u32>,
}

impl Graph {
    /// Some of the places of a pattern that has these row starts: `choose(i, col)` writes the neighbours of row i to
    /// the front of the room for all its entries and more, and says how many.
    pub(super) fn chosen(start: &[u64], choose: &(dyn Fn(usize, &mut [u32]) -> usize + Sync)) -> Self {
        let (begin, length, col) = build::choose_columns(start, choose);
        Self { begin, length, col }
    }
    /// Rows.
    pub fn rows(&self) -> usize {
        self.begin.len()
    }
    /// The neighbours of a row.
    #[inline]
    pub fn neighbours(&self, i: usize) -> &[u32] {
        let begin = self.begin[i] as usize;
        &self.col[begin..begin + self.length[i] as usize]
    }
}

/// The edges of A, whose moduli mirror each other.
pub fn strength<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, theta: f64) -> Graph {
    let fraction = <S::Real as Scalar>::from_f64(theta * theta);
    // d_j and what a coupling with j has to be, which no number is where j is isolated
    let of: Vec<[S::Real; 2]> = parallel::collect(A.rows(), &|j| {
        let least = fraction * norms.strongest[j];
        [norms.diagonal[j], if norms.isolated[j] { S::Real::nan() } else { least }]
    });
    Graph::chosen(A.start(), &|i, neighbours| {
        let ([diagonal, least], zero) = (of[i], S::Real::zero());
        if norms.isolated[i] {
            return 0;
        }
        let mut count = 0;
        for (j, a) in A.row(i) {
            let ([other, least_back], size) = (of[j], modulus(a));
            let square = size * size;
            let w = square / other;
            let back = if other == diagonal { w } else { square / diagonal };
            let is_strong = (w > zero) & (w >= least) & (back > zero) & (back >= least_back);
            neighbours[count] = j as u32;
            count += usize::from(is_strong & (j != i));
        }
        count
    })
}

/// (|a_ij| + |a_ji|)/2 where both entries are stored.
pub fn coupling<S: Scalar>(A: &Csr<S>) -> Csr<S> {
    let (mirrored, half) = (A.transpose(), <S::Real as Scalar>::from_f64(0.5));
    build::append_rows(A.cols(), A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            let (mut other, range) = (mirrored.row(i).peekable(), A.range(i));
            for (&j, &a) in A.col()[range.clone()].iter().zip(&A.val()[range]) {
                while other.next_if(|(k, _)| *k < j as usize).is_some() {}
                if let Some((_, b)) = other.next_if(|(k, _)| *k == j as usize) {
                    made.col.push(j);
                    made.val.push(S::from_real((modulus(a) + modulus(b)) * half));
                }
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    })
}
