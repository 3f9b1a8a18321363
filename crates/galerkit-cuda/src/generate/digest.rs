//! Digests: 128 bits of all that decides about something written before, so that two that differ never have the same.
//! To compute one takes microseconds, to generate a program hundreds.

use super::{Form, Names, Place};
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, MapId, Program, Slot, Test, Until, Vector, inspect};
use galerkit_linalg::scalar::ScalarKind;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

/// 128 bits.
pub type Digest = [u64; 2];

/// The digest of what is given to the hasher.
pub fn of(write: impl FnOnce(&mut Halves)) -> Digest {
    let mut halves = Halves([1u64, 2].map(|half| {
        let mut hasher = DefaultHasher::new();
        half.hash(&mut hasher);
        hasher
    }));
    write(&mut halves);
    halves.0.map(|half| half.finish())
}

/// Two hashers that begin differently and are given the same.
pub struct Halves([DefaultHasher; 2]);

impl Hasher for Halves {
    fn write(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|half| half.write(bytes));
    }
    fn finish(&self) -> u64 {
        self.0[0].finish()
    }
}

/// What stands for vectors, scalars and maps in a digest.
pub trait Known {
    /// For a vector.
    fn vector(&self, x: Vector) -> impl Hash;
    /// For a scalar.
    fn slot(&self, s: Slot) -> usize;
    /// For a map.
    fn map(&self, A: MapId) -> usize;
}

/// Their names: programs that differ in nothing else have the same digest.
impl Known for Names {
    fn vector(&self, x: Vector) -> impl Hash {
        self.vector(x)
    }
    fn slot(&self, s: Slot) -> usize {
        self.slot(s)
    }
    fn map(&self, A: MapId) -> usize {
        self.map(A)
    }
}

/// Themselves, with what there is to know of a vector: for programs in canonical form.
impl Known for &dyn Place {
    fn vector(&self, x: Vector) -> impl Hash {
        (x, self.is_confined(x))
    }
    fn slot(&self, s: Slot) -> usize {
        s.0
    }
    fn map(&self, A: MapId) -> usize {
        A.id
    }
}

/// All that decides about a generated program.
pub fn of_program(
    place: &dyn Place,
    kind: ScalarKind,
    program: &Program,
    watched: Option<Slot>,
    form: Option<Form>,
) -> Digest {
    let mut maps: Vec<MapId> =
        inspect::every_instruction(&program.instructions).into_iter().filter_map(Instruction::map).collect();
    maps.sort();
    maps.dedup();
    of(|hasher| {
        (kind, watched, form).hash(hasher);
        for &A in &maps {
            let map = place.loaded(A);
            (A.id, map.interface, &map.source, map.lanes, map.holds).hash(hasher);
            inspect::changes(&program.instructions, A.values).hash(hasher);
        }
        hash_instructions(&program.instructions, &place, hasher);
    })
}

/// A stage, into a digest.
pub fn hash_stage(stage: &Stage, known: &impl Known, hasher: &mut Halves) {
    let Stage { unless, before, pass, after } = stage;
    unless.len().hash(hasher);
    unless.iter().for_each(|test| hash_test(test, known, hasher));
    [before, pass, after].into_iter().for_each(|instructions| hash_instructions(instructions, known, hasher));
}

fn hash_test(test: &Test<Slot>, known: &impl Known, hasher: &mut Halves) {
    discriminant(test).hash(hasher);
    known.slot(test.number()).hash(hasher);
}

fn hash_instructions(instructions: &[Instruction], known: &impl Known, hasher: &mut Halves) {
    instructions.len().hash(hasher);
    instructions.iter().for_each(|instruction| hash_instruction(instruction, known, hasher));
}

fn hash_instruction(instruction: &Instruction, known: &impl Known, hasher: &mut Halves) {
    discriminant(instruction).hash(hasher);
    instruction
        .reads()
        .into_iter()
        .chain(instruction.writes().iter().copied())
        .for_each(|x| known.vector(x).hash(hasher));
    instruction
        .scalar_reads()
        .into_iter()
        .chain(instruction.scalar_write())
        .for_each(|slot| known.slot(slot).hash(hasher));
    instruction.map().map(|A| known.map(A)).hash(hasher);
    match instruction {
        Instruction::Constant { value, .. } => value.to_bits().hash(hasher),
        Instruction::Pointwise { update, tape, .. } => {
            (update.len(), &tape.nodes, &tape.out).hash(hasher); // its slots are among those that it reads
        }
        Instruction::Scalar { op, .. } => discriminant(op).hash(hasher),
        Instruction::Require { test, otherwise } => (discriminant(test), otherwise).hash(hasher),
        Instruction::Every { period, body } => {
            period.hash(hasher);
            hash_instructions(body, known, hasher);
        }
        Instruction::Cyclic { bodies } => {
            bodies.len().hash(hasher);
            bodies.iter().for_each(|body| hash_instructions(body, known, hasher));
        }
        Instruction::Unless { test, body } => {
            hash_test(test, known, hasher);
            hash_instructions(body, known, hasher);
        }
        Instruction::Repeat { until, body } => {
            let Until { start, watched, rtol, atol, limit, count, ended } = *until;
            [start, watched, count, ended].map(|slot| known.slot(slot)).hash(hasher);
            (rtol.to_bits(), atol.to_bits(), limit).hash(hasher);
            hash_instructions(body, known, hasher);
        }
        _ => (),
    }
}
