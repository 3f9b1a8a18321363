//! CUDA text from stages. Vectors, numbers and maps get names in the order of their appearance, sizes come as arguments:
//! programs of the same shape have the same text, and are compiled once.
//!
//! | file | what |
//! |---|---|
//! | `names` | names, and the arguments that go with them |
//! | `entry` | the lines of a pass for one entry of its vectors |
//! | `pointwise` | recorded closures for one entry |
//! | `number`, `scalars`, `many_numbers`, `rolled` | a scalar line; all of a step; many of them in a kernel of a graph; loops in them |
//! | `runs` | loops over many vectors inside of a pass |
//! | `stage` | one kernel per stage, for replayed graphs |
//! | `persistent` | one kernel for a whole loop |
//! | `alike`, `tokens` | one text for places of a cycle that do the same |
//! | `kept`, `digest` | programs and texts that are there already; how they are found |
//! | `module` | all of a program |

mod alike;
mod digest;
mod entry;
pub(crate) mod kept;
mod many_numbers;
mod module;
mod names;
mod number;
mod persistent;
mod pointwise;
mod rolled;
mod runs;
mod scalars;
mod stage;
mod tokens;

pub use module::{FEW_WAYS, Generated, Place, Planned};
pub use names::{Arguments, Names};
pub use persistent::Persistent;
pub use stage::{Call, Watching, calls, stage_kernel};

use crate::map::Map;
use galerkit_linalg::program::MapId;
use galerkit_linalg::scalar::ScalarKind;

const PRELUDE: &str = concat!(include_str!("../kernels/ptx.cuh"), include_str!("../kernels/prelude.cuh"));
const FUNCTIONS: &str = include_str!("../kernels/functions.cuh");
const SOLVER: &str = include_str!("../kernels/solver.cuh");

/// The lines that choose the scalar, and the prelude.
pub fn prelude(kind: ScalarKind) -> String {
    let real = if matches!(kind, ScalarKind::F32 | ScalarKind::C32) { "float" } else { "double" };
    let scalar = if kind.is_complex() { "Complex" } else { "Real" };
    format!(
        "typedef {real} Real; typedef float LowReal; template <class R> struct ComplexOf;\n\
         typedef ComplexOf<Real> Complex; typedef ComplexOf<LowReal> LowComplex;\n\
         typedef {scalar} Scalar; typedef Low{scalar} Low;\n{PRELUDE}"
    )
}

/// How kernels are to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Threads a block of the kernels of a graph.
    pub threads: usize,
    /// Blocks that a multiprocessor must be able to hold: bounds the registers.
    pub min_blocks: usize,
    /// Threads a block of the resident kernel, if there is to be one; each multiprocessor has one block.
    pub resident: Option<usize>,
    /// Whether the blocks of that kernel are one cluster.
    pub clustered: bool,
}

impl Form {
    /// The usual: blocks as large as was fastest, and registers enough for a product with its epilogue, so that none is
    /// spilled. Large blocks where they sum over rows; products that do not go by rows are written for 256 threads.
    pub fn usual(kind: ScalarKind, large: bool) -> Self {
        let (threads, min_blocks) = match (kind, large) {
            (ScalarKind::C64, _) => (256, 3),
            (_, false) => (256, 4),
            (_, true) => (512, 2),
        };
        Self { threads, min_blocks, resident: None, clustered: false }
    }

    /// With a resident kernel whose blocks have about so many threads, and may be one cluster.
    pub fn residing(self, kind: ScalarKind, share: usize, clustered: bool) -> Self {
        let most = if kind == ScalarKind::C64 { 512 } else { 1024 };
        Self { resident: Some(share.next_power_of_two().clamp(256, most)), clustered, ..self }
    }

    /// With more registers for each thread of the resident kernel.
    fn with_fewer_resident(self, kind: ScalarKind) -> Self {
        let most = if kind == ScalarKind::C64 { 256 } else { 512 };
        Self { resident: self.resident.map(|threads| threads.min(most)), ..self }
    }

    /// With registers enough for passes that hold many vectors and sums at once, or for loops inside of others.
    fn roomy(self, kind: ScalarKind) -> Self {
        let min_blocks = if kind == ScalarKind::C64 { 1 } else { 2 };
        Self { threads: 256, min_blocks, ..self.with_fewer_resident(kind) }
    }
}

/// What makes the text of a map one in single precision: names in its namespace that hide those outside.
const LOWERED: &str = "typedef LowReal Real; typedef LowComplex Complex; typedef Low Scalar;
__device__ inline Scalar zero() { return lower(::zero()); }
__device__ inline Scalar scalar(double a) { return lower(::scalar(a)); }
";

/// What stands before generated kernels: prelude, what solvers share, the text of each map in its namespace, `Args`.
pub fn preamble<'a>(
    kind: ScalarKind,
    most_dots: usize,
    form: Form,
    names: &Names,
    map: impl Fn(MapId) -> &'a Map,
    is_low: impl Fn(MapId) -> bool,
) -> String {
    let mut text = prelude(kind);
    let Form { threads, min_blocks, resident, clustered } = form;
    let resident = resident.unwrap_or(32);
    if names.has_closures() {
        text += FUNCTIONS;
    }
    text += &format!(
        "constexpr unsigned THREADS = {threads}, MIN_BLOCKS = {min_blocks}, RESIDENT_THREADS = {resident}, \
         MOST_DOTS = {most_dots}, LONGEST_LIST = {};\nconstexpr bool CLUSTERED = {clustered};\n{SOLVER}",
        names.longest_list()
    );
    for (k, &id) in names.maps().iter().enumerate() {
        let low = if is_low(id) { LOWERED } else { "" };
        text += &format!("\nnamespace map{k} {{\n{low}{}\n}}\n", map(id).source);
    }
    text +=
        "\nstruct Args {\n    State *state;\n    Scalar *partials;\n    unsigned *ticket;\n    unsigned *arrived;\n";
    text += "    Offset *epoch;\n    Offset most;\n";
    text + &names.members() + "};\n\n"
}
