//! The levels as linear maps that stay where they are: what a cycle on the same GPU loads, from buffer to buffer.

use super::hierarchy::Hierarchy;
use super::level::{Facts, Level};
use crate::convert::{DiagonalOnDevice, OnDevice};
use galerkit_linalg::Scalar;

/// A level above the coarsest.
pub struct LevelMaps<S: Scalar> {
    /// Its matrix; none on the finest level, whose matrix is the caller's.
    pub A: Option<OnDevice<S>>,
    /// L^-1 of the smoother.
    pub weights: DiagonalOnDevice<S>,
    /// From the next level.
    pub P: OnDevice<S>,
    /// To the next level.
    pub R: OnDevice<S>,
    /// What is told of it.
    pub facts: Facts,
}

/// All levels.
pub struct Maps<S: Scalar> {
    /// Those above the coarsest, the finest first.
    pub levels: Vec<LevelMaps<S>>,
    /// The coarsest matrix; none where it is the finest.
    pub last: Option<OnDevice<S>>,
    /// The smoother's L^-1 on the coarsest level, where that is too large to be inverted.
    pub last_weights: Option<DiagonalOnDevice<S>>,
    /// What is told of the coarsest level.
    pub last_facts: Facts,
}

impl<S: Scalar> Hierarchy<S> {
    /// The levels, whose arrays are shared: what only a refill needs is freed with the hierarchy.
    pub fn maps(&self) -> Maps<S> {
        let (mut levels, mut A) = (Vec::new(), None);
        for level in &self.levels {
            let Level { P, R, coarse, weights, facts, .. } = level;
            let [P, R, coarse] = [P, R, coarse].map(|matrix| OnDevice::new(matrix.share()));
            let weights = DiagonalOnDevice::new(weights.clone());
            levels.push(LevelMaps { A: A.replace(coarse), weights, P, R, facts: facts.clone() });
        }
        let last_weights = self.last_weights.clone().map(DiagonalOnDevice::new);
        Maps { levels, last: A, last_weights, last_facts: self.last.clone() }
    }
}
