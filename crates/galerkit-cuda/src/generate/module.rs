//! The whole text of a program: its plans, the kernels of each, and the resident kernel where it is wanted. Needs no GPU.

use super::{Call, Form, Names, Variant, Watching, calls, persistent_kernel, preamble, stage_kernel};
use crate::map::{Map, Protocol};
use crate::plan::{Stage, monitored, stages};
use galerkit_linalg::engine::record::fuse::Facts;
use galerkit_linalg::engine::record::{Line, MapId, Program, Slot, VectorId};
use galerkit_linalg::scalar::ScalarKind;

/// What a program must know of the maps and vectors that it names.
pub trait Place {
    /// A loaded map.
    fn loaded(&self, A: MapId) -> &Map;
    /// Entries of a vector.
    fn length(&self, x: VectorId) -> usize;
}

/// One way an iteration can go.
pub struct Planned {
    /// Which of the program's periodic parts have their turn.
    pub turns: Vec<bool>,
    /// What was fused.
    pub stages: Vec<Stage>,
    /// The kernels, in order.
    pub calls: Vec<Call>,
}

/// A program as CUDA text.
pub struct Generated {
    /// The names under which its kernels know what they work on.
    pub names: Names,
    /// One plan for each combination of turns, by the bits of its index.
    pub plans: Vec<Planned>,
    /// Periods of the parts that do not run in every iteration.
    pub periods: Vec<usize>,
    /// Most sums that one stage computes.
    pub dots: usize,
    /// Threads a block of its other kernels.
    pub threads: usize,
    /// Threads a block of the kernel `persistent`, if there is one; each multiprocessor has one block.
    pub resident: Option<usize>,
    /// The text.
    pub source: String,
}

impl Generated {
    /// Plans and writes. `watched` makes the program the body of a loop; `form` says how kernels are
    /// cut, and whether the one-kernel form is wanted.
    pub fn new(place: &dyn Place, kind: ScalarKind, program: &Program, watched: Option<Slot>, form: Form) -> Self {
        let periods: Vec<usize> = program.lines.iter().filter_map(period).collect();
        let facts = Facts { role: &|A| place.loaded(A).role(), length: &|x| place.length(x) };
        let protocol = |A: MapId| place.loaded(A).protocol;
        let mut names = Names::default();
        let mut plans = Vec::new();
        for bits in 0..1usize << periods.len() {
            let turns: Vec<bool> = (0..periods.len()).map(|p| bits >> p & 1 == 1).collect();
            let lines = select(&program.lines, &turns);
            lines.iter().for_each(|line| names.read(line));
            let stages = stages(lines, &facts);
            let prefix = format!("plan{bits}_stage");
            let calls =
                stages.iter().enumerate().flat_map(|(index, stage)| calls(&prefix, index, stage, &protocol)).collect();
            plans.push(Planned { turns, stages, calls });
        }
        let dots = plans.iter().flat_map(|plan| &plan.calls).map(|call| call.dots).max().unwrap_or(0);
        let mut source = preamble(kind, dots.max(1), form, &names, |A| place.loaded(A));
        plans.iter().for_each(|plan| source += &plan_text(plan, watched, &names, &protocol));
        source += PUBLISH;
        let resident = form.resident.filter(|_| watched.is_some());
        if let Some(watched) = watched.filter(|_| resident.is_some()) {
            let variant = |plan: &'_ Planned| turn_condition(&periods, &plan.turns);
            let variants: Vec<Variant<'_>> =
                plans.iter().map(|plan| Variant { condition: variant(plan), stages: &plan.stages }).collect();
            source += &persistent_kernel(&variants, watched, &names, &protocol);
        }
        Self { names, plans, periods, dots, threads: form.threads, resident, source }
    }
}

/// Tells the host what the kernels before it have found.
const PUBLISH: &str = "extern \"C\" __global__ void publish_norms(const __grid_constant__ Args a) {
    after_previous_kernel();
    publish(*a.state);
}
";

fn period(line: &Line) -> Option<usize> {
    if let Line::Every { period, .. } = line { Some(*period) } else { None }
}

/// The lines with those periodic parts that have their turn.
fn select(lines: &[Line], turns: &[bool]) -> Vec<Line> {
    let mut turn = turns.iter();
    let mut flat = Vec::new();
    for line in lines {
        match line {
            Line::Every { body, .. } => {
                if *turn.next().expect("one turn for each periodic part; they do not nest") {
                    flat.extend(body.iter().cloned());
                }
            }
            other => flat.push(other.clone()),
        }
    }
    flat
}

/// The kernels of a plan.
fn plan_text(plan: &Planned, watched: Option<Slot>, names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    let monitor = watched.map(|slot| (monitored(&plan.stages, slot), slot));
    let mut text = String::new();
    for call in &plan.calls {
        let watching = match monitor {
            Some((at, slot)) if at == call.stage => Watching::Here(slot),
            Some((at, _)) if at < call.stage => Watching::Before,
            _ => Watching::Later,
        };
        text += &stage_kernel(call, &plan.stages[call.stage], watching, names, protocol);
    }
    text
}

/// When a combination of turns comes, in the words of the persistent kernel.
fn turn_condition(periods: &[usize], turns: &[bool]) -> String {
    let one = |(period, turn): (&usize, &bool)| {
        format!("unsigned(iteration + 1) % {period} {} 0", if *turn { "==" } else { "!=" })
    };
    if periods.is_empty() { "true".into() } else { periods.iter().zip(turns).map(one).collect::<Vec<_>>().join(" && ") }
}
