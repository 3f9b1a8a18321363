//! A canonical program in an executor: what its names stand for.

use super::Cuda;
use crate::generate::{Arguments, Place};
use crate::launch::Buffer;
use crate::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Binding, MapId, Slot, Vector};

/// An executor, seen through the names of one program.
pub(crate) struct Bound<'a, S: Scalar> {
    pub(crate) cuda: &'a Cuda<S>,
    pub(crate) binding: &'a Binding,
    /// The vectors that are temporary in the loop around the program, if the host drives that; they alone are so in the
    /// program.
    pub(crate) temporary: Option<&'a [Vector]>,
}

impl<S: Scalar> Arguments for Bound<'_, S> {
    fn vector(&self, x: Vector) -> u64 {
        self.cuda.vectors[self.binding.vectors[x.id].id].as_ref().map_or(0, Buffer::address)
    }
    fn slot(&self, s: Slot) -> u64 {
        self.cuda.slot_address(Slot(self.binding.first_slot + s.0))
    }
    fn map(&self, A: MapId) -> &[u64] {
        &self.loaded(A).words
    }
}

impl<S: Scalar> Place for Bound<'_, S> {
    fn loaded(&self, A: MapId) -> &Map {
        self.cuda.loaded(self.binding.maps[A.id])
    }
    fn is_confined(&self, x: Vector) -> bool {
        let is_known = self.temporary.is_none_or(|known| known.contains(&self.binding.vectors[x.id]));
        is_known && x.is_loop_local()
    }
}
