//! Runs recorded programs on a GPU. A program is compiled when it first runs, to pieces that follow each other:
//! launches of fused kernels, loops as replayed graphs (replay.rs), as one persistent kernel (persistent.rs) or driven
//! by the host (by_host.rs). What it was compiled to is kept as long as its [`Code`](galerkit_linalg::engine::Code).

mod ahead;
mod bound;
mod compile;
mod control;
mod cuda;
mod mailbox;
mod memory;
mod run;
mod settings;
mod together;
mod told;
mod unit;
mod verbs;

pub(crate) use bound::Bound;
pub(crate) use control::Control;
pub use cuda::{Cuda, executor};
pub use settings::{Settings, Strategy};
pub(crate) use unit::{Frame, Unit};
