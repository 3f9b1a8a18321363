//! For tests that need a GPU.

use crate::launch::Gpu;
use std::io::Write;
use std::sync::Arc;

/// The first GPU, with a stream of its own; where there is none, says on standard error that the test was skipped, and
/// why.
pub fn gpu() -> Option<Arc<Gpu>> {
    // Not by `eprintln`, which the test harness keeps to itself when a test succeeds.
    Gpu::open(0).map_err(|error| writeln!(std::io::stderr(), "skipped: {error}")).ok()
}
