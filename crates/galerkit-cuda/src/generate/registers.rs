//! What registers allow: how much a pass may do, and how kernels are cut by what their heaviest pass holds at once.

use super::{Form, Names, multi};
use crate::plan::Stage;
use galerkit_linalg::program::fuse::{Most, held};
use galerkit_linalg::scalar::ScalarKind;

/// What registers allow in one pass without spilling, by the size of a scalar.
pub fn most(kind: ScalarKind) -> Most {
    match kind {
        ScalarKind::F32 => Most { dots: 8, vectors: 16 },
        ScalarKind::F64 | ScalarKind::C32 => Most { dots: 8, vectors: 12 },
        ScalarKind::C64 => Most { dots: 4, vectors: 8 },
    }
}

/// As much as one pass may hold where positions of a cycle are to be alike: one sum beside a product; more are a loop.
pub fn alike_most(kind: ScalarKind) -> Most {
    Most { dots: 1, ..most(kind) }
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
pub fn sums(stage: &Stage) -> usize {
    stage.pass.iter().filter(|instruction| instruction.reduces()).count()
}

/// The form with registers enough for these stages.
pub fn fitted<'a>(form: Form, kind: ScalarKind, stages: impl Iterator<Item = &'a Stage>, names: &Names) -> Form {
    match stages.map(|stage| weight(stage, names)).max().unwrap_or(0) {
        weight if weight > light(kind) => form.roomy(kind),
        weight if weight > LIGHTEST => form.with_fewer_persistent(kind),
        _ => form,
    }
}
