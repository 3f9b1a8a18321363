//! The whole source of a program: its plans, the kernels of each, and the persistent kernel where it is wanted. Needs no GPU.

use super::ir::{Kernel, Statement, print_kernel};
use super::passes::merge;
use super::{Call, Form, Names, Persistent, Watching, cache, calls, multi, preamble, stage_kernel};
use crate::map::{Map, Protocol};
use crate::plan::{Stage, ends_under_condition, monitored, stages, temporary};
use galerkit_linalg::program::fuse::{Facts, MANY, Most, Role, held};
use galerkit_linalg::program::{Instruction, MapId, Program, Slot, Vector, inspect, variants};
use galerkit_linalg::scalar::ScalarKind;

/// What a program must know of the maps and vectors that it names.
pub trait Place {
    /// A loaded map.
    fn loaded(&self, A: MapId) -> &Map;
    /// Whether nobody outside of the program reads a vector.
    fn is_confined(&self, x: Vector) -> bool {
        x.is_loop_local()
    }
}

/// One variant of an iteration.
pub struct Planned {
    /// What was fused.
    pub stages: Vec<Stage>,
    /// The kernels, in order.
    pub calls: Vec<Call>,
    /// Which of the sources has them.
    pub source: usize,
}

/// A program as CUDA source.
pub struct Generated {
    /// The names under which its kernels know what they work on.
    pub names: Names,
    /// One plan for each variant of an iteration, in the order of [`variants::variant`].
    pub plans: Vec<Planned>,
    /// The instructions that decide which variant it is.
    pub periodic: Vec<Instruction>,
    /// Whether its iterations have nested loops: then there is the persistent kernel only.
    pub nests: bool,
    /// Most sums that one stage computes.
    pub dots: usize,
    /// Threads a block of its other kernels.
    pub threads: usize,
    /// Threads a block of the kernel `persistent`, if there is one; each multiprocessor has one block.
    pub persistent: Option<usize>,
    /// Whether its blocks are one cluster.
    pub clustered: bool,
    /// Bytes of shared memory that its launches bring.
    pub shared: usize,
    /// The sources. The first has what is there only once; cyclic programs have one more for each position in the cycle, so
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

/// Plans in one source; cyclic programs have more.
pub const FEW_PLANS: usize = 4;

/// Bodies of which a persistent kernel may be made: beyond these it takes too long to compile.
const MOST_BODIES: usize = 64;
/// Bytes of scalars that a persistent kernel has room for by itself, and those that its launches may bring: with what else is in
/// shared memory (up to 31 KiB) no more than the 99 KiB of the GPUs that have least.
const OWN_ROOM: usize = 16 << 10;
const MOST_ROOM: usize = 68 << 10;

impl Generated {
    /// Plans and writes. `watched` makes the program the body of a loop; `form` says how kernels are
    /// cut, and whether the one-kernel form is wanted; it is not made where it would be too much.
    pub fn new(place: &dyn Place, kind: ScalarKind, program: &Program, watched: Option<Slot>, form: Form) -> Self {
        let form = Form { persistent: form.persistent.filter(|_| watched.is_some()), ..form };
        Self::written(place, kind, program, watched, form).unwrap_or_else(|| {
            let form = Form { persistent: None, clustered: false, ..form };
            Self::written(place, kind, program, watched, form).expect("only persistent kernels are too much")
        })
    }

