//! What a user decides about an executor.

use crate::generate::Form;
use crate::map::Tuning;

/// How a loop runs: one of three forms; `strategy.rs` decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Some iterations are one graph, replayed ahead of the norms that the host has seen (replay.rs).
    Graphs,
    /// All iterations are one kernel (persistent.rs).
    Persistent,
    /// The host runs straight parts, nested loops and SpMVs of its own one after the other (by_host.rs).
    HostDriven,
}

/// How loops are run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How loops run that can run so; none: as suits them (strategy.rs).
    pub strategy: Option<Strategy>,
    /// Iterations in one graph.
    pub chunk: usize,
    /// Graphs launched ahead of the norms that were seen.
    pub ahead: usize,
    /// How kernels are cut; none: as usual for the scalar.
    pub form: Option<Form>,
    /// How many times the blocks that fit the GPU at once a launch may have.
    pub waves: usize,
    /// How maps are stored and multiplied with.
    pub tuning: Tuning,
    /// Whether alternatives that were offered are timed (tune/measure.rs).
    pub tune: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { strategy: None, chunk: 10, ahead: 3, form: None, waves: 1, tuning: Tuning::default(), tune: true }
    }
}
