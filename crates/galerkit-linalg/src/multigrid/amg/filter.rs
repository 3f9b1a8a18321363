//! A^F, by which tentative prolongation is smoothed: entries that are small in their row are added to its diagonal, so that A^F b = A b for
//! the near-null vector b. By rows, and not symmetric: a soft row depends on its stiff neighbour, not the other way round.

use super::modulus::modulus;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::{Float, Zero};
use std::ops::Range;

/// What is left of A: the pattern is that of A, less the entries that were dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter<S> {
    /// Which entries of A stay; those on the diagonal do.
    pub kept: Vec<bool>,
    /// The diagonal of A^F.
    pub diagonal: Vec<S>,
}

/// Which entries stay: those with |a_ij b_j| at least a fraction of the largest beside the diagonal. Without b it is of ones.
pub fn kept<S: Scalar>(A: &Csr<S>, b: Option<&[S]>, fraction: f64) -> Vec<bool> {
    let fraction = <S::Real as Scalar>::from_f64(fraction);
    let mut kept = vec![false; A.nnz()];
    by_rows(A, &mut kept, &|i, kept| {
        let size = |k: usize| value(A.val()[k], A.col()[k], b);
        let beside = |k: &usize| A.col()[*k] as usize != i;
        let range = A.range(i);
        let most =
            range.clone().filter(beside).map(size).fold(S::Real::zero(), |most, v| if v > most { v } else { most });
        let least = fraction * most;
        for (kept, k) in kept.iter_mut().zip(range) {
            let v = size(k);
            *kept = !beside(&k) || v > S::Real::zero() && v >= least;
        }
    });
    kept
}

/// v_ij = |a_ij| |b_j|
fn value<S: Scalar>(a: S, j: u32, b: Option<&[S]>) -> S::Real {
    let size = modulus(a);
    b.map_or(size, |b| size * modulus(b[j as usize]))
}

/// A^F for the entries that stay, by the diagonal of A.
pub fn filter<S: Scalar>(A: &Csr<S>, diagonal: &[S], b: Option<&[S]>, kept: Vec<bool>) -> Filter<S> {
    let filtered = parallel::collect(A.rows(), &|i| {
        let own = diagonal[i];
        let dropped = A.range(i).filter(|&k| !kept[k]);
        let term = |k: usize| b.map_or(A.val()[k], |b| A.val()[k] * b[A.col()[k] as usize]);
        let sum = dropped.map(term).fold(S::zero(), |sum, value| sum + value);
        let added = match b {
            None => own + sum,
            Some(b) if b[i] == S::zero() => own,
            Some(b) => own + sum / b[i],
        };
        let half = <S::Real as Scalar>::from_f64(0.5) * modulus(own);
        let is_sound = modulus(added) >= half && (added * own.conj()).re() > S::Real::zero();
        if is_sound { added } else { own }
    });
    Filter { kept, diagonal: filtered }
}

impl<S: Scalar> Filter<S> {
    /// sqrt |a^F_ii|
    pub(super) fn roots(&self) -> Vec<S::Real> {
        parallel::collect(self.diagonal.len(), &|i| Float::sqrt(modulus(self.diagonal[i])))
    }

    /// The entries of row i of A^F.
    pub(super) fn row<'a>(&'a self, A: &'a Csr<S>, i: usize) -> impl Iterator<Item = (usize, S)> + 'a {
        let entry = move |k: usize| (A.col()[k] as usize, A.val()[k]);
        let with_diagonal = move |(j, a): (usize, S)| (j, if j == i { self.diagonal[i] } else { a });
        A.range(i).filter(|&k| self.kept[k]).map(entry).map(with_diagonal)
    }

    /// Entries of row i beside the diagonal that stay.
    pub(super) fn length(&self, A: &Csr<S>, i: usize) -> usize {
        self.kept[A.range(i)].iter().filter(|kept| **kept).count().saturating_sub(1)
    }
}

/// Rows that one task has.
const ROWS: usize = 1 << 12;

/// Calls `fill` with each row and its part of an array that is as long as A has entries.
pub(super) fn by_rows<S: Scalar>(A: &Csr<S>, all: &mut [bool], fill: &(dyn Fn(usize, &mut [bool]) + Sync)) {
    let (mut rest, mut pieces) = (all, Vec::new());
    for first in (0..A.rows()).step_by(ROWS) {
        let rows = first..A.rows().min(first + ROWS);
        let piece;
        (piece, rest) = rest.split_at_mut((A.start()[rows.end] - A.start()[rows.start]) as usize);
        pieces.push((rows, piece));
    }
    parallel::each_piece(pieces, &|(rows, mut rest): (Range<usize>, &mut [bool])| {
        for i in rows {
            let (row, behind) = std::mem::take(&mut rest).split_at_mut(A.row_length(i));
            rest = behind;
            fill(i, row);
        }
    });
}
