//! Krylov methods: one file each, in the paper's notation, written against [`Engine`](crate::engine::Engine).
//!
//! | method | for | vectors kept | per iteration |
//! |---|---|---|---|
//! | [`cg`] | Hermitian positive definite A and M | 4 | 1 A, 1 M, 2 dots, 1 norm, 3 updates |
//!
//! A method by itself trusts its recursive residual. [`verified`] runs any of them and accepts "converged" only from
//! the true one.

mod backward;
mod cg;
mod outcome;
mod stop;
mod verified;

pub use backward::{backward_error, frobenius_norm};
pub use cg::cg;
pub use outcome::Outcome;
pub use stop::{Monitor, Observer, Reference, Run, Stop, Watch};
pub use verified::{Method, Verified, verified};
