//! A maximal set of rows no two of which are within two edges of each other, MIS(2) (Bell, Dalton, Olson, SIAM J. Sci.
//! Comput. 34, 2012; Kelley, Rajamanickam 2022). Every row has a key, its state above the bits of a hash of its number
//! and the number itself. A round takes the largest key within one edge, t, then the largest t within one edge, u: row
//! i becomes a root where u is its own key, and is out where u is a root's. Keys decide, so the set is the same on any
//! number of threads and any machine.
//!
//! A round looks only at rows for which something can change: those undecided, and those whose t is undecided. Where
//! there is a root t is that of any, because nobody asks which. Rows are in parts, each with the lists of its own rows,
//! so that everything is on threads.

use super::hash::hash;
use super::strength::Graph;
use crate::parallel;

const STATE: u32 = 62;
const UNDECIDED: u64 = 1;
const ROOT: u64 = 2;
/// Rows of a part.
const ROWS: usize = 1 << 12;

/// The set, and how many rounds it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Roots {
    /// Which rows are in it.
    pub is_root: Vec<bool>,
    /// Rounds until no row was undecided.
    pub rounds: usize,
}

/// The key of row i in a state.
fn key(state: u64, i: usize) -> u64 {
    state << STATE | (hash(i as u64) >> 34) << 32 | i as u64
}

/// The largest key of row i and its neighbours, or the first of a root.
#[inline]
fn largest(graph: &Graph, of: &[u64], i: usize) -> u64 {
    let mut most = of[i];
    for &j in graph.neighbours(i) {
        if most >= ROOT << STATE {
            return most;
        }
        most = most.max(of[j as usize]);
    }
    most
}

/// MIS(2) of those rows that take part, of rows that paths may lead through.
pub fn mis2(graph: &Graph, takes_part: &[bool], within: &[bool]) -> Roots {
    let mut keys: Vec<u64> = parallel::collect(graph.rows(), &|i| if takes_part[i] { key(UNDECIDED, i) } else { 0 });
    let mut nearest: Vec<u64> = bytemuck::zeroed_vec(graph.rows());
    let (mut open, mut undecided) = (listed(within), listed(takes_part)); // open: their t may change
    let mut rounds = 0;
    while undecided.iter().any(|rows| !rows.is_empty()) {
        visit(&mut open, &mut nearest, &|i, t| {
            *t = largest(graph, &keys, i);
            *t >> STATE == UNDECIDED
        });
        visit(&mut undecided, &mut keys, &|i, own| {
            if rounds == 0 && nearest[i] > *own {
                return true; // before there are roots, a row that is not the largest next to it learns nothing more
            }
            let u = largest(graph, &nearest, i);
            if u == *own {
                *own = key(ROOT, i);
            } else if u >> STATE == ROOT {
                *own = key(0, i);
            }
            *own >> STATE == UNDECIDED
        });
        rounds += 1;
    }
    Roots { is_root: parallel::collect(graph.rows(), &|i| keys[i] >> STATE == ROOT), rounds }
}

/// The rows of a set, those of each part by themselves.
fn listed(set: &[bool]) -> Vec<Vec<u32>> {
    let rows = |part: usize| part * ROWS..set.len().min((part + 1) * ROWS);
    parallel::values(set.len().div_ceil(ROWS), &|part| rows(part).filter(|&i| set[i]).map(|i| i as u32).collect())
}

/// Calls `work` with each row of the lists and its value; those for which it is false leave their list.
fn visit(lists: &mut [Vec<u32>], values: &mut [u64], work: &(impl Fn(usize, &mut u64) -> bool + Sync)) {
    let parts = lists.iter_mut().zip(values.chunks_mut(ROWS)).enumerate();
    parallel::each_piece(parts.filter(|(_, (rows, _))| !rows.is_empty()).collect(), &|(part, (rows, values))| {
        rows.retain(|&i| work(i as usize, &mut values[i as usize - part * ROWS]));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whom row i has an edge to, mostly both ways.
    fn graph(rows: usize, edges: &[(usize, usize)], one_way: bool) -> Graph {
        let has = |i: usize, j: usize| i != j && (edges.contains(&(i, j)) || !one_way && edges.contains(&(j, i)));
        let start: Vec<u64> = (0..=rows as u64).map(|i| i * rows as u64).collect();
        Graph::chosen(&start, &|i, col| {
            let neighbours: Vec<u32> = (0..rows).filter(|&j| has(i, j)).map(|j| j as u32).collect();
            col[..neighbours.len()].copy_from_slice(&neighbours);
            neighbours.len()
        })
    }

    /// The definition: all rows in every round.
    fn plain(graph: &Graph, takes_part: &[bool], within: &[bool]) -> (Vec<bool>, usize) {
        let rows = graph.rows();
        let mut keys: Vec<u64> = (0..rows).map(|i| if takes_part[i] { key(UNDECIDED, i) } else { 0 }).collect();
        let most = |of: &[u64], i: usize| {
            let near = graph.neighbours(i).iter().map(|&j| j as usize).filter(|&j| within[j]);
            near.map(|j| of[j]).fold(of[i], u64::max)
        };
        let mut rounds = 0;
        while keys.iter().any(|key| key >> STATE == UNDECIDED) {
            let t: Vec<u64> = (0..rows).map(|i| if within[i] { most(&keys, i) } else { 0 }).collect();
            for i in (0..rows).filter(|&i| takes_part[i]) {
                match most(&t, i) {
                    u if keys[i] >> STATE == UNDECIDED && u == keys[i] => keys[i] = key(ROOT, i),
                    u if keys[i] >> STATE == UNDECIDED && u >> STATE == ROOT => keys[i] = key(0, i),
                    _ => (),
                }
            }
            rounds += 1;
        }
        (keys.iter().map(|key| key >> STATE == ROOT).collect(), rounds)
    }

    proptest! {
        #[test]
        fn as_the_definition_says(
            rows in 1usize..60,
            pairs in proptest::collection::vec((0usize..60, 0usize..60), 0..150),
            bits in any::<[u64; 2]>(),
            one_way in any::<bool>(),
        ) {
            let edges: Vec<_> = pairs.into_iter().filter(|(i, j)| *i < rows && *j < rows).collect();
            let graph = graph(rows, &edges, one_way);
            let within: Vec<bool> = (0..rows).map(|i| bits[0] >> i & 1 == 1).collect();
            let takes_part: Vec<bool> = (0..rows).map(|i| within[i] && bits[1] >> i & 1 == 1).collect();
            let found = mis2(&graph, &takes_part, &within);
            prop_assert_eq!((found.is_root, found.rounds), plain(&graph, &takes_part, &within));
        }
    }
}
