//! For tests that need a GPU.

use crate::launch::Gpu;
use std::sync::Arc;

/// The first GPU, with a stream of its own; where there is none, says on standard error that the test was skipped, and why.
pub fn gpu() -> Option<Arc<Gpu>> {
    Gpu::open(0).map_err(|error| eprintln!("skipped: {error}")).ok()
}
