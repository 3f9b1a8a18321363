//! Other forms of loaded maps that a loop may time (`measure.rs`).

use crate::map::Map;
use galerkit_linalg::program::MapId;

/// Maps that could take the place of loaded ones, and what became of them.
#[derive(Default)]
pub(crate) struct Offers {
    pub(super) open: Vec<Offer>,
    pub(super) measured: Vec<(String, f64)>,
    pub(super) taken: Option<String>,
}

/// A map, for the place of which.
pub(super) struct Offer {
    pub(super) place: MapId,
    pub(super) name: String,
    pub(super) map: Map,
}

impl Offers {
    /// Whether nothing is left to be timed.
    pub(crate) fn are_settled(&self) -> bool {
        self.open.is_empty()
    }
}
