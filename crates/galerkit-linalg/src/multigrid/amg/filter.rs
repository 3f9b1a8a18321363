//! A^F, by which tentative prolongation is smoothed: entries that are small in their row are added to its diagonal, so
//! that A^F b = A b for the near-null vector b. By rows, and not symmetric: a soft row depends on its stiff neighbour,
//! not the other way round.

use super::modulus::modulus;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::{Csr, build};
use num_traits::{Float, Zero};

/// What is left of A: the pattern is that of A, less the entries that were dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter<S> {
    /// Which entries of A stay; those on the diagonal do.
    pub kept: Vec<bool>,
    /// The diagonal of A^F.
    pub diagonal: Vec<S>,
}

/// Which entries stay: those with |a_ij b_j| at least a fraction of the largest beside the diagonal. Without b it is of
/// ones.
pub fn kept<S: Scalar>(A: &Csr<S>, b: Option<&[S]>, fraction: f64) -> Vec<bool> {
    let fraction = <S::Real as Scalar>::from_f64(fraction);
    build::flags(A, &|i, kept| {
        let (col, val) = (&A.col()[A.range(i)], &A.val()[A.range(i)]);
        let mut most = S::Real::zero();
        for (&j, &a) in col.iter().zip(val) {
            let v = value(a, j, b);
            most = if j as usize != i && v > most { v } else { most };
        }
        let least = fraction * most;
        for ((kept, &j), &a) in kept.iter_mut().zip(col).zip(val) {
            let v = value(a, j, b);
            *kept = (j as usize == i) | (v > S::Real::zero()) & (v >= least);
        }
    })
}

/// v_ij = |a_ij| |b_j|
#[inline]
fn value<S: Scalar>(a: S, j: u32, b: Option<&[S]>) -> S::Real {
    let size = modulus(a);
    b.map_or(size, |b| size * modulus(b[j as usize]))
}

/// A^F for the entries that stay, by the diagonal of A.
pub fn filter<S: Scalar>(A: &Csr<S>, diagonal: &[S], b: Option<&[S]>, kept: Vec<bool>) -> Filter<S> {
    let filtered = parallel::collect(A.rows(), &|i| {
        let own = diagonal[i];
        if kept[A.range(i)].iter().fold(true, |all, kept| all & kept) {
            return own; // nothing is added
        }
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
        let (range, own) = (A.range(i), self.diagonal[i]);
        let entries = A.col()[range.clone()].iter().zip(&A.val()[range.clone()]);
        let with_diagonal = move |(&j, &a): (&u32, &S)| (j as usize, if j as usize == i { own } else { a });
        entries.zip(&self.kept[range]).filter(|(_, kept)| **kept).map(move |(entry, _)| with_diagonal(entry))
    }

    /// Entries of row i beside the diagonal that stay.
    pub(super) fn length(&self, A: &Csr<S>, i: usize) -> usize {
        self.kept[A.range(i)].iter().filter(|kept| **kept).count().saturating_sub(1)
    }
}
