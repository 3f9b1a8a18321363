//! Preconditioners, as maps that approximate the inverse of A.

mod block_jacobi;
mod jacobi;
mod ssor;

pub use block_jacobi::BlockDiagonal;
pub use jacobi::jacobi;
pub use ssor::Ssor;
