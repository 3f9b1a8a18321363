//! Where a program is to run, as far as its source depends on that.

use crate::map::Map;
use galerkit_linalg::program::{MapId, Vector};

/// What a program must know of the maps and vectors that it names.
pub trait Place {
    /// A loaded map.
    fn loaded(&self, A: MapId) -> &Map;
    /// Whether nobody outside of the program reads a vector.
    fn is_confined(&self, x: Vector) -> bool {
        x.is_loop_local()
    }
}
