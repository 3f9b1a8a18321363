//! The whole text of a program: its plans, the kernels of each, and the resident kernel where it is wanted. Needs no GPU.

use super::{Call, Form, Names, Persistent, Variant, Watching, calls, preamble, runs, stage_kernel};
use crate::map::{Map, Protocol};
use crate::plan::{Stage, ends_under_condition, monitored, stages};
use galerkit_linalg::engine::record::fuse::{Facts, Most, Role, held};
use galerkit_linalg::engine::record::{Line, MapId, Program, Slot, VectorId, inspect};
use galerkit_linalg::scalar::ScalarKind;

/// What a program must know of the maps and vectors that it names.
pub trait Place {
    /// A loaded map.
    fn loaded(&self, A: MapId) -> &Map;
    /// Entries of a vector.
    fn length(&self, x: VectorId) -> usize;
    /// Whether a vector is in single precision.
    fn is_low(&self, x: VectorId) -> bool;
}

/// One way an iteration can go.
pub struct Planned {
    /// What was fused.
    pub stages: Vec<Stage>,
    /// The kernels, in order.
    pub calls: Vec<Call>,
    /// Which of the texts has them.
    pub source: usize,
}

/// A program as CUDA text.
pub struct Generated {
    /// The names under which its kernels know what they work on.
    pub names: Names,
    /// One plan for each way an iteration can go, in the order of [`inspect::way`].
    pub plans: Vec<Planned>,
    /// The lines that decide which way it is.
    pub periodic: Vec<Line>,
    /// Whether its iterations have loops inside: then there is the resident kernel only.
    pub nests: bool,
    /// Most sums that one stage computes.
    pub dots: usize,
    /// Threads a block of its other kernels.
    pub threads: usize,
    /// Threads a block of the kernel `persistent`, if there is one; each multiprocessor has one block.
    pub resident: Option<usize>,
    /// Whether its blocks are one cluster.
    pub clustered: bool,
    /// The texts. The first has what is there only once; cyclic programs have one more for each place of the cycle, so
    /// that they can be compiled side by side.
    pub sources: Vec<String>,
}

/// What registers allow in one pass without spilling, by the size of a scalar.
fn most(kind: ScalarKind) -> Most {
    match kind {
        ScalarKind::F32 => Most { dots: 8, vectors: 16 },
        ScalarKind::F64 | ScalarKind::C32 => Most { dots: 8, vectors: 12 },
        ScalarKind::C64 => Most { dots: 4, vectors: 8 },
    }
}

/// Plans in one text; cyclic programs have more.
pub const FEW_WAYS: usize = 4;

