//! What was seen of a run.

use super::beats::Beats;
use galerkit::fem::cardiac::simulation::Observation;

/// What was seen.
#[derive(Default)]
pub struct Seen {
    /// One after the other.
    pub observations: Vec<Observation>,
    /// Every beat, where they are wanted.
    pub beats: Beats,
    /// Whether Ctrl-C ended it.
    pub is_interrupted: bool,
}
