//! Where all blocks wait for each other, and where they need not: between passes that go entry by entry a thread finds
//! what it has made itself.

use crate::generate::ir::Expression;
use crate::generate::{Names, multi};
use crate::map::Interface;
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, MapId};

/// When all blocks wait for each other at the end of a stage.
#[derive(Clone)]
pub enum Meeting {
    Always,
    /// Only if this holds, which all find alike.
    If(Expression),
    Never,
}

/// When all wait at the end of a stage, by the one that follows it at once, if there is one.
pub fn between(stage: &Stage, next: Option<&Stage>, names: &Names, interface: &dyn Fn(MapId) -> Interface) -> Meeting {
    let apart = next.is_some_and(|next| are_apart(stage, next, names, interface));
    if apart { Meeting::Never } else { Meeting::Always }
}

/// Whether nobody need wait between two stages: both go entry by entry, where a thread always has the same entries, and
/// the first makes no sum.
pub fn are_apart(one: &Stage, next: &Stage, names: &Names, interface: &dyn Fn(MapId) -> Interface) -> bool {
    let by_entries = |stage| goes_by_entries(stage, names, interface);
    by_entries(one) && by_entries(next) && !one.pass.iter().any(Instruction::reduces)
}

fn goes_by_entries(stage: &Stage, names: &Names, interface: &dyn Fn(MapId) -> Interface) -> bool {
    let is_entry = |it: &Instruction| it.map().is_none_or(|A| interface(A) == Interface::Entry);
    let runs = stage.unless.is_empty() && !stage.pass.is_empty();
    runs && stage.pass.iter().all(is_entry) && multi::lists(&stage.pass, names).is_empty() // those go their own ways
}
