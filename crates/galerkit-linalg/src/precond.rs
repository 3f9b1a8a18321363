//! Preconditioners, as maps that approximate the inverse of A.
//!
//! | name | M^-1 | set-up | refuses |
//! |---|---|---|---|
//! | `none` | identity | nothing | nothing |
//! | `jacobi` | diag(A)^-1 | one pass over the diagonal | zero; for CG also negative diagonal entries |
//! | `block-jacobi:4` | inverse of the 4 x 4 diagonal blocks | dense inverses | singular blocks |
//! | `ssor:1.5` | symmetric successive over-relaxation | splits A in triangles | zero; for CG also negative diagonal entries |
//! | `ilu0`, `ilu:2` | U^-1 L^-1, incomplete LU with fill up to a level | one elimination | zero pivots; for CG not positive ones |
//! | `ic0`, `ic0:0.01` | L^-H L^-1, incomplete Cholesky, the diagonal perhaps shifted | one elimination | pivots not positive, A not Hermitian |
//! | `ilu0-blocks:8` | `ilu0` of each of 8 diagonal blocks, couplings between them dropped | one elimination | as `ilu0`; more blocks than rows |
//! | `ilu0-sweeps:3` | `ilu0` with triangular solves by Jacobi sweeps | one elimination | as `ilu0` |
//! | `parilu0:5` | `ilu0` by fixed-point sweeps over all entries at once, exact triangular solves | 5 sweeps | as `ilu0` |
//! | `parilu0:5:3` | the same with triangular solves by 3 Jacobi sweeps | 5 sweeps | as `ilu0` |
//! | `amg`, `amg:classical`, `amg:pairs` | a cycle of algebraic multigrid | a hierarchy of matrices | as `jacobi` |
//! | `chebyshev:4` | a polynomial in L^-1 A, L of the scaled l1 norms of rows | one pass over A | as `jacobi` |
//!
//! [`Preconditioner::prepare`] does the host part for a [`Class`] of methods, [`Prepared::load`] makes an operator of
//! it.

mod block_inverse;
mod block_jacobi;
mod blocks;
mod chebyshev;
mod choice;
mod diagonal;
mod factors;
mod fixed_point;
mod ic;
mod ilu;
mod incomplete;
mod jacobi;
mod jacobi_sweeps;
mod l1_weights;
mod of_diagonal;
mod part;
mod pattern;
mod pivot;
mod prepared;
mod recipe;
mod row;
mod ssor;
mod sweep_error;
mod triangles;

pub use crate::multigrid::{Interval, Recurrence};
pub use block_inverse::{BlockInverses, block_inverses_map};
pub use block_jacobi::BlockDiagonal;
pub use blocks::diagonal_blocks;
pub use chebyshev::{Chebyshev, LoadedChebyshev, Polynomial};
pub use choice::Preconditioner;
pub use factors::{Factorisation, Factors};
pub use fixed_point::ilu0_fixed_point;
pub use incomplete::{ic0, ilu0, iluk};
pub use jacobi::{inverted, jacobi};
pub use jacobi_sweeps::{JacobiSweeps, Swept};
pub use l1_weights::{L1Weights, l1_weights_map};
pub use of_diagonal::{chebyshev_of_diagonal, jacobi_of_diagonal};
pub use pattern::Pattern;
pub use prepared::{Class, Prepared, load_any};
pub use recipe::Recipe;
pub use ssor::Ssor;
pub use sweep_error::sweep_errors;
