//! Programs: what a solver says, as data. Instructions on typed vectors and scalar slots, the facts about them that
//! every executor needs, and the passes that fuse them. Knows neither engines, backends nor methods; everything above
//! does.
//!
//! | file | what |
//! |---|---|
//! | `instruction` | [`Instruction`], [`Program`]; maps |
//! | `vector` | [`Vector`]: a name with length, precision and scope; [`Slot`] |
//! | `pointwise` | [`Tape`]: the expression of a pointwise closure |
//! | `test` | [`Test`]: what must hold for a loop to go on |
//! | `inspect`, `variants` | what instructions read and write; in which variants an iteration can run |
//! | `canonical` | the form of a program without its names, by which compiled code is found again |
//! | `fuse`, `sink`, `zeroed` | which instructions share one pass; which move; which are not needed |
//! | `elements` | products by elements: their energy, and where their rows are summed |
//! | `stop`, `outcome`, `nested` | when loops end, how they ended, what a nested loop tells |

pub mod canonical;
pub mod elements;
pub mod fuse;
pub mod inspect;
mod instruction;
mod nested;
mod outcome;
pub mod pointwise;
mod sink;
mod stop;
mod test;
pub mod variants;
mod vector;
mod zeroed;

pub use crate::scalar::Precision;
pub use canonical::{Binding, canonical};
pub use fuse::{Group, Role, Step};
pub use instruction::{Arithmetic, Instruction, MapId, Program, Until};
pub use nested::{End, Nested};
pub use outcome::Outcome;
pub use pointwise::Tape;
pub use stop::{Monitor, Observer, Reference, Run, Stop, Watch};
pub use test::Test;
pub use vector::{Scope, Slot, Vector};
pub(crate) use zeroed::{with_residuals_of_zero, without_needless_zeros, without_overwritten_zeros};
