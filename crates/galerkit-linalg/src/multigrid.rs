//! Multigrid: corrections from coarser systems, between sweeps of a smoother. The cycle knows matrices and maps only,
//! so geometric, p- and algebraic multigrid are different ways to make a [`Hierarchy`].
//!
//! | file | what |
//! |---|---|
//! | [`hierarchy`] | systems, smoothers and transfers of all levels, in host memory |
//! | [`cycle`] | the V-, W- and K-cycle, in an engine's verbs |
//! | [`shape`] | which of them |
//! | [`smoother`] | polynomials in L^-1 A, of the fourth kind or Chebyshev's own |
//! | [`recurrence`] | Chebyshev's recurrence on an interval |
//! | [`chain`] | a product of maps as one operator |
//! | [`spectrum`] | an upper bound of the eigenvalues that a smoother must reduce |
//! | [`amg`] | a hierarchy from the entries of a matrix alone |

pub mod amg;
pub mod chain;
pub mod cycle;
pub mod hierarchy;
pub mod recurrence;
pub mod shape;
pub mod smoother;
pub mod spectrum;

pub use chain::Chain;
pub use cycle::Cycle;
pub use hierarchy::{Bottom, Hierarchy, Level, MapSizes};
pub use recurrence::{Interval, Recurrence};
pub use shape::Shape;
pub use smoother::{Polynomial, Smoother};
pub use spectrum::{bound_on_cpu, largest_eigenvalue};
