//! Loops as one resident kernel. It is launched for a bounded number of iterations at a time, so that Ctrl-C is heard
//! and no launch holds the card for long; numbers and the monitor survive in device memory from launch to launch.

use crate::error::Result;
use crate::executor::Cuda;
use crate::program::Compiled;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Monitor, Outcome};

/// Iterations of one launch: at 5 to 50 microseconds each, some milliseconds.
const TURNS: usize = 512;

impl<S: Scalar> Cuda<S> {
    /// Launches until the monitor has a verdict; the next launch is queued before the norms of the last are read.
    pub(crate) fn run_resident(&self, compiled: &Compiled, limit: usize, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        let ready = compiled.resident.as_ref().expect("the caller has looked");
        let turns = if compiled.nests { 4 } else { TURNS }; // an iteration with loops inside may take long
        let words = self.words(compiled, ready.rows, turns);
        self.follow([turns, 2, limit], monitor, |_| {
            ready.kernel.launch(ready.shape, &words);
            Ok(())
        })
    }
}
