//! The triangular solves of SSOR and of incomplete factors: in natural order, on several threads where a model of the
//! dependencies says that this gains, with the same bits in either case.

mod apart;
mod model;
mod pipeline;
mod plan;
mod rows;
mod shared;
#[cfg(test)]
mod tests;

use crate::map::{Numbers, Triangular};
use crate::scalar::Scalar;
use apart::Apart;
use pipeline::Pipeline;
pub use shared::Shared;
use std::sync::Arc;

/// How the sweeps of one preconditioner are run.
#[derive(Debug)]
pub enum Schedule {
    /// On one thread.
    Alone,
    /// On several threads, ranges that do not need each other.
    Apart(Apart),
    /// On several threads, chunk behind chunk.
    Pipelined(Box<Pipeline>),
}

impl Schedule {
    /// Chooses for the current number of threads.
    pub fn new<S: Scalar>(M: &impl Triangular<S>) -> Self {
        let threads = rayon::current_num_threads();
        let apart = Apart::new(M, threads);
        let gain = apart.as_ref().map_or(0.0, |apart| apart.gain);
        let pipeline = if gain < model::GOOD * threads as f64 { Pipeline::new(M, threads) } else { None };
        match (pipeline.filter(|pipeline| pipeline.gain > gain), apart) {
            (Some(pipeline), _) => Schedule::Pipelined(Box::new(pipeline)),
            (None, Some(apart)) => Schedule::Apart(apart),
            (None, None) => Schedule::Alone,
        }
    }

    /// y = M^-1 x
    pub fn apply<S: Scalar>(&self, M: &impl Triangular<S>, numbers: Numbers<'_, S>, x: &[S], y: &mut [S]) {
        match self {
            Schedule::Alone => {
                let (n, y) = (y.len(), Shared::new(y));
                rows::forward((M, numbers), x, y, 0..n);
                rows::backward((M, numbers), y, 0..n);
            }
            Schedule::Apart(apart) => apart.apply(M, numbers, x, y),
            Schedule::Pipelined(pipeline) => pipeline.apply(M, numbers, x, y),
        }
    }
}

/// A schedule once it was made. It is no part of what a preconditioner is: two with different ones are equal.
#[derive(Clone, Debug, Default)]
pub struct Scheduled(Option<Arc<Schedule>>);

impl PartialEq for Scheduled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Scheduled {
    /// For the current number of threads.
    pub fn new<S: Scalar>(M: &impl Triangular<S>) -> Self {
        Self(Some(Arc::new(Schedule::new(M))))
    }

    /// y = M^-1 x with these values; on one thread where none was made.
    pub fn apply<S: Scalar>(&self, M: &impl Triangular<S>, values: &[S], x: &[S], y: &mut [S]) {
        self.apply_with(M, M.among(values), x, y);
    }

    /// The same with given numbers.
    pub fn apply_with<S: Scalar>(&self, M: &impl Triangular<S>, numbers: Numbers<'_, S>, x: &[S], y: &mut [S]) {
        self.0.as_deref().unwrap_or(&Schedule::Alone).apply(M, numbers, x, y);
    }
}
