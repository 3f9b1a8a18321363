//! Krylov methods: one file each, in the paper's notation, written against [`Engine`](crate::engine::Engine).
//!
//! | method | for | vectors kept | per iteration |
//! |---|---|---|---|
//! | [`cg`] | Hermitian positive definite A and M | 4 | 1 A, 1 M, 2 dots, 1 norm, 3 updates |
//! | [`flexible_cg`] | the same; M may change | 4 | 1 A, 1 M, 3 dots, 1 norm, 3 updates |
//! | [`pipelined_cg`] | the same; one reduction | 9 | 1 A, 1 M, 4 dots, 1 norm, 8 updates |
//! | [`minres`] | Hermitian A, positive definite M | 8 | 1 A, 1 M, 2 dots, 1 norm, 6 updates |
//! | [`bicgstab`] | any A | 6 | 2 A, 2 M, 4 dots, 1 norm, 6 updates |
//! | [`idr`] | any A; s shadow vectors | 3s + 3 | 1 A, 1 M; in s + 1 iterations s² + s + 3 dots, 2s² + 2s + 2 updates |
//! | [`gcr`] | A with (r, A M r) not 0; M may change | 2m + 1 | 1 A, 1 M, j + 4 dots, 2j + 2 updates, j < m |
//! | [`vpgcr`] | the same; M an inner solve | 2m + 3 | 1 A, 1 inner solve, j + 6 dots, 2j + 4 updates |
//! | [`orthodir`] | any A | 2m + 1 | 1 A, 1 M, j + 4 dots, 2j + 4 updates, or about 1.5 times that |
//! | [`gmres`] | any A | m + 2 | 1 A, 1 M, j + 3 dots, j + 2 updates, or about twice that |
//! | [`compressed_gmres`] | any A | m in single precision, 2 | as GMRES, 1 copy |
//! | [`fgmres`] | any A; M may change | 2m + 1 | as GMRES |
//! | [`richardson`], [`increments`] | stationary: smoothers, inner solves | 2, 3 | 1 A, 1 M, 1 norm or 2 maxima, 1 update |
//!
//! A method by itself trusts its recursive residual. [`verified`] runs any of them and accepts "converged" only from
//! the true one.

mod any;
mod arnoldi;
mod backward;
mod bicgstab;
mod cg;
mod choice;
mod compressed_gmres;
mod fgmres;
mod flexible_cg;
mod gcr;
mod gmres;
mod idr;
mod inner;
mod inner_method;
mod judged;
mod minres;
mod orthodir;
mod pipelined_cg;
mod stationary;
mod verified;
mod vpgcr;

pub use crate::program::{Monitor, Observer, Outcome, Reference, Run, Stop, Watch};
pub use any::{run_any, run_inner_any, vpgcr_any};
pub use backward::{backward_error, frobenius_norm};
pub use bicgstab::bicgstab;
pub use cg::cg;
pub use choice::Krylov;
pub use compressed_gmres::compressed_gmres;
pub use fgmres::fgmres;
pub use flexible_cg::flexible_cg;
pub use gcr::gcr;
pub use gmres::gmres;
pub use idr::idr;
pub use inner::{Inner, Solve, inner_stop};
pub use inner_method::InnerMethod;
pub use judged::{first_not_finite, norm, residual};
pub use minres::minres;
pub use orthodir::orthodir;
pub use pipelined_cg::pipelined_cg;
pub use stationary::{increments, richardson};
pub use verified::{Attempt, Method, Truth, Verified, verified, verify};
pub use vpgcr::vpgcr;
