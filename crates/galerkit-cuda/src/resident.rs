//! Loops as one resident kernel. It is launched for a bounded number of iterations at a time, so that Ctrl-C is heard
//! and no launch holds the card for long; numbers and the monitor survive in device memory from launch to launch.

use crate::error::Result;
use crate::executor::Cuda;
use crate::program::{CLUSTER, Compiled};
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Monitor, Outcome};
use galerkit_linalg::program::{MapId, Program, Vector, inspect};

/// Iterations of one launch: at 5 to 50 microseconds each, some milliseconds.
const TURNS: usize = 512;

/// Threads of a block, up to which the blocks of a cluster are enough for a system.
const CLUSTERED_THREADS: usize = 512;

/// What a resident kernel asks of a multiprocessor.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) threads: usize,
    /// Its blocks are one cluster.
    pub(crate) clustered: bool,
}

impl<S: Scalar> Cuda<S> {
    /// Threads that each multiprocessor needs, if a loop can be, and should be, one resident kernel: all its products go by
    /// rows, and matrices and vectors fit three quarters of the second-level cache; or there are nested loops, which no other form can
    /// have.
    pub(crate) fn resident_share(&self, program: &Program) -> Option<Share> {
        let all = inspect::every_instruction(&program.instructions);
        let rows = all.iter().filter(|it| it.is_vector()).map(|it| it.rows_of().length).max().unwrap_or(0);
        let nests = inspect::nests(&program.instructions);
        let possible = nests || self.goes_by_rows(program);
        let fits = || self.footprint(program) <= self.gpu.properties().l2 / 4 * 3;
        let wanted = nests || self.settings.resident.unwrap_or_else(fits);
        let maps = all.iter().filter_map(|it| it.map());
        // As few threads as give every row its lanes: more registers for each, and every multiprocessor has work.
        let lanes = maps.map(|A| self.loaded(A).lanes).max().unwrap_or(1);
        let properties = self.gpu.properties();
        let clustered = properties.capability >= (9, 0) && rows * lanes <= CLUSTER * CLUSTERED_THREADS;
        let blocks = if clustered { CLUSTER } else { properties.processors };
        let share = Share { threads: (rows * lanes).div_ceil(blocks), clustered };
        (possible && wanted).then_some(share)
    }

    /// Bytes of all maps and vectors that a program mentions.
    pub(crate) fn footprint(&self, program: &Program) -> usize {
        let all = inspect::every_instruction(&program.instructions);
        let mut maps: Vec<MapId> = all.into_iter().filter_map(|it| it.map()).collect();
        maps.sort();
        maps.dedup();
        let values: Vec<Vector> = maps.iter().map(|A| A.values).collect(); // counted with the maps
        let vectors = inspect::vectors(&program.instructions).into_iter().filter(|x| !values.contains(x));
        let maps = maps.iter().map(|&A| self.loaded(A).bytes).sum::<usize>();
        maps + vectors.map(|x| self.vector_bytes(x)).sum::<usize>()
    }

    /// Launches until the monitor has a verdict; the next launch is queued before the norms of the last are read.
    pub(crate) fn run_resident(&self, compiled: &Compiled, limit: usize, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        let ready = compiled.resident.as_ref().expect("the caller has looked");
        let turns = if compiled.generated.nests { 4 } else { TURNS }; // an iteration with loops inside may take long
        let words = self.words(compiled, turns);
        self.follow([turns, 2, limit], 0, monitor, |_| {
            ready.kernel.launch(ready.shape, &words);
            Ok(())
        })
    }
}
