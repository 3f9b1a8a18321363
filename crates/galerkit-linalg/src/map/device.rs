//! What a map brings along for a GPU: kernel source and its arrays as plain data. An engine compiles the source and
//! uploads the arrays; it need not know what they mean.

/// How generated kernels call the source of a map. The source defines `struct Map`, whose members are the [`Word`]s in
/// order, each 8 bytes wide, and the functions of its protocol; `Scalar` and `Offset` (64 bits) are defined before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Row by row: `template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row)` calls
    /// `row(i)(sum)` once for every row i, from whichever thread has the sum, and is called by all threads of a launch
    /// of any shape. Such a product is fused with what follows it.
    Rows,
    /// By elements, then row by row: `template <int PASS> __device__ Scalar elements(const Map &A, const Scalar *x)`,
    /// launched for each PASS from 0 on, each after the one before, into a [`Word::Room`]; then `each_row` as above,
    /// which reads that room and not x. What the threads of pass `energy` return adds up to (x, A x): where a method
    /// asks for that number beside A x, rows are summed only where A x is used.
    Elements {
        /// How many.
        passes: usize,
        /// The one whose threads return parts of (x, A x).
        energy: usize,
        /// Threads of a block of its passes: a multiple of 32.
        threads: usize,
        /// Registers that a thread of its passes should have.
        registers: usize,
    },
    /// By itself: `template <int PASS> __device__ void apply(const Map &A, const Scalar *x, Scalar *y)`, launched for
    /// each PASS from 0 on, each after the one before. A residual b - A x is a product and an update.
    Alone {
        /// How many.
        passes: usize,
    },
}

/// One member of `struct Map`.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// A number.
    Number(u64),
    /// The address of the values, as they are when the kernel runs.
    Values,
    /// The address of an array.
    Array(Vec<u8>),
    /// The address of room for so many bytes, which kernels fill.
    Room(usize),
}

impl Word {
    /// The address of an array of plain numbers.
    pub fn array<T: bytemuck::NoUninit>(data: &[T]) -> Self {
        Word::Array(bytemuck::cast_slice(data).to_vec())
    }
}

/// How many blocks a launch should have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grid {
    /// As many as the rows need.
    #[default]
    Rows,
    /// No more than the GPU holds at once: each goes on to its next rows with their loads under way.
    Fitting,
}

/// Kernel source of a map with its arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceSource {
    /// CUDA C++. It must not contain sizes, or every size would be compiled for: those are [`Word::Number`]s.
    pub source: String,
    /// How it is called.
    pub protocol: Protocol,
    /// The members of its `struct Map`.
    pub words: Vec<Word>,
    /// Threads that work on a row, for the shape of launches.
    pub lanes: usize,
    /// How many blocks its kernels are launched with.
    pub grid: Grid,
}
