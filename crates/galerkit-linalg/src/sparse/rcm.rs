//! Reverse Cuthill-McKee: numbers the graph of A + A^T level by level from an end of it, so that neighbours get close
//! numbers. Each component is swept from a pseudo-peripheral vertex (George and Liu, ACM TOMS 5 (1979) 284-295): sweep,
//! start again from a vertex of least degree in the last level, until the number of levels no longer grows.
//! The queue of the sweep is the order itself: no allocation for any vertex, time O(nnz log degree).

use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::symmetry::pattern_is_symmetric;
use crate::sparse::{Csr, Permutation, build, product};
use std::borrow::Cow;

/// Sweeps over one component at most; two or three are usual.
const SWEEPS: u8 = 6;

per_scalar! {
    /// The reverse Cuthill-McKee order of a square matrix.
    pub fn reverse_cuthill_mckee<S>(A: &Csr<S>) -> Result<Permutation> = reverse_cuthill_mckee_of;
}

fn reverse_cuthill_mckee_of<S: Scalar>(A: &Csr<S>) -> Result<Permutation> {
    A.require_square("reverse Cuthill-McKee")?;
    let graph = Graph::of(A);
    let n = A.rows();
    let mut search = Search { graph: &graph, seen: vec![0; n], order: Vec::with_capacity(n) };
    for root in 0..n {
        if search.seen[root] == 0 {
            search.number_component(root as u32);
        }
    }
    let mut order = search.order;
    order.reverse();
    Permutation::from_old(order)
}

per_scalar! {
    /// The largest |i - j| over the stored entries.
    pub fn bandwidth<S>(A: &Csr<S>) -> usize = bandwidth_of;
}

fn bandwidth_of<S: Scalar>(A: &Csr<S>) -> usize {
    let of_row = |i: usize| {
        let row = &A.col()[A.range(i)];
        let reach = |j: Option<&u32>| j.map_or(0, |&j| i.abs_diff(j as usize));
        reach(row.first()).max(reach(row.last()))
    };
    (0..A.rows()).map(of_row).max().unwrap_or(0)
}

/// Pattern of A + A^T; borrowed from A when that is symmetric already.
pub(super) struct Graph<'a> {
    start: Cow<'a, [u64]>,
    neighbour: Cow<'a, [u32]>,
}

impl<'a> Graph<'a> {
    pub(super) fn of<S: Scalar>(A: &'a Csr<S>) -> Self {
        if pattern_is_symmetric(A) {
            return Self { start: Cow::Borrowed(A.start()), neighbour: Cow::Borrowed(A.col()) };
        }
        let (other_start, other) = transposed_pattern(A);
        let row = |i: usize| &A.col()[A.range(i)];
        let column = |i: usize| &other[other_start[i] as usize..other_start[i + 1] as usize];
        let start = build::row_starts(A.rows(), || (), |(), i| product::merge(row(i), column(i), |_, _, _| ()));
        let mut neighbour = Vec::with_capacity(start[A.rows()] as usize);
        for i in 0..A.rows() {
            product::merge(row(i), column(i), |j, _, _| neighbour.push(j));
        }
        Self { start: Cow::Owned(start), neighbour: Cow::Owned(neighbour) }
    }

    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbour[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }

    fn degree(&self, v: u32) -> u64 {
        self.start[v as usize + 1] - self.start[v as usize]
    }
}

fn transposed_pattern<S: Scalar>(A: &Csr<S>) -> (Vec<u64>, Vec<u32>) {
    let start = A.column_starts();
    let mut next = start.clone();
    let mut col = vec![0u32; A.nnz()];
    for i in 0..A.rows() {
        for &j in &A.col()[A.range(i)] {
            col[next[j as usize] as usize] = i as u32;
            next[j as usize] += 1;
        }
    }
    (start, col)
}

/// The numbering under way.
struct Search<'a> {
    graph: &'a Graph<'a>,
    seen: Vec<u8>, // the last sweep, counted within its component, that reached this vertex; 0 before the first
    order: Vec<u32>,
}

impl Search<'_> {
    fn number_component(&mut self, root: u32) {
        let first = self.order.len();
        let (mut levels, mut far) = self.sweep(root, 1, first);
        for sweep in 2..=SWEEPS {
            let (deeper, farther) = self.sweep(far, sweep, first);
            if deeper <= levels {
                return;
            }
            (levels, far) = (deeper, farther);
        }
    }

    /// Numbers the component of `root` from position `first` on, anew. Returns the number of levels and a vertex of
    /// least degree in the last one.
    fn sweep(&mut self, root: u32, sweep: u8, first: usize) -> (usize, u32) {
        let Self { graph, seen, order } = self;
        order.truncate(first);
        order.push(root);
        seen[root as usize] = sweep;
        let (mut level, mut levels) = (first..first + 1, 0);
        loop {
            for position in level.clone() {
                let children = order.len();
                for &w in graph.neighbours(order[position]) {
                    if seen[w as usize] != sweep {
                        seen[w as usize] = sweep;
                        order.push(w);
                    }
                }
                order[children..].sort_by_key(|&w| graph.degree(w));
            }
            levels += 1;
            if order.len() == level.end {
                break;
            }
            level = level.end..order.len();
        }
        let far = order[level].iter().copied().min_by_key(|&w| graph.degree(w)).unwrap_or(root);
        (levels, far)
    }
}
