//! Multigrid: corrections from coarser systems, between sweeps of a smoother. It knows matrices and maps only, so geometric,
//! p- and algebraic multigrid are different ways to make a [`Hierarchy`].
//!
//! | file | what |
//! |---|---|
//! | [`hierarchy`] | systems, smoothers and transfers of all levels, in host memory |
//! | [`cycle`] | the V-cycle, in an engine's verbs |
//! | [`chain`] | a product of maps as one operator |
//! | [`spectrum`] | an upper bound of the eigenvalues that a smoother must reduce |

pub mod amg;
pub mod chain;
pub mod cycle;
pub mod hierarchy;
pub mod spectrum;

pub use chain::Chain;
pub use cycle::Cycle;
pub use hierarchy::{Hierarchy, Level};
pub use spectrum::largest_eigenvalue;
