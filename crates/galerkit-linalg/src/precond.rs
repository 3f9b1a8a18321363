//! Preconditioners, as maps that approximate the inverse of A.
//!
//! | name | M^-1 | set-up | refuses |
//! |---|---|---|---|
//! | `none` | identity | nothing | nothing |
//! | `jacobi` | diag(A)^-1 | one pass over the diagonal | zero; for CG also negative diagonal entries |
//! | `block-jacobi:4` | inverse of the 4 x 4 diagonal blocks | dense inverses | singular blocks |
//! | `ssor:1.5` | symmetric successive over-relaxation | splits A in triangles | zero and negative diagonal entries |

mod block_jacobi;
mod choice;
mod diagonal;
mod jacobi;
mod ssor;

pub use block_jacobi::BlockDiagonal;
pub use choice::Preconditioner;
pub use jacobi::jacobi;
pub use ssor::Ssor;
