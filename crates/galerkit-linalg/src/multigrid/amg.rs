//! Algebraic multigrid: a hierarchy from the entries of a matrix alone, by smoothed aggregation (Vanek, Mandel,
//! Brezina, Computing 56, 1996). No eigenvalue is estimated and no floating-point sum over rows decides anything: what
//! shapes the hierarchy is of one row, or a maximum. So all levels are the same to the last bit on any number of
//! threads and on a GPU. Stages, one a file, with plain arrays between them:
//!
//! | file | what |
//! |---|---|
//! | [`settings`], [`choices`] | [`Amg`]: names and parameters |
//! | [`norms`] | numbers of each row: scaled l1 norm, strongest coupling; the smoother's weights |
//! | [`strength`] | which rows belong together, as a graph |
//! | [`mis`], [`aggregate`](mod@aggregate) | MIS(2) twice, aggregates |
//! | [`tentative`](mod@tentative) | T, from aggregates and the near-null vector |
//! | [`filter`](mod@filter) | A^F, without the small entries of each row |
//! | [`smooth`](mod@smooth) | P = T - G A^F T |
//! | [`restrict`](mod@restrict) | R, of the adjoint |
//! | [`galerkin`](mod@galerkin) | R (A P) |
//! | [`pmis`](mod@pmis), [`extended`](mod@extended), [`direct`](mod@direct) | `amg:classical`: points that stay, interpolation |
//! | [`pairs`](mod@pairs) | `amg:pairs`: aggregates by matching |
//! | [`nodes`], [`vectors`] | several unknowns a node, several near-null vectors |
//! | [`inverse`](mod@inverse) | of the last matrix |
//! | `lambda` | what the smoother divides by |
//! | [`levels`] | all of them as data |
//! | `setup`, `refill` | one level after the other; other values |
//! | `built` | levels in the precision that was asked for, as maps |
//! | [`mod@above`] | levels below a prolongator that is given |
//! | [`summary`] | what there is to report |

pub mod above;
pub mod aggregate;
mod built;
mod check;
pub mod choices;
pub mod direct;
pub mod extended;
pub mod filter;
pub mod galerkin;
pub mod hash;
pub mod inverse;
mod lambda;
pub mod levels;
pub mod mis;
pub mod modulus;
pub mod nodes;
pub mod norms;
pub mod pairs;
pub mod pmis;
mod refill;
pub mod restrict;
pub mod settings;
mod setup;
pub mod smooth;
pub mod strength;
pub mod summary;
pub mod tentative;
pub mod vectors;

pub use above::above;
pub use aggregate::{Aggregates, NONE};
pub use built::{ALONE, Built};
pub use choices::{Interpolation, Kind, Relaxation, Reuse, Scaling};
pub use levels::{Coarsening, Coarsest, Kept, Levels, Origin, Smoothing};
pub use restrict::Class;
pub use settings::Amg;
pub use summary::{LevelSummary, Summary};
