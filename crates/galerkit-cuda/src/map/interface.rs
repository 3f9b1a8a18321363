//! How generated kernels call a map, and what its text must offer for that.

use galerkit_linalg::program::Instruction;

/// The most blocks that a launch with an [`Interface::Split`] map may have: its carries have room for so many.
pub const MAX_BLOCKS: usize = 4096;

/// Which functions the text of a map offers to generated kernels. `Map` is its struct, all members 8 bytes wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interface {
    /// `template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row)`: calls `row(i)(sum)`
    /// once for every row i, from whichever thread has the sum. `row(i)` loads what else the row needs and may be
    /// called before the sum is there. Called by all threads of the launch. Can head a group.
    Rows,
    /// `__device__ Scalar entry(const Map &A, Offset i)`: what entry i of x is multiplied by.
    Entry,
    /// `template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add add)`:
    /// as `Rows`, but the sum of a row may come in parts: `write(i, sum)` once for every row, then, from
    /// `template <class Add> __device__ void finish(const Map &A, Add add)`, which the last block to arrive calls with
    /// all its threads, `add(i, rest)`, at most once a row. At most [`MAX_BLOCKS`] blocks.
    Split,
    /// `template <int PASS> __device__ Scalar elements(const Map &A, const Scalar *x)` in so many launches, one for
    /// each PASS from 0, and then `each_row` as for `Rows`. What the threads of one of these passes return adds up to
    /// (x, A x).
    Elements {
        /// How many launches.
        passes: usize,
        /// Which of them returns parts of (x, A x).
        energy: usize,
        /// Threads of a block.
        threads: usize,
        /// Registers that a thread of them should have.
        registers: usize,
    },
    /// `template <int PASS> __device__ void apply(const Map &A, const Scalar *x, Scalar *y)`: y = A x in so many
    /// launches, one for each PASS from 0, each with no more blocks than fit the GPU at once, so that blocks may wait
    /// for blocks of a lower number.
    Passes(usize),
    /// None: the map has no kernel source, and its products are computed by the host.
    Host,
}

impl Interface {
    /// How an instruction calls a map: a product by elements sums its rows, the instruction in front of it has the
    /// elements.
    pub fn of(self, instruction: &Instruction) -> Interface {
        match self {
            Interface::Elements { .. } if !matches!(instruction, Instruction::Elements { .. }) => Interface::Rows,
            other => other,
        }
    }
    /// How many launches it takes, and behind which of them the sums of a pass are known.
    pub fn launches(self) -> (usize, usize) {
        match self {
            Interface::Passes(passes) => (passes, passes - 1),
            Interface::Elements { passes, energy, .. } => (passes, energy),
            _ => (1, 0),
        }
    }
}
