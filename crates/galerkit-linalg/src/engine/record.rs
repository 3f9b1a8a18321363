//! The engine that records. One iteration is run symbolically: every verb appends a [`Line`] to a [`Program`], numbers
//! are names of slots. The program can then be executed by anything that understands its lines: here the plain
//! interpreter over a CPU backend; on a GPU, fused kernels replayed as a graph.
//!
//! Symbolic numbers stay `Copy` by writing to a thread-local tape, as tracing systems do.

mod executor;
pub mod fuse;
pub mod inspect;
mod interpret;
mod program;
mod recorded;
mod sink;
mod store;
mod tape;
mod zeroed;

pub use executor::{Executor, Loop};
pub use fuse::{Group, Role, Step};
pub use interpret::Interpreter;
pub use program::{Arithmetic, Line, MapId, Program, Slot, Until, VectorId};
pub use recorded::Recorded;
pub use tape::{SlotRegister, Symbol};
