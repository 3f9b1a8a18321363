//! Krylov methods: one file each, in the paper's notation, written against [`Engine`](crate::engine::Engine).
//!
//! | method | for | vectors kept | per iteration |
//! |---|---|---|---|
//! | [`cg`] | Hermitian positive definite A and M | 4 | 1 A, 1 M, 2 dots, 1 norm, 3 updates |

mod cg;
mod stop;

pub use cg::cg;
pub use stop::{Monitor, Observer, Outcome, Reference, Run, Stop, Watch};
