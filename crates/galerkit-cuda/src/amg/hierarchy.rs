//! All levels of a matrix that is on the GPU, and new values for them.

use super::level::{Facts, Level, Made};
use super::options::Options;
use super::tools::Tools;
use crate::convert::DeviceCsr;
use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use std::sync::Arc;

/// Levels, the finest first; the finest matrix is the caller's.
pub struct Hierarchy<S> {
    /// The levels above the coarsest.
    pub levels: Vec<Level<S>>,
    /// Rows and entries of the coarsest matrix; where it is not small enough, why no level follows.
    pub last: Facts,
    /// The smoother's weights of the coarsest matrix where it is not small enough to be inverted.
    pub last_weights: Option<Arc<Buffer>>,
    near_null: Option<Buffer>,
    options: Options,
}

impl<S: Scalar> Hierarchy<S> {
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        jit: &Jit,
        A: &DeviceCsr<S>,
        near_null: Option<Buffer>,
        options: &Options,
    ) -> Result<Self> {
        let tools = Tools::new(gpu, jit, S::KIND, options)?;
        let mut levels: Vec<Level<S>> = Vec::new();
        let (last, last_weights) = loop {
            let finest = levels.is_empty();
            let A = levels.last().map_or(A, |level| &level.coarse);
            let facts = Facts { rows: A.rows, nnz: A.nnz, ..Facts::default() };
            if A.rows <= options.coarse {
                break (facts, None);
            }
            if levels.len() + 1 >= options.levels {
                break (facts, Some(Arc::new(tools.statistics(A, None, None)?.weights)));
            }
            match tools.level(A, near_null.as_ref().filter(|_| finest))? {
                Made::Level(level) => levels.push(*level),
                Made::Last(weights, facts) => break (facts, Some(Arc::new(weights))),
            }
        };
        gpu.synchronize()?;
        Ok(Self { levels, last, last_weights, near_null, options: options.clone() })
    }

    /// New values in the pattern of A.
    pub(super) fn refill(&mut self, gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<()> {
        if !self.options.refillable {
            let reason = "it was not made to be refilled: ask for `refillable`".into();
            return Err(Error::Unsupported { what: "a refill of algebraic multigrid".into(), reason });
        }
        let options = self.options.clone();
        let tools = Tools::new(gpu, jit, S::KIND, &options)?;
        for l in 0..self.levels.len() {
            let (above, below) = self.levels.split_at_mut(l);
            let A = above.last().map_or(A, |level| &level.coarse);
            tools.refill(A, self.near_null.as_ref().filter(|_| l == 0), &mut below[0])?;
        }
        if self.last_weights.is_some() {
            let coarsest = self.coarsest(A);
            self.last_weights = Some(Arc::new(tools.statistics(coarsest, None, None)?.weights));
        }
        gpu.synchronize()
    }

    /// The coarsest matrix; A is the finest.
    pub fn coarsest<'a>(&'a self, A: &'a DeviceCsr<S>) -> &'a DeviceCsr<S> {
        self.levels.last().map_or(A, |level| &level.coarse)
    }

    /// Bytes of all levels.
    pub fn bytes(&self) -> usize {
        let of = |level: &Level<S>| level.P.bytes() + level.R.bytes() + level.coarse.bytes() + level.weights.bytes();
        self.levels.iter().map(of).sum()
    }
}
