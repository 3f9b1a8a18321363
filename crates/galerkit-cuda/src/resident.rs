//! Loops as one resident kernel. It is launched for a bounded number of iterations at a time, so that Ctrl-C is heard
//! and no launch holds the card for long; numbers and the monitor survive in device memory from launch to launch.

use crate::error::Result;
use crate::executor::Cuda;
use crate::generate::Place;
use crate::program::{CLUSTER, Compiled};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::record::{MapId, Program, VectorId, inspect};
use galerkit_linalg::krylov::{Monitor, Outcome};

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
    /// rows, all passes have the same length, and matrix and vectors fit three quarters of the second-level cache; or
    /// there are loops inside, which no other form can have.
    pub(crate) fn resident_share(&self, program: &Program) -> Option<Share> {
        let lines = inspect::every_line(&program.lines);
        let lengths: Vec<usize> =
            lines.iter().filter(|line| line.is_vector()).map(|line| self.length(line.rows_of())).collect();
        let nests = inspect::nests(&program.lines);
        let possible = (nests || self.goes_by_rows(program)) && lengths.windows(2).all(|pair| pair[0] == pair[1]);
        let fits = || self.footprint(program) <= self.gpu.properties().l2 / 4 * 3;
        let wanted = nests || self.settings.resident.unwrap_or_else(fits);
        let maps = lines.iter().filter_map(|line| line.map());
        // As few threads as give every row its lanes: more registers for each, and every multiprocessor has work.
        let lanes = maps.map(|A| self.loaded(A).lanes).max().unwrap_or(1);
        let rows = lengths.first().copied().unwrap_or(0);
        let properties = self.gpu.properties();
        let clustered = properties.capability >= (9, 0) && rows * lanes <= CLUSTER * CLUSTERED_THREADS;
        let blocks = if clustered { CLUSTER } else { properties.processors };
        let share = Share { threads: (rows * lanes).div_ceil(blocks), clustered };
        (possible && wanted).then_some(share)
    }

    /// Bytes of all maps and vectors that a program mentions.
    pub(crate) fn footprint(&self, program: &Program) -> usize {
        let (mut maps, mut vectors) = (vec![false; self.maps.len()], vec![false; self.vectors.len()]);
        for line in inspect::every_line(&program.lines) {
            line.map().into_iter().for_each(|A| maps[A.0] = true);
            line.reads().into_iter().chain(line.writes()).for_each(|x| vectors[x.0] = true);
        }
        let named = |all: Vec<bool>| all.into_iter().enumerate().filter(|(_, is_named)| *is_named).map(|(id, _)| id);
        let maps = named(maps).map(|id| self.loaded(MapId(id)).bytes);
        maps.sum::<usize>() + named(vectors).map(|id| self.vector_bytes(VectorId(id))).sum::<usize>()
    }

    /// Launches until the monitor has a verdict; the next launch is queued before the norms of the last are read.
    pub(crate) fn run_resident(&self, compiled: &Compiled, limit: usize, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        let ready = compiled.resident.as_ref().expect("the caller has looked");
        let turns = if compiled.generated.nests { 4 } else { TURNS }; // an iteration with loops inside may take long
        let words = self.words(compiled, ready.rows, turns);
        self.follow([turns, 2, limit], 0, monitor, |_| {
            ready.kernel.launch(ready.shape, &words);
            Ok(())
        })
    }
}
