//! A maximal set of rows no two of which are within two edges of each other, MIS(2) (Bell, Dalton, Olson, SIAM J. Sci.
//! Comput. 34, 2012; Kelley, Rajamanickam 2022). Every row has a key, its state above the bits of a hash of its number
//! and the number itself. A round takes the largest key within one edge, t, then the largest t within one edge, u: row
//! i becomes a root where u is its own key, and is out where u is a root's. Keys decide, so the set is the same on any
//! number of threads and any machine.
//!
//! A round looks only at rows for which something can change: those undecided, and those whose t is undecided.

use super::hash::hash;
use super::strength::Graph;
use crate::parallel;

const STATE: u32 = 62;
const UNDECIDED: u64 = 1;
const ROOT: u64 = 2;

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

/// The largest key of row i and its neighbours; its own where that is enough to know.
#[inline]
fn largest(graph: &Graph, of: &[u64], i: usize, enough: u64) -> u64 {
    if of[i] >= enough {
        return of[i];
    }
    graph.neighbours(i).iter().fold(of[i], |most, &j| most.max(of[j as usize]))
}

/// MIS(2) of those rows that take part; paths may lead through others.
pub fn mis2(graph: &Graph, takes_part: &[bool]) -> Roots {
    let rows = graph.rows();
    let mut keys: Vec<u64> = parallel::collect(rows, &|i| if takes_part[i] { key(UNDECIDED, i) } else { 0 });
    let with_edges = |i: &u32| !graph.neighbours(*i as usize).is_empty();
    let mut open: Vec<u32> = (0..rows as u32).filter(with_edges).collect(); // their t may change
    let mut undecided: Vec<u32> = (0..rows as u32).filter(|&i| takes_part[i as usize]).collect();
    let (mut nearest, mut rounds) = (vec![0; rows], 0);
    while !undecided.is_empty() {
        let t = parallel::collect(open.len(), &|k| largest(graph, &keys, open[k] as usize, ROOT << STATE));
        open.iter().zip(&t).for_each(|(&i, &t)| nearest[i as usize] = t);
        let u = parallel::collect(undecided.len(), &|k| {
            let i = undecided[k] as usize;
            // A root is near whichever it is; and before there are any, a row that is not the largest next to it learns
            // nothing more.
            let enough = if rounds == 0 { keys[i] + 1 } else { ROOT << STATE };
            largest(graph, &nearest, i, enough)
        });
        for (&i, &u) in undecided.iter().zip(&u) {
            let own = &mut keys[i as usize];
            if u == *own {
                *own = key(ROOT, i as usize);
            } else if u >> STATE == ROOT {
                *own = key(0, i as usize);
            }
        }
        undecided.retain(|&i| keys[i as usize] >> STATE == UNDECIDED);
        let mut still = t.iter().map(|t| t >> STATE == UNDECIDED);
        open.retain(|_| still.next().unwrap_or(false));
        rounds += 1;
    }
    Roots { is_root: keys.iter().map(|key| key >> STATE == ROOT).collect(), rounds }
}
