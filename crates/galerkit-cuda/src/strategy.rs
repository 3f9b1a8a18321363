//! How a loop runs: as graphs that are replayed, as one persistent kernel, or driven by the host. Decided here, from
//! what it multiplies with, how much memory it touches, and whether loops are nested in it.

use crate::executor::{Cuda, Strategy};
use crate::generate::classes::CLUSTERED_THREADS;
use crate::map::Interface;
use crate::program::{CLUSTER, Share};
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Instruction, MapId, Program, Vector, inspect};

/// Up to so many times the L2 cache a loop with nested ones is one kernel. Beyond what was measured the host drives it.
const MOST_CACHES: usize = 100;

impl<S: Scalar> Cuda<S> {
    /// How a loop with this body is to run. A persistent kernel where all SpMVs go by rows and everything fits three
    /// quarters of the L2 cache; nested loops too, up to many times the cache, because graphs cannot have them: beyond
    /// it, and where rows are summed in parts, the host drives them. What only the host can multiply with is always for
    /// the host.
    pub(crate) fn strategy(&self, body: &Program) -> Strategy {
        let all = inspect::every_instruction(&body.instructions);
        let split = |A: MapId| self.loaded(A).interface == Interface::Split;
        let splits = || all.iter().copied().filter_map(Instruction::map).any(split);
        // On an H200 a time loop with nested CG takes 131 us a step in one kernel and 569 driven by the host where it
        // needs 1.9 times the cache, a heart of 512,000 nodes 149 and 394, one of 5 million 1653 and 1965; VPGCR with 2
        // million rows is the same by both.
        let cache = self.gpu.properties().l2;
        let nests = inspect::nests(&body.instructions);
        let most = if nests { MOST_CACHES * cache } else { cache / 4 * 3 };
        let fits = match self.settings.strategy {
            Some(strategy) => strategy == Strategy::Persistent,
            None => self.footprint(body) <= most,
        };
        if all.iter().any(|instruction| self.is_for_host_product(instruction)) || (nests && (splits() || !fits)) {
            Strategy::HostDriven
        } else if nests || (fits && self.goes_by_rows(&body.instructions)) {
            Strategy::Persistent
        } else {
            Strategy::Graphs
        }
    }

    /// As few threads as give every row its lanes: more registers for each, and every multiprocessor has work.
    pub(crate) fn share(&self, body: &Program) -> Share {
        let all = inspect::every_instruction(&body.instructions);
        let rows = all.iter().filter(|it| it.is_vector()).map(|it| it.rows_of().length).max().unwrap_or(0);
        let lanes = all.iter().filter_map(|it| it.map()).map(|A| self.loaded(A).lanes).max().unwrap_or(1);
        let properties = self.gpu.properties();
        let clustered = properties.capability >= (9, 0) && rows * lanes <= CLUSTER * CLUSTERED_THREADS;
        let blocks = if clustered { CLUSTER } else { properties.sm_count };
        Share { threads: (rows * lanes).div_ceil(blocks), clustered }
    }

    /// Bytes of all maps and vectors that a program mentions.
    fn footprint(&self, program: &Program) -> usize {
        let all = inspect::every_instruction(&program.instructions);
        let mut maps: Vec<MapId> = all.into_iter().filter_map(|it| it.map()).collect();
        maps.sort();
        maps.dedup();
        let values: Vec<Vector> = maps.iter().map(|A| A.values).collect(); // counted with the maps
        let vectors = inspect::vectors(&program.instructions).into_iter().filter(|x| !values.contains(x));
        let maps = maps.iter().map(|&A| self.loaded(A).bytes).sum::<usize>();
        maps + vectors.map(|x| self.vector_bytes(x)).sum::<usize>()
    }
}
