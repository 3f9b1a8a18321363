//! The whole source of a program: its plans, the kernels of each, and the persistent kernel where it is wanted. Needs
//! no GPU.

use super::ir::{Kernel, Statement, element, name, print_kernel};
use super::kernels::{Planned, kernels};
use super::passes::merge;
use super::persistent::{by_block, cached};
use super::{Form, Names, Persistent, Place, calls, multi, preamble, registers};
use crate::map::Interface;
use crate::plan::{Stage, ends_under_condition, stages, temporary};
use galerkit_linalg::program::elements::by_elements;
use galerkit_linalg::program::fuse::{Facts, Role};
use galerkit_linalg::program::{Instruction, MapId, Program, Slot, Vector, inspect, variants};
use galerkit_linalg::scalar::ScalarKind;

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
    /// Scalars that the kernel `persistent` tells when its loop has ended, those that are computed behind it; none: it
    /// has nothing there.
    pub told: Option<Vec<Slot>>,
    /// Threads a block of its other kernels.
    pub threads: usize,
    /// Threads a block of the kernel `persistent`, if there is one; each multiprocessor has one block.
    pub persistent: Option<usize>,
    /// Bytes of shared memory that its launches bring.
    pub shared: usize,
    /// The sources. The first has what is there only once; long programs have several, so that they can be compiled
    /// side by side.
    pub sources: Vec<String>,
}

/// Scalars that a persistent kernel tells the host: 16 bytes each at most.
pub(crate) const MOST_TOLD: usize = 16;

/// Bodies of which a persistent kernel may be made: beyond these it takes too long to compile.
const MOST_BODIES: usize = 64;
/// Bytes of scalars that a persistent kernel has room for by itself, and those that its launches may bring: with what
/// else is in shared memory (up to 31 KiB) no more than the 99 KiB of the GPUs that have least.
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
        let (framed, body) = taken_apart(program, form);
        let instructions = &with_elements(place, body);
        let (count, nests) = (variants::variants(instructions), inspect::nests(instructions));
        let role = role(place);
        // Variants outside of a loop are parts that the host launches: each is cut as it would be alone.
        let are_alike = watched.is_some() && count > merge::FEW_VARIANTS;
        let most = if are_alike { registers::alike_most(kind) } else { registers::most(kind) };
        let facts = Facts { role: &role, most, mixed: true };
        let interface = |A: MapId| place.loaded(A).interface;
        let planned = |variant| planned(instructions, variant, (&facts, &interface), (watched, form));
        let mut plans: Vec<Planned> =
            if nests { vec![all_stages(instructions, &facts)] } else { (0..count).map(planned).collect() };
        let frame = framed.map(|part| stages(part.to_vec(), &facts));
        let every_stage = || {
            let [first, after] = &frame;
            first.iter().chain(plans.iter().flat_map(|plan| &plan.stages)).chain(after)
        };
        let single_maps = single_maps(instructions);
        let is_single = |A: MapId| single_maps.contains(&A);
        let mut names = names(place, ([framed[0], instructions, framed[1]], are_alike), every_stage, &is_single);
        names.note_scalar(kind);
        if form.persistent.is_some() {
            let changes = |A: MapId| inspect::changes(&program.instructions, A.values);
            names.note_held(&|A| place.loaded(A).holds, &changes);
        }
        let form =
            if nests || are_alike { form.roomy(kind) } else { registers::fitted(form, kind, every_stage(), &names) };
        let dots = every_stage().map(registers::sums).max().unwrap_or(0);
        let most_and_all = (dots.max(1), every_stage().map(registers::sums).sum());
        let told = form.is_framed().then(|| told(framed[1]));
        let mut sources = kernels(&mut plans, watched, (&mut names, &interface));
        let preamble = preamble(kind, most_and_all, form, &names, |A| place.loaded(A), is_single);
        sources.iter_mut().for_each(|source| source.insert_str(0, &preamble));
        sources[0] += &print_kernel(&publish(&names));
        let is_periodic = |one: &&Instruction| matches!(one, Instruction::Every { .. } | Instruction::Cyclic { .. });
        let periodic: Vec<Instruction> = instructions.iter().filter(is_periodic).cloned().collect();
        let room = names.slot_count() * kind.bytes();
        let shared = if form.persistent.is_some() && room > OWN_ROOM { room.next_multiple_of(16) } else { 0 };
        if let Some(watched) = watched.filter(|_| form.persistent.is_some()) {
            let writer = Persistent {
                watched,
                names: &names,
                interface: &interface,
                shared,
                frame: &frame,
                told: told.as_deref(),
            };
            if nests {
                sources[0] += &print_kernel(&writer.of_instructions(instructions, &facts)); // there is no other form
            } else {
                let stages: Vec<&[Stage]> = plans.iter().map(|plan| &plan.stages[..]).collect();
                let kernel = cached::kernel(&writer, &periodic, &stages);
                if kernel.1 > MOST_BODIES || shared > MOST_ROOM {
                    return None;
                }
                sources[0] += &kernel.0;
            }
        }
        let Form { threads, persistent, .. } = form;
        Some(Self { names, plans, periodic, nests, dots, told, threads, persistent, shared, sources })
    }
}

