//! Reverse Cuthill-McKee: numbers the graph of A + A^T level by level from an end of it, so that neighbours get close
//! numbers. Each component is swept from a pseudo-peripheral vertex (George and Liu, ACM TOMS 5 (1979) 284-295): sweep,
//! start again from a vertex of least degree in the last level, until the number of levels no longer grows.
//! Time O(nnz log degree); large levels on several threads, with the same order for any number of them (`level.rs`).

mod level;
mod seen;

use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::graph::{BATCH, Graph};
use crate::sparse::{Csr, Permutation};
use level::Marks;

/// Sweeps over one component at most; two or three are usual.
const SWEEPS: usize = 6;

/// The reverse Cuthill-McKee order of a square matrix.
pub fn reverse_cuthill_mckee<S: Scalar>(A: &Csr<S>) -> Result<Permutation> {
    A.require_square("reverse Cuthill-McKee")?;
    order_of(&Graph::of(A))
}

/// On the threads of the current pool from beginning to end: who waits for each level from outside of it is woken each
/// time.
fn order_of(graph: &Graph<'_>) -> Result<Permutation> {
    let parallel = if rayon::current_num_threads() == 1 { usize::MAX } else { level::PARALLEL };
    let order = rayon::scope(|_| Search::new(graph, parallel).number());
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

/// The numbering under way. The queue of a sweep is the order itself.
struct Search<'a> {
    graph: &'a Graph<'a>,
    marks: Marks,
    order: Vec<u32>,
    /// Vertices of a level from which on it is shared between threads.
    parallel: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph<'a>, parallel: usize) -> Self {
        let n = graph.vertices();
        Self { graph, marks: Marks::new(n), order: Vec::with_capacity(n), parallel }
    }

    /// The order from its last vertex to its first.
    fn number(mut self) -> Vec<u32> {
        for root in 0..self.graph.vertices() as u32 {
            if !self.marks.seen.has(root) {
                self.number_component(root);
            }
        }
        self.order.reverse();
        self.order
    }

    fn number_component(&mut self, root: u32) {
        let first = self.order.len();
        let (mut levels, mut far) = self.sweep(root, first);
        for _ in 1..SWEEPS {
            let (deeper, farther) = self.sweep(far, first);
            if deeper <= levels {
                return;
            }
            (levels, far) = (deeper, farther);
        }
    }

    /// Numbers the component of `root` from position `first` on, anew. Returns the number of levels and a vertex of
    /// least degree in the last one.
    fn sweep(&mut self, root: u32, first: usize) -> (usize, u32) {
        let Self { graph, marks, order, parallel } = self;
        order.drain(first..).for_each(|v| marks.seen.remove(v));
        order.push(root);
        marks.seen.add(root);
        let (mut level, mut levels) = (first..first + 1, 0);
        while !level.is_empty() {
            levels += 1;
            let next = level.end;
            if level.len() < *parallel {
                marks.number_next(graph, order, level.clone());
            } else {
                marks.number_next_on_threads(graph, order, level.clone());
            }
            if order.len() == next {
                break;
            }
            level = next..order.len();
        }
        let far = order[level].iter().copied().min_by_key(|&w| graph.degree(w)).unwrap_or(root);
        (levels, far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery::{Order, tetra};
    use crate::random::Random;
    use crate::sparse::Coo;
    use proptest::prelude::*;

    fn in_threads(threads: usize, graph: &Graph<'_>, parallel: usize) -> Vec<u32> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Search::new(graph, parallel).number())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// From almost no edges, with isolated vertices and many components, to one component of few levels; with and
        /// without diagonal.
        #[test]
        fn threads_find_the_order_of_one(n in 1usize..900, density in 0usize..2000, seed in any::<u64>()) {
            let mut random = Random::new(seed);
            let edges = n * density / 1000;
            let triples: Vec<_> = (0..edges).map(|_| (random.below(n), random.below(n), 1.0)).collect();
            let A = Coo::from_triples(n, n, &triples).unwrap().to_csr().0;
            let graph = Graph::of(&A);
            let expected = in_threads(1, &graph, usize::MAX);
            for (threads, parallel) in [(1, 1), (2, 1), (3, 20), (5, 1)] {
                prop_assert_eq!(&in_threads(threads, &graph, parallel), &expected, "{} threads", threads);
            }
        }
    }

    /// Levels of more than one part, and of more parts than threads.
    #[test]
    fn threads_find_the_order_of_one_in_a_mesh() {
        let A = tetra(40, Order::Random, 3).unwrap();
        let graph = Graph::of(&A);
        let expected = in_threads(1, &graph, usize::MAX);
        for threads in [1, 2, 7] {
            assert!(in_threads(threads, &graph, level::PARALLEL) == expected, "{threads} threads");
        }
    }

    #[test]
    fn two_hubs_share_their_leaves() {
        // Vertices 0 and 1 have the leaves 2 ... 5001 in common: all belong to who comes first.
        let n = 5002;
        let triples: Vec<_> = (2..n).flat_map(|w| [(0, w, 1.0), (1, w, 1.0)]).collect();
        let A = Coo::from_triples(n, n, &triples).unwrap().to_csr().0;
        let graph = Graph::of(&A);
        assert_eq!(in_threads(3, &graph, 1), in_threads(1, &graph, usize::MAX));
    }
}
