//! The kernels of a stage: what they are called, and what a launch must know of them.

use super::passes::share::Own;
use crate::map::Interface;
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, MapId, Slot};

/// A kernel of a module: how it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its stage, by index.
    pub stage: usize,
    /// Which source has it.
    pub source: usize,
    /// How the product at the head of its pass works, if there is one.
    pub head: Option<(MapId, Interface)>,
    /// Which pass of a product that takes several.
    pub pass: usize,
    /// Sums over all rows that it computes.
    pub dots: usize,
    /// Whether its blocks must report that they are done, because something follows that needs all of them. (A monitor
    /// at its end makes it so too; only iterations that watch a scalar of an earlier stage have one there.)
    pub arrives: bool,
    /// What its launches bring along.
    pub own: Own,
}

/// The kernels of a stage: one, or one for each pass of its product.
pub fn calls(prefix: &str, index: usize, stage: &Stage, interface: &dyn Fn(MapId) -> Interface) -> Vec<Call> {
    let of = |instruction: &Instruction| instruction.map().map(|A| (A, interface(A).of(instruction)));
    let head = stage.pass.first().and_then(of).filter(|head| head.1 != Interface::Entry);
    let passes = head.map_or(1, |(_, interface)| interface.launches().0);
    let dots = stage.pass.iter().filter(|instruction| instruction.reduces()).count();
    let name = |pass| if passes == 1 { format!("{prefix}{index}") } else { format!("{prefix}{index}_{pass}") };
    let split = matches!(head, Some((_, Interface::Split)));
    let arrives = dots > 0 || split || !stage.after.is_empty() || !stage.before.is_empty();
    let own = Own::default;
    (0..passes)
        .map(|pass| Call { name: name(pass), stage: index, source: 0, head, pass, dots, arrives, own: own() })
        .collect()
}

/// Where the monitor stands, seen from a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watching {
    /// Not yet in this iteration, or there is none.
    Later,
    /// At the end of this stage, on this slot.
    Here(Slot),
    /// It has looked already: this stage belongs to an iteration that runs to its end.
    Before,
}