/// What stands before the loop of a program and behind it, where there is a kernel for that, and the body.
fn taken_apart(program: &Program, form: Form) -> ([&[Instruction]; 2], &[Instruction]) {
    let all = &program.instructions[..];
    let (first, rest) = all.split_at(form.frame[0]);
    let (body, after) = rest.split_at(rest.len() - form.frame[1]);
    (if form.is_framed() { [first, after] } else { [&[], &[]] }, body)
}

/// The scalars that instructions compute, as far as the host has room for them.
fn told(after: &[Instruction]) -> Vec<Slot> {
    after.iter().filter_map(Instruction::scalar_write).take(MOST_TOLD).collect()
}

/// The names of everything that a program mentions, and of what its stages go through.
fn names<'a, Stages: Iterator<Item = &'a Stage>>(
    place: &dyn Place,
    (program, are_alike): ([&[Instruction]; 3], bool),
    every_stage: impl Fn() -> Stages,
    is_single: &dyn Fn(MapId) -> bool,
) -> Names {
    let mut names = Names::default();
    let all = program.into_iter().flat_map(inspect::every_instruction);
    all.for_each(|instruction| names.read(instruction));
    if are_alike {
        names.note_alike();
    }
    let source = |A| (&place.loaded(A).source, is_single(A));
    names.note_spaces(&|A, B| source(A) == source(B));
    names.note_lists(every_stage().flat_map(|stage| multi::lists(&stage.pass, &names)).collect());
    names.note_temporary(temporary(every_stage(), &|x| place.is_confined(x)));
    names
}

/// The maps whose products are in single precision.
fn single_maps(instructions: &[Instruction]) -> Vec<MapId> {
    let all = inspect::every_instruction(instructions).into_iter();
    let of_single = |one: &Instruction| one.map().filter(|_| one.rows_of().is_single());
    all.filter_map(of_single).collect()
}

/// The plan of a variant.
fn planned(
    instructions: &[Instruction],
    variant: usize,
    (facts, interface): (&Facts<'_>, &dyn Fn(MapId) -> Interface),
    (watched, form): (Option<Slot>, Form),
) -> Planned {
    let mut stages = stages(variants::flatten_variant(instructions, variant), facts);
    if watched.is_some() && ends_under_condition(&stages) {
        stages.push(Stage::default());
    }
    let prefix = format!("plan{variant}_stage");
    let calls = stages.iter().enumerate().flat_map(|(at, stage)| calls(&prefix, at, stage, interface));
    // A loop in one kernel has no others.
    let calls = if form.persistent.is_some() { Vec::new() } else { calls.collect() };
    Planned { stages, calls }
}

/// Products by elements taken apart.
fn with_elements(place: &dyn Place, instructions: &[Instruction]) -> Vec<Instruction> {
    let is_by_elements = |A: MapId| matches!(place.loaded(A).interface, Interface::Elements { .. });
    by_elements(instructions.to_vec(), &is_by_elements, &|x| place.is_confined(x))
}

/// How instructions fuse.
fn role(place: &dyn Place) -> impl Fn(&Instruction) -> Role {
    |instruction| instruction.map().map_or(Role::Elementwise, |A| place.loaded(A).role(instruction))
}

/// The form that the kernels of straight instructions get, by what their passes hold.
pub fn fitted_form(place: &dyn Place, kind: ScalarKind, instructions: &[Instruction], form: Form) -> Form {
    let role = role(place);
    let facts = Facts { role: &role, most: registers::most(kind), mixed: true };
    let stages = stages(with_elements(place, instructions), &facts);
    registers::fitted(form, kind, stages.iter(), &Names::default())
}

/// The vectors of a program with nested loops that are temporary in it, whichever of its parts are compiled apart.
pub fn temporary_in(place: &dyn Place, kind: ScalarKind, instructions: &[Instruction]) -> Vec<Vector> {
    let role = role(place);
    let facts = Facts { role: &role, most: registers::most(kind), mixed: true };
    let instructions = &with_elements(place, instructions);
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
    Planned { stages: all, calls: Vec::new() }
}

/// Tells the host what the kernels before it have found: the norms of a loop, or all scalars.
fn publish(names: &Names) -> Kernel {
    let tell = Statement::set(element(name("a.told"), name("k")), element(name("a.s"), name("k")));
    let body = vec![
        Statement::Fixed("after_previous_kernel();"),
        Statement::when(name("a.told"), [by_block(names.slot_count(), tell)]),
        Statement::when(!name("a.told"), [Statement::Fixed("publish(*a.state);")]),
    ];
    Kernel { bounds: None, name: "publish_norms".into(), body }
}
