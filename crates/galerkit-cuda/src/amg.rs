//! The set-up of smoothed-aggregation algebraic multigrid on the GPU, from a matrix that is there: every array of
//! every level is the one that the host makes, bit for bit (linalg's `multigrid::amg`; Vanek, Mandel, Brezina 1996;
//! Bell, Dalton, Olson 2012). Real symmetric matrices.
//!
//! | file | what |
//! |---|---|
//! | `options` | what may be asked for |
//! | `set_up` | what is called from elsewhere |
//! | `hierarchy` | all levels, and new values for them |
//! | `level` | one level: the stages in their order |
//! | `strength` | row sums, isolated rows, strong edges, the filter |
//! | `roots` | two maximal independent sets at distance two |
//! | `aggregates` | numbers, and the rows that no root owns |
//! | `prolongator` | P on the pattern of A^F T |
//! | `single` | a matrix in single precision inside of double |
//! | `coarse` | R = P^T and R (A P) |
//! | `maps`, `built` | the levels as linear maps; as a preconditioner |
//! | `build`, `refillable` | both steps; what takes other values for it |
//! | `clock` | how long each stage took |
//! | `tools`, `kernels` | kernels, memory, texts |

mod aggregates;
mod build;
mod built;
mod clock;
mod coarse;
mod hierarchy;
mod kernels;
mod level;
mod maps;
mod options;
mod prolongator;
mod refillable;
mod roots;
mod set_up;
mod single;
mod strength;
mod tools;

pub use build::build;
pub use clock::Stages;
pub use hierarchy::Hierarchy;
pub use kernels::sources;
pub use level::{Facts, Level};
pub use maps::{LevelMaps, Maps};
pub use options::Options;
pub use refillable::Refillable;
pub use set_up::{in_single, refill, set_up};
