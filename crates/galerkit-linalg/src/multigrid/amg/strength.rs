//! Which rows belong together. w_ij = |a_ij|^2/d_j; row i counts on j where w_ij >= theta^2 m_i, and an edge needs both
//! to count on each other. Nothing changes for S A S, and no sum over rows decides.
//!
//! A general matrix is looked at as (|a_ij| + |a_ji|)/2 where both entries are stored ([`coupling`]); of one that
//! equals its mirror image that is |a_ij| itself.

use super::modulus::modulus;
use super::norms::Norms;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::build::{self, Made};
use num_traits::Zero;

/// Edges between rows, in both directions; columns ascend in each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Where the neighbours of each row begin; one more than there are rows.
    pub start: Vec<u64>,
    /// Neighbours.
    pub col: Vec<u32>,
}

impl Graph {
    /// Rows.
    pub fn rows(&self) -> usize {
        self.start.len() - 1
    }
    /// The neighbours of a row.
    #[inline]
    pub fn neighbours(&self, i: usize) -> &[u32] {
        &self.col[self.start[i] as usize..self.start[i + 1] as usize]
    }
    /// The edges between rows of a set.
    pub fn restricted(&self, to: &[bool]) -> Self {
        let (start, col) = build::append_pattern(&self.start, &|rows, made| {
            for i in rows {
                let before = made.col.len();
                if to[i] {
                    made.col.extend(self.neighbours(i).iter().filter(|&&j| to[j as usize]));
                }
                made.lengths.push((made.col.len() - before) as u32);
            }
        });
        Self { start, col }
    }
}

/// The edges of A, whose moduli mirror each other.
pub fn strength<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, theta: f64) -> Graph {
    let fraction = <S::Real as Scalar>::from_f64(theta * theta);
    let Norms { diagonal, strongest, isolated, .. } = norms;
    let append = |i: usize, made: &mut Made<f64>| {
        let least = fraction * strongest[i];
        for (j, a) in A.row(i).filter(|(j, _)| *j != i && !isolated[*j]) {
            let size = modulus(a);
            let square = size * size;
            let w = square / diagonal[j];
            let back = if diagonal[j] == diagonal[i] { w } else { square / diagonal[i] };
            let zero = S::Real::zero();
            if w > zero && w >= least && back > zero && back >= fraction * strongest[j] {
                made.col.push(j as u32);
            }
        }
    };
    let (start, col) = build::append_pattern(A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            if !isolated[i] {
                append(i, made);
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    });
    Graph { start, col }
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
