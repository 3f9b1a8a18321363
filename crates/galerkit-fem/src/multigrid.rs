//! p-multigrid for hp spaces: the degrees of all cells are halved down to 1, then the forest is coarsened while it has
//! levels; what is left is inverted, or continued by algebraic multigrid where it is large. The cycle is that of
//! `galerkit_linalg::multigrid`.
//!
//! | file | what |
//! |---|---|
//! | [`settings`] | what can be chosen |
//! | [`spaces`] | the sequence of spaces |
//! | [`transfer`] | prolongation and restriction between them |
//! | [`blocks`] | the functions of each vertex, edge, face and interior, as ranges of unknowns |
//! | [`low_energy`] | functions of entities, extended with little energy |
//! | `alike` | cells whose matrices are multiples of each other |
//! | [`weights`] | diagonals and diagonal blocks of the matrix in such functions |
//! | [`interiors`] | coefficients in the interior of cells from those on their boundary |
//! | [`extension`], `extension_device` | that as a map, and its transpose |
//! | [`scaling`] | the diagonal of nodal functions, applied within entities |
//! | [`smoother`] | all of that as the smoother's L^-1 |
//! | [`coarse`] | what solves with the coarsest matrix: an inverse, or algebraic multigrid |
//! | [`build`] | the hierarchy of a problem |
//! | [`mod@block_jacobi`] | block Jacobi by entity |

mod alike;
pub mod block_jacobi;
pub mod blocks;
pub mod build;
pub mod coarse;
pub mod extension;
mod extension_device;
pub mod interiors;
pub mod low_energy;
pub mod scaling;
pub mod settings;
pub mod smoother;
pub mod spaces;
pub mod transfer;
pub mod weights;

pub use block_jacobi::block_jacobi;
pub use build::{LevelSize, Multigrid};
pub use settings::{Operators, Settings};
