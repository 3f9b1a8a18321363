//! The set-up of smoothed-aggregation algebraic multigrid on the GPU, from a matrix that is there: every array of
//! every level is the one that the host makes, bit for bit (linalg's `multigrid::amg`; Vanek, Mandel, Brezina 1996;
//! Bell, Dalton, Olson 2012). Real symmetric matrices.
//!
//! | file | what |
//! |---|---|
//! | `options` | what may be asked for |
//! | `hierarchy` | all levels, and new values for them |
//! | `level` | one level: the stages in their order |
//! | `strength` | row sums, isolated rows, strong edges, the filter |
//! | `roots` | two maximal independent sets at distance two |
//! | `aggregates` | numbers, and the rows that no root owns |
//! | `prolongator` | P on the pattern of A^F T |
//! | `single` | a matrix in single precision inside of double |
//! | `coarse` | R = P^T and R (A P) |
//! | `maps`, `built` | the levels as linear maps; as a preconditioner |
//! | `clock` | how long each stage took |
//! | `tools`, `kernels` | kernels, memory, texts |

mod aggregates;
mod built;
mod clock;
mod coarse;
mod hierarchy;
mod kernels;
mod level;
mod maps;
mod options;
mod prolongator;
mod roots;
mod single;
mod strength;
mod tools;

pub use built::build;
pub use clock::Stages;
pub use hierarchy::Hierarchy;
pub use kernels::sources;
pub use level::{Facts, Level};
pub use maps::{LevelMaps, Maps};
pub use options::Options;

use crate::convert::DeviceCsr;
use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// The hierarchy of a real symmetric matrix with a positive diagonal; `near_null` is as long as it has rows.
    pub fn set_up<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, near_null: Option<Buffer>, options: &Options) -> Result<Hierarchy<S>> = set_up_of;
    /// New values in the pattern of the matrix: edges, aggregates, kept entries and patterns stay. Needs a hierarchy
    /// made with `refillable`.
    pub fn refill<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, hierarchy: &mut Hierarchy<S>) -> Result<()> = refill_of;
}

fn set_up_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    near_null: Option<Buffer>,
    options: &Options,
) -> Result<Hierarchy<S>> {
    require_real::<S>()?;
    Hierarchy::new(gpu, jit, A, near_null, options)
}

/// A times a power of four that brings its largest diagonal entry into [1, 4), rounded to single precision; and the
/// power. Real matrices.
pub fn in_single<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<(DeviceCsr<S::Single>, f64)> {
    require_real::<S>()?;
    single::in_single(gpu, jit, A)
}

fn require_real<S: Scalar>() -> Result<()> {
    if !S::KIND.is_complex() {
        return Ok(());
    }
    let reason = "its kernels are for real matrices; the host sets complex ones up".into();
    Err(Error::Unsupported { what: "the set-up of algebraic multigrid".into(), reason })
}

fn refill_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, hierarchy: &mut Hierarchy<S>) -> Result<()> {
    hierarchy.refill(gpu, jit, A)
}
