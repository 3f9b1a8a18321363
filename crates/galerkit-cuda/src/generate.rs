//! CUDA text from stages. Vectors, numbers and maps get names in the order of their appearance, sizes come as arguments:
//! programs of the same shape have the same text, and are compiled once.
//!
//! | file | what |
//! |---|---|
//! | `names` | names, and the arguments that go with them |
//! | `entry` | the lines of a pass for one entry of its vectors |
//! | `number` | scalar lines |
//! | `stage` | one kernel per stage, for replayed graphs |
//! | `persistent` | one kernel for a whole loop |
//! | `module` | all of a program |

mod entry;
mod module;
mod names;
mod number;
mod persistent;
mod stage;

pub use module::{Generated, Place, Planned};
pub use names::{Arguments, Names};
pub use persistent::{Variant, persistent_kernel};
pub use stage::{Call, Watching, calls, stage_kernel};

use crate::map::Map;
use galerkit_linalg::engine::record::MapId;
use galerkit_linalg::scalar::ScalarKind;

const PRELUDE: &str = include_str!("../kernels/prelude.cuh");
const SOLVER: &str = include_str!("../kernels/solver.cuh");

/// The lines that choose the scalar, and the prelude.
pub fn prelude(kind: ScalarKind) -> String {
    let real = if matches!(kind, ScalarKind::F32 | ScalarKind::C32) { "float" } else { "double" };
    let scalar = if kind.is_complex() { "Complex" } else { "Real" };
    format!("typedef {real} Real; struct Complex; typedef {scalar} Scalar;\n{PRELUDE}")
}

/// Threads a block of the kernels of a graph.
pub const THREADS: usize = 256;

/// What stands before generated kernels: prelude, what solvers share, the text of each map in its namespace, `Args`.
pub fn preamble<'a>(
    kind: ScalarKind,
    [most_dots, resident_threads]: [usize; 2],
    names: &Names,
    map: impl Fn(MapId) -> &'a Map,
) -> String {
    let mut text = prelude(kind);
    text += &format!(
        "constexpr unsigned THREADS = {THREADS}, RESIDENT_THREADS = {resident_threads}, MOST_DOTS = {most_dots};\n{SOLVER}"
    );
    for (k, &id) in names.maps().iter().enumerate() {
        text += &format!("\nnamespace map{k} {{\n{}\n}}\n", map(id).source);
    }
    text +=
        "\nstruct Args {\n    State *state;\n    Scalar *partials;\n    unsigned *ticket;\n    unsigned *arrived;\n";
    text += "    Offset *epoch;\n    Offset most;\n    Offset n;\n";
    text + &names.members() + "};\n\n"
}
