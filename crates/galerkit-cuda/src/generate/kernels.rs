//! The kernels of all graphs of a program: each shape once, in sources that are compiled side by side.

use super::ir::{Kernel, print_kernel};
use super::passes::share::{Own, share};
use super::{Call, Names, Watching, stage_kernel};
use crate::map::Interface;
use crate::plan::{Stage, monitored};
use galerkit_linalg::program::{MapId, Slot};

/// One variant of an iteration.
pub struct Planned {
    /// What was fused.
    pub stages: Vec<Stage>,
    /// The kernels, in order.
    pub calls: Vec<Call>,
}

/// Plans of programs that are not long; cyclic ones have more.
pub const FEW_PLANS: usize = 4;

/// Kernels in one source: to compile one takes tenths of a second, to read what stands before them a twentieth.
const MOST_KERNELS: usize = 4;

/// Kernels from which on a program is long, and those of one shape are one: what is written out runs faster than what
/// is looked up.
const MANY_KERNELS: usize = 16;

/// Writes the kernels of all plans, tells each call which one it is, and what its launches bring; the text of each
/// source, behind the preamble.
pub fn kernels(
    plans: &mut [Planned],
    watched: Option<Slot>,
    (names, interface): (&mut Names, &dyn Fn(MapId) -> Interface),
) -> Vec<String> {
    let kernels: Vec<Kernel> = plans.iter().flat_map(|plan| of_plan(plan, watched, names, interface)).collect();
    let is_long = plans.len() > FEW_PLANS || kernels.len() > MANY_KERNELS;
    let (called, bodies): (Vec<_>, Vec<_>) = kernels.into_iter().map(|it| ((it.bounds, it.name), it.body)).unzip();
    let mut calls: Vec<_> = plans.iter_mut().flat_map(|plan| &mut plan.calls).collect();
    let mut sources = vec![String::new()];
    for (number, shared) in share(bodies, is_long).into_iter().enumerate() {
        let source = number / MOST_KERNELS;
        sources.resize(source + 1, String::new());
        let (bounds, name) = &called[shared.members[0].0];
        sources[source] += &print_kernel(&Kernel { bounds: *bounds, name: name.clone(), body: shared.body });
        for (member, own) in shared.members {
            let call = &mut calls[member];
            (call.name, call.source, call.own) = (name.clone(), source, own);
        }
    }
    if calls.iter().any(|call| call.own != Own::default()) {
        names.note_own(calls.iter().map(|call| call.own.literals.len()).max().unwrap_or(0));
    }
    sources
}

/// The kernels of a plan, one for each of its calls.
fn of_plan(
    plan: &Planned,
    watched: Option<Slot>,
    names: &Names,
    interface: &dyn Fn(MapId) -> Interface,
) -> Vec<Kernel> {
    let monitor = watched.map(|slot| (monitored(&plan.stages, slot), slot));
    let kernel = |call: &Call| {
        let watching = match monitor {
            Some((at, slot)) if at == call.stage => Watching::Here(slot),
            Some((at, _)) if at < call.stage => Watching::Before,
            _ => Watching::Later,
        };
        stage_kernel(call, &plan.stages[call.stage], watching, names, interface)
    };
    plan.calls.iter().map(kernel).collect()
}
