//! Shared memory in which the blocks of a persistent kernel keep their parts of maps: `kernels/held.cuh` fills it, and
//! leaves out what does not fit.

use crate::map::Map;

/// Bytes of shared memory that a persistent kernel has without that, at most.
pub(super) const OWN: usize = 32 << 10;

/// Bytes for a block's part of a map. None where threads have several rows each: their slots are not next to each other.
pub(super) fn of(map: &Map, blocks: usize, threads: usize) -> usize {
    let rows = map.shape.0.max(1);
    if rows > blocks * threads {
        return 0;
    }
    // Slices differ in length, by an eighth in most blocks, and each array begins at a multiple of 16.
    let part = map.bytes as f64 * (threads as f64 / rows as f64).min(1.0);
    (1.125 * part) as usize / 16 * 16 + 1024
}
