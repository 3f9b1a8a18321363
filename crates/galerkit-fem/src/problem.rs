//! Boundary value problems: forms and data on a space, their systems and solutions.
//!
//! | file | what |
//! |---|---|
//! | [`data`] | the problem: forms, sources, boundary data |
//! | [`assembler`] | patterns and element matrices to systems |
//! | [`system`] | the matrix and right-hand side of a problem, and u_h from their solution |
//! | [`floating`] | parts of the domain on which u is determined up to a constant |
//! | [`discretisation`] | what all kinds of spaces can do with a problem |
//! | [`solution`] | u_h: values, gradients, points |

pub mod assembler;
mod cells;
pub mod data;
pub mod discretisation;
pub mod floating;
pub mod solution;
mod solve;
pub mod system;

pub use assembler::Assembler;
pub use data::Problem;
pub use discretisation::Discretisation;
pub use solution::Solution;
pub use system::{Interior, System};
