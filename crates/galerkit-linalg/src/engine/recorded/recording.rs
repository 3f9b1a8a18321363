//! What is gathered while a routine is recorded.

use crate::engine::held::Held;
use crate::engine::routine::Part;
use crate::program::{MapId, Vector};

/// A routine that is being recorded.
#[derive(Default)]
pub(super) struct Recording {
    pub(super) parts: Vec<Part>,
    /// Vectors made meanwhile: whoever speaks may drop them before the routine runs.
    pub(super) made: Vec<Held<Vector>>,
    pub(super) mentioned: Vec<Vector>,
    pub(super) maps: Vec<MapId>,
}
