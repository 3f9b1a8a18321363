//! Source 000 (Osés Villanueva 2013): linear systems of an hp finite element code on a CPU and on a GPU. A is the
//! stiffness matrix of Poisson's equation, x is given and b = A x; solvers are timed as the dimension grows, from 1,000
//! to what memory allows, and their errors are checked. The source had 40,000 unknowns and conjugate gradients;
//! preconditioners, elimination and larger dimensions are what it proposes or compares in words.
//!
//! | file | what |
//! |---|---|
//! | `problem` | the systems: cubes of degrees 1, 2 and 3, the first one cut |
//! | `solver` | the solvers, and what each needs |
//! | `study` | solves, one after the other, and what they would cost before they are begun |
//! | `amdahl` | the speed-up that the share of the loop allows |

mod amdahl;
mod problem;
mod solver;
mod study;

pub use amdahl::{Amdahl, amdahl};
pub use problem::{Problem, sizes};
pub use solver::{Case, Solver, cases};
pub use study::{Limits, MOST_ERROR, Row, Study};

pub use super::place::Place;

/// The dimension that the source reached.
pub const PUBLISHED: usize = 40_000;
