//! Two maximal independent sets at distance two along strong edges: the roots of the aggregates (spec 08, section 2,
//! steps 3 and 4). Rounds work on lists of the rows that may still change. Kernels: amg_roots.cu.

use super::strength::Graph;
use super::tools::Tools;
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::pool::Piece;
use galerkit_linalg::Scalar;

/// Which root owns each row, and which rows are roots.
pub(super) struct Owners<'a> {
    pub(super) owner: Piece<'a>,
    /// 1 for a root; one more than there are rows.
    pub(super) is_root: Piece<'a>,
    /// Rounds of both sets together.
    pub(super) rounds: usize,
}

/// Rows whose reach, and rows whose state, may change; twice: a round reads one and writes the other.
struct Lists<'a> {
    reach: [Piece<'a>; 2],
    decide: [Piece<'a>; 2],
}

impl Tools<'_> {
    /// Finds both sets.
    pub(super) fn owners<S: Scalar>(&self, A: &DeviceCsr<S>, graph: &Graph<'_>) -> Result<Owners<'_>> {
        let list = || self.pool().piece(4 * A.rows);
        let mut lists = Lists { reach: [list()?, list()?], decide: [list()?, list()?] };
        let reach = self.pool().piece(8 * A.rows)?;
        let made = Owners { owner: list()?, is_root: self.pool().piece(8 * (A.rows + 1))?, rounds: 0 };
        let first = self.rounds(A, graph, &reach, &mut lists, None)?;

        let counters = self.multiplier.zero_counters();
        let arrays = [&graph.key, &reach, &made.owner, &made.is_root].map(|piece| piece.address());
        let candidates = [&lists.reach[0], &lists.decide[0]].map(|piece| piece.address());
        let words = [
            &[A.rows as u64][..],
            &graph_words(A, graph),
            &arrays,
            &[self.options.second as u64],
            &candidates,
            &[counters],
        ];
        let words = words.concat();
        self.roots("amg_first_owners", A, A.rows, &words);
        self.roots("amg_candidates", A, A.rows, &words);
        let counts = self.multiplier.counts::<2>()?;
        let second = self.rounds(A, graph, &reach, &mut lists, Some(counts))?;
        self.roots("amg_second_owners", A, A.rows, &words);
        Ok(Owners { rounds: first + second, ..made })
    }

    /// Rounds until nothing is undecided; how many. Begins with all rows, or with so many of the lists.
    fn rounds<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        graph: &Graph<'_>,
        reach: &Piece<'_>,
        lists: &mut Lists<'_>,
        counts: Option<[usize; 2]>,
    ) -> Result<usize> {
        let mut is_listed = counts.is_some();
        let [mut reached, mut undecided] = counts.unwrap_or([A.rows; 2]);
        let mut rounds = 0;
        while undecided > 0 {
            let counters = self.multiplier.zero_counters();
            let words = |count: usize, [list, next]: &[Piece<'_>; 2], counter: u64| {
                let list = if is_listed { list.address() } else { 0 };
                let arrays = [graph.key.address(), reach.address(), next.address(), counter];
                [&[count as u64, list][..], &graph_words(A, graph), &arrays].concat()
            };
            self.roots("amg_reach", A, reached, &words(reached, &lists.reach, counters));
            self.roots("amg_decide", A, undecided, &words(undecided, &lists.decide, counters + 4));
            [reached, undecided] = self.multiplier.counts::<2>()?;
            lists.reach.swap(0, 1);
            lists.decide.swap(0, 1);
            (is_listed, rounds) = (true, rounds + 1);
        }
        Ok(rounds)
    }
}

/// The words of `struct Graph`.
fn graph_words<S: Scalar>(A: &DeviceCsr<S>, graph: &Graph<'_>) -> [u64; 3] {
    [A.start.address(), graph.degree.address(), graph.edge.address()]
}
