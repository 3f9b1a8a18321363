//! Whole programs, cached: a solve that is repeated generates nothing.

use super::cache::Cache;
use super::module::temporary_in;
use super::{Form, Generated, Place, digest};
use galerkit_linalg::program::{Program, Slot, Vector};
use galerkit_linalg::scalar::ScalarKind;
use std::sync::Arc;

static PROGRAMS: Cache<Generated> = Cache::new();
static TEMPORARY: Cache<Vec<Vector>> = Cache::new();

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

/// The vectors that are temporary in a program with nested loops: see [`temporary_in`].
pub fn temporary(place: &dyn Place, kind: ScalarKind, program: &Program) -> Arc<Vec<Vector>> {
    let digest = digest::of_program(place, kind, program, None, None);
    TEMPORARY.get(digest, || temporary_in(place, kind, &program.instructions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use galerkit_linalg::program::{Instruction, MapId, Precision, Scope, Test};

    /// y = x, y = y + a x, a = (x, y), on vectors that are changed so.
    fn changed(change: impl Fn(Vector) -> Vector, slot: usize) -> Vec<Instruction> {
        let [x, y] = [3, 4].map(|id| change(Vector::new(id, 9, Precision::Full)));
        let a = Slot(slot);
        vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }]
    }

    /// A place without maps.
    struct Nowhere;

    impl Place for Nowhere {
        fn loaded(&self, _: MapId) -> &Map {
            unreachable!("no maps")
        }
    }

    #[test]
    fn whatever_decides_about_a_program_is_in_its_digest() {
        let form = Form::usual(ScalarKind::F64, false);
        let digest = |place: &Nowhere, instructions: Vec<Instruction>, watched| {
            digest::of_program(place, ScalarKind::F64, &Program { instructions }, watched, Some(form))
        };
        let body = || changed(|x| x, 7);
        let constant = |value| vec![Instruction::Constant { value, out: Slot(7) }];
        let unless = |body| vec![Instruction::Unless { test: Test::Positive(Slot(7)), body }];
        let usual = Nowhere;
        let all = [
            digest(&usual, body(), None),
            digest(&usual, body(), Some(Slot(7))),
            digest(&usual, changed(|x| Vector { id: x.id + 1, ..x }, 7), None),
            digest(&usual, changed(|x| x, 8), None),
            digest(&usual, unless(body()), None),
            digest(&usual, vec![Instruction::Every { period: 2, body: body() }], None),
            digest(&usual, vec![Instruction::Cyclic { bodies: vec![body(), body()] }], None),
            digest(&usual, vec![Instruction::Cyclic { bodies: vec![body(), Vec::new()] }], None),
            digest(&usual, constant(0.0), None),
            digest(&usual, constant(-0.0), None),
            digest(&usual, changed(|x| Vector { length: 8, ..x }, 7), None),
            digest(&usual, changed(|x| Vector { precision: Precision::Single, ..x }, 7), None),
            digest(&usual, changed(|x| Vector { scope: Scope::LoopLocal, ..x }, 7), None),
            digest::of_program(&usual, ScalarKind::F32, &Program { instructions: body() }, None, Some(form)),
            digest::of_program(&usual, ScalarKind::F64, &Program { instructions: body() }, None, None),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{i}");
        }
        assert_eq!(all[0], digest(&usual, body(), None));
    }
}
