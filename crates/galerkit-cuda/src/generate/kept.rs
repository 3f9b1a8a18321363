//! What was written is kept for as long as the process runs, and found by a digest of all that decides about it: to write a program
//! takes longer than a small system takes to be solved. Two depths: a whole program, for a solve that is repeated; and the text of a
//! cycle, 10 to 20 ms for thirty places, with the names that vectors and numbers have in it: the same method on another system of the
//! same kind finds what the first has left.

use super::digest::{self, Digest};
use super::{Form, Generated, Persistent, Place};
use crate::plan::Stage;
use galerkit_linalg::program::{Program, Slot, Vector};
use galerkit_linalg::scalar::ScalarKind;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The text of a cycle, and of how many it is made.
pub type Text = (String, usize);

/// Things of one kind that are kept.
struct Store<T>(Mutex<Option<HashMap<Digest, Arc<T>>>>);

static TEXTS: Store<Text> = Store::new();
static PROGRAMS: Store<Generated> = Store::new();
static MOMENTARY: Store<Vec<Vector>> = Store::new();

impl<T> Store<T> {
    /// Things that are kept at most; texts are of some 100 kB each.
    const MOST: usize = 64;

    const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What has this digest; made if there is none yet. Not locked meanwhile: making one may need another.
    fn get(&self, digest: Digest, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.lock().as_ref().and_then(|kept| kept.get(&digest)) {
            return known.clone();
        }
        let made = Arc::new(make());
        let mut kept = self.lock();
        let kept = kept.get_or_insert_default();
        if kept.len() >= Self::MOST {
            kept.clear();
        }
        kept.insert(digest, made.clone());
        made
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Digest, Arc<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program as CUDA text: see [`Generated::new`].
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

/// The vectors that are momentary in a program with loops inside: see [`momentary_in`](super::module::momentary_in).
pub fn momentary(place: &dyn Place, kind: ScalarKind, program: &Program) -> Arc<Vec<Vector>> {
    let digest = digest::of_program(place, kind, program, None, None);
    MOMENTARY.get(digest, || super::module::momentary_in(place, kind, &program.instructions))
}

/// The text of the ways of a loop, which is `way` in C++.
pub fn text(writer: &Persistent<'_>, way: &str, ways: &[&[Stage]]) -> Arc<Text> {
    TEXTS.get(digest_of_ways(writer, way, ways), || writer.of_ways(way, ways))
}

fn digest_of_ways(writer: &Persistent<'_>, way: &str, ways: &[&[Stage]]) -> Digest {
    let Persistent { watched, names, protocol, shared } = *writer;
    digest::of(|hasher| {
        (names.slot(watched), shared, way, ways.len()).hash(hasher);
        names.hash_members(hasher);
        names.maps().iter().for_each(|&A| protocol(A).hash(hasher));
        for stages in ways {
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
    use galerkit_linalg::program::{Instruction, MapId, Precision, Scope, Test};

    /// y = x, y = y + a x, a = (x, y), with these first names.
    fn lines(vector: usize, slot: usize) -> Vec<Instruction> {
        let [x, y] = [vector, vector + 1].map(|id| Vector::new(id, 9, Precision::Full));
        let a = Slot(slot);
        vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }]
    }

    fn digest_of_text(pass: Vec<Instruction>, shared: usize) -> Digest {
        let mut names = Names::default();
        pass.iter().for_each(|line| names.read(line));
        let watched = pass[2].scalar_write().expect("a dot product");
        let writer = Persistent { watched, names: &names, protocol: &|_| unreachable!("no maps"), shared };
        digest_of_ways(&writer, "0", &[&[Stage { pass, ..Stage::default() }]])
    }

    #[test]
    fn other_names_have_the_same_text_and_other_lines_another() {
        let one = digest_of_text(lines(3, 7), 0);
        assert_eq!(one, digest_of_text(lines(50, 2), 0));
        assert_ne!(one, digest_of_text(lines(3, 7), 8));
        let mut swapped = lines(3, 7);
        let [x, y] = [4, 3].map(|id| Vector::new(id, 9, Precision::Full));
        swapped[0] = Instruction::Copy { x, y };
        assert_ne!(one, digest_of_text(swapped, 0));
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
        let digest = |place: &Nowhere, lines: Vec<Instruction>, watched| {
            digest::of_program(place, ScalarKind::F64, &Program { instructions: lines }, watched, Some(form))
        };
        let body = || lines(3, 7);
        let constant = |value| vec![Instruction::Constant { value, out: Slot(7) }];
        let unless = |body| vec![Instruction::Unless { test: Test::Positive(Slot(7)), body }];
        let usual = Nowhere;
        let all = [
            digest(&usual, body(), None),
            digest(&usual, body(), Some(Slot(7))),
            digest(&usual, lines(4, 7), None),
            digest(&usual, lines(3, 8), None),
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
    fn a_thing_is_made_once() {
        let store = Store::new();
        assert_eq!(*store.get([17, 0xfeed], || 3), 3);
        assert_eq!(*store.get([17, 0xfeed], || panic!("it is there")), 3);
    }
}
