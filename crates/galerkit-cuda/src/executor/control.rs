//! What a launch is told besides the vectors, maps and scalars of its program.

use crate::ring::STATE;

/// What a launch is told of the loop that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Control {
    /// Where its state is.
    pub(crate) state: u64,
    /// The state that a persistent kernel begins with; none: the one in memory.
    pub(crate) initial: Option<[u64; STATE]>,
    /// It begins with what stands before its loop.
    pub(crate) first: bool,
    /// Where the host is told scalars; 0: it is told norms.
    pub(crate) told: u64,
    /// Iterations of a persistent kernel.
    pub(crate) most: usize,
    /// Bytes of shared memory in which it keeps parts of maps.
    pub(crate) room: usize,
}

impl Control {
    /// A launch that finds the state where it leaves it.
    pub(crate) fn of(state: u64) -> Self {
        Self { state, initial: None, first: false, told: 0, most: 0, room: 0 }
    }
}
