//! Caches of generated programs, for as long as the process runs; their keys are digests of all that decides about an
//! entry. To generate a program takes longer than a small system takes to be solved. Two depths: a whole program, for a
//! solve that is repeated; and the source of a persistent kernel, 10 to 20 ms for a cycle of thirty positions, with the
//! names that vectors and scalars have in it: the same method on another system of the same kind finds what the first
//! has left.

use super::digest::{self, Digest};
use super::ir::print_kernel;
use super::selector::{choices, period, selector};
use super::{Form, Generated, Persistent, Place};
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, Program, Slot, Vector};
use galerkit_linalg::scalar::ScalarKind;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The source of a kernel, and of how many bodies it is made.
pub type Merged = (String, usize);

/// A cache.
struct Cache<T>(Mutex<Option<HashMap<Digest, Arc<T>>>>);

static KERNELS: Cache<Merged> = Cache::new();
static PROGRAMS: Cache<Generated> = Cache::new();
static TEMPORARY: Cache<Vec<Vector>> = Cache::new();

impl<T> Cache<T> {
    /// Entries at most; sources have some 100 kB each.
    const MOST: usize = 64;

    const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What has this digest; made if there is none yet. Not locked meanwhile: making one may need another.
    fn get(&self, digest: Digest, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.lock().as_ref().and_then(|cached| cached.get(&digest)) {
            return known.clone();
        }
        let made = Arc::new(make());
        let mut cached = self.lock();
        let cached = cached.get_or_insert_default();
        if cached.len() >= Self::MOST {
            cached.clear();
        }
        cached.insert(digest, made.clone());
        made
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Digest, Arc<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program as CUDA source: see [`Generated::new`].
pub fn program(
    place: &dyn Place,
    kind: ScalarKind,
    program: &Program,
    watched: Option<Slot>,
    form: Form,
) -> Arc<Generated> {
    let digest = digest::of_program(place, kind, program, watched, Some(form));
    PROGRAMS.get(digest, || Generated::new(place, kind, program, watched, form))
}

/// The vectors that are temporary in a program with nested loops: see [`temporary_in`](super::module::temporary_in).
pub fn temporary(place: &dyn Place, kind: ScalarKind, program: &Program) -> Arc<Vec<Vector>> {
    let digest = digest::of_program(place, kind, program, None, None);
    TEMPORARY.get(digest, || super::module::temporary_in(place, kind, &program.instructions))
}

/// The persistent kernel of a loop whose iterations have variants: those of these periodic instructions.
pub fn persistent(writer: &Persistent<'_>, periodic: &[Instruction], variants: &[&[Stage]]) -> Arc<Merged> {
    KERNELS.get(digest_of_variants(writer, periodic, variants), || {
        let (kernel, bodies) = writer.of_variants(selector(periodic), variants);
        (print_kernel(&kernel), bodies)
    })
}

fn digest_of_variants(writer: &Persistent<'_>, periodic: &[Instruction], variants: &[&[Stage]]) -> Digest {
    let Persistent { watched, names, protocol, shared } = *writer;
    digest::of(|hasher| {
        (names.slot(watched), shared, variants.len()).hash(hasher);
        periodic.iter().for_each(|instruction| (period(instruction), choices(instruction)).hash(hasher));
        names.hash_members(hasher);
        names.maps().iter().for_each(|&A| protocol(A).hash(hasher));
        for stages in variants {
            stages.len().hash(hasher);
            stages.iter().for_each(|stage| digest::hash_stage(stage, names, hasher));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Names;
    use crate::map::Map;
    use galerkit_linalg::program::{MapId, Precision, Scope, Test};

    /// y = x, y = y + a x, a = (x, y), with these first names.
    fn instructions(vector: usize, slot: usize) -> Vec<Instruction> {
        let [x, y] = [vector, vector + 1].map(|id| Vector::new(id, 9, Precision::Full));
        let a = Slot(slot);
        vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }]
    }

    fn digest_of_kernel(pass: Vec<Instruction>, shared: usize) -> Digest {
        let mut names = Names::default();
        pass.iter().for_each(|instruction| names.read(instruction));
        let watched = pass[2].scalar_write().expect("a dot product");
        let writer = Persistent { watched, names: &names, protocol: &|_| unreachable!("no maps"), shared };
        digest_of_variants(&writer, &[], &[&[Stage { pass, ..Stage::default() }]])
    }

    #[test]
    fn other_names_have_the_same_source_and_other_instructions_another() {
        let one = digest_of_kernel(instructions(3, 7), 0);
        assert_eq!(one, digest_of_kernel(instructions(50, 2), 0));
        assert_ne!(one, digest_of_kernel(instructions(3, 7), 8));
        let mut swapped = instructions(3, 7);
        let [x, y] = [4, 3].map(|id| Vector::new(id, 9, Precision::Full));
        swapped[0] = Instruction::Copy { x, y };
        assert_ne!(one, digest_of_kernel(swapped, 0));
    }

    /// A place without maps.
    struct Nowhere;

    impl Place for Nowhere {
        fn loaded(&self, _: MapId) -> &Map {
            unreachable!("no maps")
        }
    }

    /// The same on other vectors.
    fn with(change: impl Fn(Vector) -> Vector) -> Vec<Instruction> {
        let [x, y] = [3, 4].map(|id| change(Vector::new(id, 9, Precision::Full)));
        let a = Slot(7);
        vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }]
    }

    #[test]
    fn whatever_decides_about_a_program_is_in_its_digest() {
        let form = Form::usual(ScalarKind::F64, false);
        let digest = |place: &Nowhere, instructions: Vec<Instruction>, watched| {
            digest::of_program(place, ScalarKind::F64, &Program { instructions }, watched, Some(form))
        };
        let body = || instructions(3, 7);
        let constant = |value| vec![Instruction::Constant { value, out: Slot(7) }];
        let unless = |body| vec![Instruction::Unless { test: Test::Positive(Slot(7)), body }];
        let usual = Nowhere;
        let all = [
            digest(&usual, body(), None),
            digest(&usual, body(), Some(Slot(7))),
            digest(&usual, instructions(4, 7), None),
            digest(&usual, instructions(3, 8), None),
            digest(&usual, unless(body()), None),
            digest(&usual, vec![Instruction::Every { period: 2, body: body() }], None),
            digest(&usual, vec![Instruction::Cyclic { bodies: vec![body(), body()] }], None),
            digest(&usual, vec![Instruction::Cyclic { bodies: vec![body(), Vec::new()] }], None),
            digest(&usual, constant(0.0), None),
            digest(&usual, constant(-0.0), None),
            digest(&usual, with(|x| Vector { length: 8, ..x }), None),
            digest(&usual, with(|x| Vector { precision: Precision::Single, ..x }), None),
            digest(&usual, with(|x| Vector { scope: Scope::LoopLocal, ..x }), None),
            digest::of_program(&usual, ScalarKind::F32, &Program { instructions: body() }, None, Some(form)),
            digest::of_program(&usual, ScalarKind::F64, &Program { instructions: body() }, None, None),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{i}");
        }
        assert_eq!(all[0], digest(&usual, body(), None));
    }

    #[test]
    fn an_entry_is_made_once() {
        let cache = Cache::new();
        assert_eq!(*cache.get([17, 0xfeed], || 3), 3);
        assert_eq!(*cache.get([17, 0xfeed], || panic!("it is there")), 3);
    }
}
