//! CUDA source from stages. Instructions become a kernel IR, passes work on it, one printer makes source of it.
//! Vectors, scalars and maps get names in the order of their appearance, sizes come as arguments: programs of the same
//! shape have the same source, and are compiled once.
//!
//! | file | what |
//! |---|---|
//! | `ir`, `ir/` | expressions, statements, kernels; the printer |
//! | `passes`, `passes/` | forwarding, rerolled loops, merged variants, where tables are |
//! | `names`, `variables` | names, and the arguments that go with them; what is held in registers |
//! | `entry`, `pointwise` | the instructions of a pass for one entry of its vectors; recorded closures |
//! | `multi` | multi-dot and multi-axpy |
//! | `walk` | how a pass goes through its rows |
//! | `scalar`, `scalars`, `many_scalars` | one instruction on scalars; those of a step; many in a kernel of a graph |
//! | `call`, `stage` | one kernel per stage, for replayed graphs |
//! | `kernels` | those of all graphs of a program, each shape once |
//! | `persistent`, `persistent/` | one kernel for a whole loop |
//! | `selector` | which variant an iteration is |
//! | `programs`, `cache`, `digest` | programs that were generated before; how they are found |
//! | `place`, `registers`, `module` | maps and vectors where it runs; how kernels are cut; all of a program |
//! | `classes` | sizes of blocks that persistent kernels are compiled for |

mod cache;
mod call;
pub mod classes;
mod digest;
mod entry;
mod ir;
mod kernels;
mod many_scalars;
mod module;
mod multi;
mod names;
mod passes;
mod persistent;
mod place;
mod pointwise;
pub(crate) mod programs;
mod registers;
mod scalar;
mod scalars;
mod selector;
mod stage;
mod variables;
mod walk;

pub use call::{Call, Watching, calls};
pub use kernels::{FEW_PLANS, Planned};
pub use module::{Generated, fitted_form};
pub use names::{Arguments, Names};
pub use place::Place;

use persistent::Persistent;
use stage::stage_kernel;

use crate::map::Map;
use galerkit_linalg::program::MapId;
use galerkit_linalg::scalar::ScalarKind;

const PRELUDE: &str = concat!(include_str!("../kernels/ptx.cuh"), include_str!("../kernels/prelude.cuh"));
const FUNCTIONS: &str = include_str!("../kernels/functions.cuh");
const HELD: &str = include_str!("../kernels/held.cuh");
const SOLVER: &str = include_str!("../kernels/solver.cuh");

/// The definitions that choose the scalar, and the prelude.
pub fn prelude(kind: ScalarKind) -> String {
    let real = if matches!(kind, ScalarKind::F32 | ScalarKind::C32) { "float" } else { "double" };
    let scalar = if kind.is_complex() { "Complex" } else { "Real" };
    format!(
        "typedef {real} Real; typedef float SingleReal; template <class R> struct ComplexOf;\n\
         typedef ComplexOf<Real> Complex; typedef ComplexOf<SingleReal> SingleComplex;\n\
         typedef {scalar} Scalar; typedef Single{scalar} Single;\n{PRELUDE}"
    )
}

/// The same in front of maps, where no kernel is a persistent one.
pub fn prelude_of_maps(kind: ScalarKind) -> String {
    prelude(kind) + &classes::line(classes::NONE, false) + HELD
}

/// How kernels are to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Threads a block of the kernels of a graph.
    pub threads: usize,
    /// Blocks that a multiprocessor must be able to hold: bounds the registers.
    pub min_blocks: usize,
    /// Threads a block of the persistent kernel, if there is to be one: bounds the registers. Each multiprocessor has
    /// one block.
    pub persistent: Option<usize>,
    /// Whether the blocks of that kernel are one cluster.
    pub clustered: bool,
    /// Instructions of the program that stand before its loop, and behind it: they are for that kernel alone.
    pub frame: [usize; 2],
}

/// Registers of a multiprocessor.
const REGISTERS: usize = 65536;