impl Generated {
    /// Plans and writes. `watched` makes the program the body of a loop; `form` says how kernels are
    /// cut, and whether the one-kernel form is wanted.
    pub fn new(place: &dyn Place, kind: ScalarKind, program: &Program, watched: Option<Slot>, form: Form) -> Self {
        let lines = &program.lines;
        let role = |line: &Line| line.map().map_or(Role::Elementwise, |A| place.loaded(A).role());
        let facts = Facts { role: &role, length: &|x| place.length(x), most: most(kind) };
        let protocol = |A: MapId| place.loaded(A).protocol;
        let mut names = Names::default();
        let all = inspect::every_line(lines);
        all.iter().for_each(|line| names.read(line, &|x| place.is_low(x)));
        let low_maps: Vec<MapId> = all
            .iter()
            .filter(|line| line.map().is_some() && place.is_low(line.rows_of()))
            .filter_map(|line| line.map())
            .collect();
        let ways = inspect::ways(lines);
        let planned = |way: usize| {
            let mut stages = stages(inspect::flatten_way(lines, way), &facts);
            if watched.is_some() && ends_under_condition(&stages) {
                stages.push(Stage::default());
            }
            let prefix = format!("plan{way}_stage");
            let calls =
                stages.iter().enumerate().flat_map(|(at, stage)| calls(&prefix, at, stage, &protocol)).collect();
            Planned { stages, calls, source: if ways > FEW_WAYS { way } else { 0 } }
        };
        let nests = inspect::nests(lines);
        let plans: Vec<Planned> =
            if nests { vec![all_stages(lines, &facts)] } else { (0..ways).map(planned).collect() };
        names.note_lists(
            plans.iter().flat_map(|plan| &plan.stages).flat_map(|stage| runs::lists(&stage.pass)).collect(),
        );
        let dots = plans.iter().flat_map(|plan| &plan.stages).map(sums).max().unwrap_or(0);
        let heaviest = plans.iter().flat_map(|plan| &plan.stages).map(weight).max().unwrap_or(0);
        let form = match heaviest {
            _ if nests => form.roomy(kind),
            weight if weight > light(kind) => form.roomy(kind),
            weight if weight > LIGHTEST => form.with_fewer_resident(kind),
            _ => form,
        };
        let preamble = preamble(kind, dots.max(1), form, &names, |A| place.loaded(A), |A| low_maps.contains(&A));
        let texts = plans.last().map_or(1, |plan| plan.source + 1);
        let mut sources = vec![preamble; texts];
        plans.iter().for_each(|plan| sources[plan.source] += &plan_text(plan, watched, &names, &protocol));
        sources[0] += PUBLISH;
        let periodic: Vec<Line> =
            lines.iter().filter(|line| matches!(line, Line::Every { .. } | Line::Turns { .. })).cloned().collect();
        let resident = form.resident.filter(|_| watched.is_some());
        if let Some(watched) = watched.filter(|_| resident.is_some()) {
            let writer = Persistent { watched, names: &names, protocol: &protocol };
            let mut variants = Vec::new();
            for (way, plan) in plans.iter().enumerate() {
                variants.push(Variant { condition: way_condition(&periodic, way), stages: &plan.stages });
            }
            sources[0] += &if nests { writer.of_lines(lines, &facts) } else { writer.of_variants(&variants) };
        }
        Self {
            names,
            plans,
            periodic,
            nests,
            dots,
            threads: form.threads,
            resident,
            clustered: form.clustered,
            sources,
        }
    }
}

/// Vectors and sums of one pass that fit the registers of a resident block of the largest size: those of CG.
const LIGHTEST: usize = 6;

/// Vectors and sums of one pass that fit the registers of usual blocks.
fn light(kind: ScalarKind) -> usize {
    if kind == ScalarKind::C64 { 5 } else { 7 }
}

/// What a pass holds at once: vectors and sums.
fn weight(stage: &Stage) -> usize {
    if runs::is_all_dots(&stage.pass) {
        return light(ScalarKind::F32); // written for the usual registers, see solver.cuh
    }
    held(&stage.pass) + sums(stage)
}

/// Numbers that a stage makes of vectors.
fn sums(stage: &Stage) -> usize {
    stage.pass.iter().filter(|line| line.reduces()).count()
}

/// What a program with loops inside does, one stage after the other, for accounts of it; it has no kernels but one.
fn all_stages(lines: &[Line], facts: &Facts<'_>) -> Planned {
    let mut all = Vec::new();
    for part in lines.chunk_by(|one, other| !one.is_control() && !other.is_control()) {
        match &part[0] {
            Line::Every { body, .. } | Line::Unless { body, .. } | Line::Repeat { body, .. } => {
                all.extend(all_stages(body, facts).stages);
            }
            Line::Turns { bodies } => {
                all.extend(bodies.iter().flat_map(|body| all_stages(body, facts).stages));
            }
            _ => all.extend(stages(part.to_vec(), facts)),
        }
    }
    Planned { stages: all, calls: Vec::new(), source: 0 }
}

/// Tells the host what the kernels before it have found.
const PUBLISH: &str = "extern \"C\" __global__ void publish_norms(const __grid_constant__ Args a) {
    after_previous_kernel();
    publish(*a.state);
}
";

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

/// When a way comes, in the words of the persistent kernel.
fn way_condition(periodic: &[Line], mut way: usize) -> String {
    let mut conditions = Vec::new();
    for line in periodic.iter().rev() {
        let choices = inspect::ways(std::slice::from_ref(line));
        let choice = way % choices;
        way /= choices;
        conditions.push(match line {
            Line::Every { period, .. } => {
                format!("unsigned(iteration + 1) % {period} {} 0", if choice == 1 { "==" } else { "!=" })
            }
            _ => format!("unsigned(iteration) % {choices} == {choice}"),
        });
    }
    conditions.reverse();
    if conditions.is_empty() { "true".into() } else { conditions.join(" && ") }
}
