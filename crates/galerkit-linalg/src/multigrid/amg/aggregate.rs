//! Aggregates: the roots of a first MIS(2) with their neighbours; of the rows that are next to no root and have
//! neighbours enough of their kind the roots of a second one; then everybody else joins, in passes, whom it is coupled
//! with most. Rows without edges are orphans, and follow whom they are coupled with most, or isolated, and stay alone.

use super::hash::hash;
use super::mis::{Roots, mis2};
use super::modulus::modulus;
use super::norms::Norms;
use super::strength::Graph;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// The number of a row without an aggregate.
pub const NONE: u32 = u32::MAX;

/// Which aggregate each row is in.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregates {
    /// Its number, or [`NONE`].
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// Rounds of both sets.
    pub rounds: usize,
    /// Roots of the first set, ascending.
    pub first: Vec<u32>,
}

impl Aggregates {
    /// sum_i h(i) (number_i + 1) mod 2^64, where a row without aggregate has the number -1.
    pub fn checksum(&self) -> u64 {
        let term = |(i, &number): (usize, &u32)| hash(i as u64).wrapping_mul(u64::from(number.wrapping_add(1)));
        self.of.iter().enumerate().map(term).fold(0, u64::wrapping_add)
    }
    /// Rows without an aggregate.
    pub fn outside(&self) -> usize {
        self.of.iter().filter(|number| **number == NONE).count()
    }
}

/// The aggregates of A along the edges of a graph. Rows next to no first root are candidates for a second one where at
/// least `second` of their neighbours are like them; 0 is none.
pub fn aggregate<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, graph: &Graph, second: usize) -> Aggregates {
    let has_edges: Vec<bool> = parallel::collect(graph.rows(), &|i| !graph.neighbours(i).is_empty());
    let first = mis2(graph, &has_edges, &has_edges);
    let root_of = next_to_first(graph, &first);
    let free: Vec<bool> = parallel::collect(graph.rows(), &|i| has_edges[i] && root_of[i] == NONE);
    let later = second_set(graph, &free, second);
    let is_root = |i: usize| first.is_root[i] || later.is_root[i];
    let (mut number, mut count) = (vec![NONE; graph.rows()], 0);
    for i in (0..graph.rows()).filter(|&i| is_root(i)) {
        number[i] = count;
        count += 1;
    }
    let of = parallel::collect(graph.rows(), &|i| {
        if is_root(i) {
            return number[i];
        }
        if !free[i] {
            return number.get(root_of[i] as usize).copied().unwrap_or(NONE);
        }
        let near = graph.neighbours(i).iter().filter(|&&j| later.is_root[j as usize]);
        near.map(|&j| number[j as usize]).max().unwrap_or(NONE)
    });
    let mut aggregates = Aggregates {
        of,
        count: count as usize,
        rounds: first.rounds + later.rounds,
        first: (0..graph.rows() as u32).filter(|&i| first.is_root[i as usize]).collect(),
    };
    let rest: Vec<u32> = left(&aggregates, &|i| has_edges[i]);
    join_in_passes(&mut aggregates.of, rest, &|i, of| best_neighbour(A, norms, graph, i, of));
    let orphans: Vec<u32> = left(&aggregates, &|i| !has_edges[i] && !norms.isolated[i]);
    join_in_passes(&mut aggregates.of, orphans, &|i, of| target(A, norms, i).map_or(NONE, |j| of[j]));
    aggregates
}

/// The first root that a row is or is next to, or [`NONE`]. Along edges that lead both ways there is one at most,
/// because two are never within two edges of each other; else it is the last, which has the largest number.
fn next_to_first(graph: &Graph, first: &Roots) -> Vec<u32> {
    parallel::collect(graph.rows(), &|i| {
        let near = || graph.neighbours(i).iter().rev().copied().find(|&j| first.is_root[j as usize]);
        if first.is_root[i] { i as u32 } else { near().unwrap_or(NONE) }
    })
}

/// The roots among rows that are next to no first one.
fn second_set(graph: &Graph, free: &[bool], second: usize) -> Roots {
    if second == 0 {
        return Roots { is_root: vec![false; graph.rows()], rounds: 0 };
    }
    let is_near = |i: usize| graph.neighbours(i).iter().filter(|&&j| free[j as usize]).count() >= second;
    let candidates: Vec<bool> = parallel::collect(graph.rows(), &|i| free[i] && is_near(i));
    mis2(graph, &candidates, free)
}

/// Rows of a kind that have no number yet.
fn left(aggregates: &Aggregates, kind: &dyn Fn(usize) -> bool) -> Vec<u32> {
    let without = |i: &u32| aggregates.of[*i as usize] == NONE && kind(*i as usize);
    (0..aggregates.of.len() as u32).filter(without).collect()
}

/// Gives rows the numbers that `choose` finds among those of earlier passes, until it finds none.
fn join_in_passes(of: &mut [u32], mut waiting: Vec<u32>, choose: &(dyn Fn(usize, &[u32]) -> u32 + Sync)) {
    loop {
        let numbered: &[u32] = of;
        let chosen = parallel::collect(waiting.len(), &|k| choose(waiting[k] as usize, numbered));
        if chosen.iter().all(|&number| number == NONE) {
            return;
        }
        waiting.iter().zip(&chosen).for_each(|(&i, &number)| of[i as usize] = number);
        waiting.retain(|&i| of[i as usize] == NONE);
    }
}

/// The number of the neighbour with the largest w_ij among those that have one; of equals the lowest number.
fn best_neighbour<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, graph: &Graph, i: usize, of: &[u32]) -> u32 {
    let (mut best, mut edges) = (None::<(S::Real, u32)>, graph.neighbours(i).iter().peekable());
    for (j, a) in A.row(i) {
        if edges.next_if(|&&edge| edge as usize == j).is_none() || of[j] == NONE {
            continue;
        }
        let w = weight::<S>(a, norms.diagonal[j]);
        if best.is_none_or(|(most, number)| w > most || w == most && of[j] < number) {
            best = Some((w, of[j]));
        }
    }
    best.map_or(NONE, |(_, number)| number)
}

/// The column with the largest w_ij, of equals the lowest.
fn target<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, i: usize) -> Option<usize> {
    let (mut most, mut target) = (<S::Real as num_traits::Zero>::zero(), None);
    for (j, a) in A.row(i).filter(|(j, _)| *j != i) {
        let w = weight::<S>(a, norms.diagonal[j]);
        if w > most {
            (most, target) = (w, Some(j));
        }
    }
    target
}

fn weight<S: Scalar>(a: S, diagonal: S::Real) -> S::Real {
    let size = modulus(a);
    size * size / diagonal
}