impl Form {
    /// The usual: blocks as large as was fastest, and registers enough for a product with its epilogue, so that none is
    /// spilled. Large blocks where they sum over rows; products that do not go by rows are written for 256 threads.
    pub fn usual(kind: ScalarKind, large: bool) -> Self {
        let (threads, min_blocks) = match (kind, large) {
            (ScalarKind::C64, _) => (256, 3),
            (_, false) => (256, 4),
            (_, true) => (512, 2),
        };
        Self { threads, min_blocks, persistent: None, clustered: false, frame: [0; 2] }
    }

    /// With at least so many registers for a thread, and so many threads, if elements ask for that.
    pub fn for_elements(self, asked: Option<[usize; 2]>) -> Self {
        let Some([registers, threads]) = asked else { return self };
        Self { threads, min_blocks: (REGISTERS / (registers * threads)).max(1), ..self }
    }

    /// With a persistent kernel whose blocks have work for so many threads, and may be one cluster. Both are known to
    /// the compiler, in classes: one source for all sizes, with the registers of the largest block and a cluster asked
    /// for at run time, took 1.2 times as long at 32^3.
    pub fn with_persistent(self, kind: ScalarKind, share: usize, clustered: bool) -> Self {
        let most = if kind == ScalarKind::C64 { 512 } else { 1024 };
        Self { persistent: Some(classes::threads_for(share).min(most)), clustered, ..self }
    }

    /// With more registers for each thread of the persistent kernel.
    fn with_fewer_persistent(self, kind: ScalarKind) -> Self {
        let most = if kind == ScalarKind::C64 { 256 } else { 512 };
        Self { persistent: self.persistent.map(|threads| threads.min(most)), ..self }
    }

    /// Whether the persistent kernel runs what stands around its loop.
    fn is_framed(self) -> bool {
        self.persistent.is_some() && self.frame != [0; 2]
    }

    /// With registers enough for passes that hold many vectors and sums at once, for nested loops, and for the scalars
    /// of a cycle.
    fn roomy(self, kind: ScalarKind) -> Self {
        let min_blocks = if kind == ScalarKind::C64 { 1 } else { 2 };
        Self { threads: 256, min_blocks, ..self.with_fewer_persistent(kind) }
    }
}

/// What makes the source of a map one in single precision: names in its namespace that hide those outside.
const IN_SINGLE: &str = "typedef SingleReal Real; typedef SingleComplex Complex; typedef Single Scalar;
__device__ inline Scalar zero() { return to_single(::zero()); }
__device__ inline Scalar scalar(double a) { return to_single(::scalar(a)); }
";

/// Totals of a persistent kernel that are taken in place, without a call: a few, because each is a loop of its own.
const MOST_IN_PLACE: usize = 16;

/// What stands before generated kernels: prelude, what solvers share, the source of each map in its namespace, `Args`.
pub fn preamble<'a>(
    kind: ScalarKind,
    (most_dots, all_dots): (usize, usize),
    form: Form,
    names: &Names,
    map: impl Fn(MapId) -> &'a Map,
    is_single: impl Fn(MapId) -> bool,
) -> String {
    let mut source = prelude(kind);
    let Form { threads, min_blocks, persistent, clustered, .. } = form;
    let persistent = persistent.unwrap_or(classes::NONE);
    if names.has_closures() {
        source += FUNCTIONS;
    }
    source += &format!(
        "constexpr unsigned THREADS = {threads}, MIN_BLOCKS = {min_blocks}, MOST_DOTS = {most_dots}, LONGEST_LIST = {};\n\
         constexpr bool MANY_TOTALS = {};\n{}{SOLVER}{HELD}",
        names.longest_list(),
        all_dots > MOST_IN_PLACE,
        classes::line(persistent, clustered)
    );
    for (k, id) in names.spaces().enumerate() {
        let low = if is_single(id) { IN_SINGLE } else { "" };
        source += &format!("\nnamespace map{k} {{\n{low}{}\n}}\n", map(id).source);
    }
    source + "\n" + &names.structure() + "\n"
}
