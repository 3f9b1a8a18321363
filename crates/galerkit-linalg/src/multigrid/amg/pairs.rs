//! Aggregates of about four rows by two passes of matching (Notay, Electron. Trans. Numer. Anal. 37, 2010, in rounds
//! that all rows take at once): every row points at its best neighbour that is free, and those who point at each other
//! are a pair. Set-up costs next to nothing.

use super::aggregate::{Aggregates, NONE};
use super::galerkin::galerkin;
use super::hash::hash;
use super::modulus::modulus;
use super::restrict::Class;
use super::tentative::tentative;
use crate::error::Result;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::{Float, Zero};

/// Rounds of a matching.
const ROUNDS: usize = 8;
/// Rows whose entries beside the diagonal sum up to at most this part of it stay alone.
const ALONE: f64 = 0.2;
/// Neighbours are used down to this part of the best.
const USABLE: f64 = 0.25;

/// Two passes: pairs, then pairs of pairs.
pub fn pairs<S: Scalar>(A: &Csr<S>, class: Class, b: Option<&[S]>) -> Result<Aggregates> {
    let first = matching(A, true);
    if first.count == 0 {
        return Ok(first);
    }
    let T = tentative(&first, b);
    let coarse = galerkin(class, &T.conjugate_transpose(), A, &T)?.0;
    let second = matching(&coarse, false);
    let of = first.of.iter().map(|&pair| if pair == NONE { NONE } else { second.of[pair as usize] }).collect();
    Ok(Aggregates { of, count: second.count, rounds: first.rounds + second.rounds, first: Vec::new() })
}

/// One matching; pairs are numbered by their lower rows. In the first pass rows that are nearly diagonal stay out.
fn matching<S: Scalar>(A: &Csr<S>, is_first: bool) -> Aggregates {
    let rows = A.rows();
    let diagonal: Vec<S::Real> = A.diagonal().into_iter().map(modulus).collect();
    let beside = |i: usize| A.row(i).filter(move |(j, _)| *j != i);
    let is_alone: Vec<bool> = parallel::collect(rows, &|i| {
        let sum = beside(i).fold(S::Real::zero(), |sum, (_, a)| sum + modulus(a));
        is_first && sum <= <S::Real as Scalar>::from_f64(ALONE) * diagonal[i]
    });
    let weight = |i: usize, j: usize, a: S| {
        let back = A.get(j, i).map_or(S::Real::zero(), modulus);
        (modulus(a) + back) / Float::max(diagonal[i], diagonal[j])
    };
    let most: Vec<S::Real> =
        parallel::collect(rows, &|i| beside(i).fold(S::Real::zero(), |most, (j, a)| Float::max(most, weight(i, j, a))));
    let usable = |i: usize, w: S::Real| w > S::Real::zero() && w >= <S::Real as Scalar>::from_f64(USABLE) * most[i];
    let best = |i: usize, may: &dyn Fn(usize) -> bool| {
        let mut best = None::<(S::Real, u64, usize)>;
        for (j, a) in beside(i).filter(|(j, _)| !is_alone[*j] && may(*j)) {
            let (w, mark) = (weight(i, j, a), hash(hash(i.min(j) as u64) ^ i.max(j) as u64));
            if usable(i, w) && best.is_none_or(|(most, other, _)| w > most || w == most && mark > other) {
                best = Some((w, mark, j));
            }
        }
        best.map_or(NONE, |(_, _, j)| j as u32)
    };
    let (mut mate, mut rounds) = (vec![NONE; rows], 0);
    let mut open: Vec<u32> = (0..rows as u32).filter(|&i| !is_alone[i as usize]).collect();
    while rounds < ROUNDS && !open.is_empty() {
        let points = parallel::collect(open.len(), &|k| best(open[k] as usize, &|j| mate[j] == NONE));
        let mut to = vec![NONE; rows];
        open.iter().zip(&points).for_each(|(&i, &j)| to[i as usize] = j);
        for &i in &open {
            let j = to[i as usize];
            if j != NONE && to[j as usize] == i {
                mate[i as usize] = j;
            }
        }
        open.retain(|&i| mate[i as usize] == NONE);
        rounds += 1;
    }
    let joins = parallel::collect(open.len(), &|k| best(open[k] as usize, &|j| mate[j] != NONE));
    numbered(&mate, &is_alone, open.iter().copied().zip(joins), rounds)
}

fn numbered(mate: &[u32], is_alone: &[bool], singles: impl Iterator<Item = (u32, u32)>, rounds: usize) -> Aggregates {
    let (mut of, mut count) = (vec![NONE; mate.len()], 0);
    let joined: std::collections::HashMap<u32, u32> = singles.filter(|(_, j)| *j != NONE).collect();
    for i in 0..mate.len() {
        let is_lower = mate[i] == NONE || i < mate[i] as usize;
        if !is_alone[i] && is_lower && !joined.contains_key(&(i as u32)) {
            of[i] = count;
            if mate[i] != NONE {
                of[mate[i] as usize] = count;
            }
            count += 1;
        }
    }
    joined.iter().for_each(|(&i, &j)| of[i as usize] = of[j as usize]);
    Aggregates { of, count: count as usize, rounds, first: Vec::new() }
}
