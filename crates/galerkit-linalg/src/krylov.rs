//! Krylov methods: one file each, in the paper's notation, written against [`Engine`](crate::engine::Engine).
//!
//! | method | for | vectors kept | per iteration |
//! |---|---|---|---|
//! | [`cg`] | Hermitian positive definite A and M | 4 | 1 A, 1 M, 2 dots, 1 norm, 3 updates |
//!
//! A method by itself trusts its recursive residual. [`verified`] runs any of them and accepts "converged" only from
//! the true one.

mod arnoldi;
mod backward;
mod bicgstab;
mod cg;
mod choice;
mod fgmres;
mod flexible_cg;
mod gcr;
mod gmres;
mod idr;
mod inner;
mod minres;
mod orthodir;
mod outcome;
mod pipelined_cg;
mod stationary;
mod stop;
mod verified;
mod vpgcr;

pub use backward::{backward_error, frobenius_norm};
pub use bicgstab::bicgstab;
pub use cg::cg;
pub use choice::Krylov;
pub use fgmres::fgmres;
pub use flexible_cg::flexible_cg;
pub use gcr::gcr;
pub use gmres::gmres;
pub use idr::idr;
pub use inner::{Inner, Solve, inner_stop};
pub use minres::minres;
pub use orthodir::orthodir;
pub use outcome::Outcome;
pub use pipelined_cg::pipelined_cg;
pub use stationary::{increments, richardson};
pub use stop::{Monitor, Observer, Reference, Run, Stop, Watch};
pub use verified::{Method, Verified, verified};
pub use vpgcr::vpgcr;
