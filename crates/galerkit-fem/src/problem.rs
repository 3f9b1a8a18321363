//! Boundary value problems: forms and data on a space, their systems and solutions.
//!
//! | file | what |
//! |---|---|
//! | [`data`] | the problem: forms, sources, boundary data |
//! | [`system`] | the matrix and right-hand side of a problem |
//! | [`floating`] | parts of the domain on which u is determined up to a constant |
//! | [`solution`] | u_h: values, gradients, points |

pub mod data;
pub mod floating;
pub mod solution;
pub mod system;

pub use data::Problem;
pub use solution::Solution;
pub use system::{Interior, System};