    /// None if the persistent kernel is too much.
    fn written(
        place: &dyn Place,
        kind: ScalarKind,
        program: &Program,
        watched: Option<Slot>,
        form: Form,
    ) -> Option<Self> {
        let instructions = &program.instructions;
        let (count, nests) = (variants::variants(instructions), inspect::nests(instructions));
        let role = role(place);
        let most =
            if form.persistent.is_some() && count > merge::FEW_VARIANTS { merged_most(kind) } else { most(kind) };
        let facts = Facts { role: &role, most, mixed: true };
        let protocol = |A: MapId| place.loaded(A).protocol;
        let mut names = Names::default();
        let all = inspect::every_instruction(instructions);
        all.iter().for_each(|instruction| names.read(instruction));
        let is_low_map = |instruction: &&&Instruction| instruction.map().is_some() && instruction.rows_of().is_single();
        let low_maps: Vec<MapId> = all.iter().filter(is_low_map).filter_map(|instruction| instruction.map()).collect();
        let planned = |variant: usize| {
            let mut stages = stages(variants::flatten_variant(instructions, variant), &facts);
            if watched.is_some() && ends_under_condition(&stages) {
                stages.push(Stage::default());
            }
            let prefix = format!("plan{variant}_stage");
            let calls = stages.iter().enumerate().flat_map(|(at, stage)| calls(&prefix, at, stage, &protocol));
            // A cycle in one kernel has no others.
            let calls = if form.persistent.is_some() && count > FEW_PLANS { Vec::new() } else { calls.collect() };
            let source = if count > FEW_PLANS && form.persistent.is_none() { variant } else { 0 };
            Planned { stages, calls, source }
        };
        let plans: Vec<Planned> =
            if nests { vec![all_stages(instructions, &facts)] } else { (0..count).map(planned).collect() };
        let every_stage = || plans.iter().flat_map(|plan| &plan.stages);
        names.note_lists(every_stage().flat_map(|stage| multi::lists(&stage.pass, &names)).collect());
        names.note_temporary(temporary(every_stage(), &|x| place.is_confined(x)));
        let dots = every_stage().map(sums).max().unwrap_or(0);
        let heaviest = every_stage().map(|stage| weight(stage, &names)).max().unwrap_or(0);
        let form = match heaviest {
            _ if nests => form.roomy(kind),
            weight if weight > light(kind) => form.roomy(kind),
            weight if weight > LIGHTEST => form.with_fewer_persistent(kind),
            _ => form,
        };
        let preamble = preamble(kind, dots.max(1), form, &names, |A| place.loaded(A), |A| low_maps.contains(&A));
        let count = plans.last().map_or(1, |plan| plan.source + 1);
        let mut sources = vec![preamble; count];
        plans.iter().for_each(|plan| sources[plan.source] += &plan_source(plan, watched, &names, &protocol));
        sources[0] += &print_kernel(&publish());
        let is_periodic =
            |instruction: &&Instruction| matches!(instruction, Instruction::Every { .. } | Instruction::Cyclic { .. });
        let periodic: Vec<Instruction> = instructions.iter().filter(is_periodic).cloned().collect();
        let mut shared = 0;
        if let Some(watched) = watched.filter(|_| form.persistent.is_some()) {
            let room = names.slot_count() * kind.bytes();
            shared = if room > OWN_ROOM { room } else { 0 };
            let writer = Persistent { watched, names: &names, protocol: &protocol, shared };
            let stages: Vec<&[Stage]> = plans.iter().map(|plan| &plan.stages[..]).collect();
            if nests {
                sources[0] += &print_kernel(&writer.of_instructions(instructions, &facts)); // there is no other form
            } else {
                let kernel = cache::persistent(&writer, &periodic, &stages);
                if kernel.1 > MOST_BODIES || shared > MOST_ROOM {
                    return None;
                }
                sources[0] += &kernel.0;
            }
        }
        let Form { threads, persistent, clustered, .. } = form;
        Some(Self { names, plans, periodic, nests, dots, threads, persistent, clustered, shared, sources })
    }
}

/// As much as one pass of a cycle may hold that is to be one kernel: few sums beside a product, so that positions differ
/// less, and those with many become loops sooner.
fn merged_most(kind: ScalarKind) -> Most {
    Most { dots: MANY - 1, ..most(kind) }
}

/// Vectors and sums of one pass that fit the registers of a persistent block of the largest size: those of CG.
const LIGHTEST: usize = 6;

/// Vectors and sums of one pass that fit the registers of usual blocks.
fn light(kind: ScalarKind) -> usize {
    if kind == ScalarKind::C64 { 5 } else { 7 }
}

/// What a pass holds at once: vectors and sums.
fn weight(stage: &Stage, names: &Names) -> usize {
    if multi::is_dots(&stage.pass, names) {
        return light(ScalarKind::F32); // written for the usual registers, see solver.cuh
    }
    held(&stage.pass) + sums(stage)
}

/// Scalars that a stage makes of vectors.
fn sums(stage: &Stage) -> usize {
    stage.pass.iter().filter(|instruction| instruction.reduces()).count()
}

/// How instructions fuse.
fn role(place: &dyn Place) -> impl Fn(&Instruction) -> Role {
    |instruction| instruction.map().map_or(Role::Elementwise, |A| place.loaded(A).role())
}

/// The vectors of a program with nested loops that are temporary in it, whichever of its parts are compiled apart.
pub fn temporary_in(place: &dyn Place, kind: ScalarKind, instructions: &[Instruction]) -> Vec<Vector> {
    let role = role(place);
    let facts = Facts { role: &role, most: most(kind), mixed: true };
    temporary(all_stages(instructions, &facts).stages.iter(), &|x| place.is_confined(x))
}

/// What a program with nested loops does, one stage after the other, for accounts of it; it has no kernels but one.
fn all_stages(instructions: &[Instruction], facts: &Facts<'_>) -> Planned {
    let mut all = Vec::new();
    for part in instructions.chunk_by(|one, other| !one.is_control() && !other.is_control()) {
        match &part[0] {
            Instruction::Every { body, .. } | Instruction::Unless { body, .. } | Instruction::Repeat { body, .. } => {
                all.extend(all_stages(body, facts).stages);
            }
            Instruction::Cyclic { bodies } => {
                all.extend(bodies.iter().flat_map(|body| all_stages(body, facts).stages));
            }
            _ => all.extend(stages(part.to_vec(), facts)),
        }
    }
    Planned { stages: all, calls: Vec::new(), source: 0 }
}

/// Tells the host what the kernels before it have found.
fn publish() -> Kernel {
    let body = ["after_previous_kernel();", "publish(*a.state);"].map(Statement::Fixed).into();
    Kernel { bounds: None, name: "publish_norms".into(), body }
}

/// The kernels of a plan.
fn plan_source(plan: &Planned, watched: Option<Slot>, names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    let monitor = watched.map(|slot| (monitored(&plan.stages, slot), slot));
    let mut source = String::new();
    for call in &plan.calls {
        let watching = match monitor {
            Some((at, slot)) if at == call.stage => Watching::Here(slot),
            Some((at, _)) if at < call.stage => Watching::Before,
            _ => Watching::Later,
        };
        source += &print_kernel(&stage_kernel(call, &plan.stages[call.stage], watching, names, protocol));
    }
    source
}
