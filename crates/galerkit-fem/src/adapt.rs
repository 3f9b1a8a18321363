//! Automatic hp-adaptivity: solve, estimate, mark, and raise the degree where the solution is smooth, cut where it is
//! not.
//!
//! | file | what |
//! |---|---|
//! | [`indicator`] | energy of the difference to the solution of degree p + 1, cell by cell |
//! | [`smoothness`] | decay of Legendre coefficients |
//! | `extrapolation` | what is left of the error, from what passes have gained |
//! | [`cycle`] | the loop to a tolerance |

pub mod cycle;
mod extrapolation;
pub mod indicator;
pub mod smoothness;

pub use cycle::{Adapted, Cycle, Refinement, Step};
