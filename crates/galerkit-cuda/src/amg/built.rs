//! The levels of a hierarchy that was set up on the GPU as a preconditioner: its maps stay there, the inverse of the coarsest matrix
//! is the host's.

use super::hierarchy::Hierarchy;
use super::level::Facts;
use super::maps::Maps;
use crate::convert::{DeviceCsr, DiagonalOnDevice, OnDevice};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{LinearMap, matrix_map, single_map};
use galerkit_linalg::multigrid::amg::inverse::inverse;
use galerkit_linalg::multigrid::amg::{ALONE, Amg, Built, Class, LevelSummary, Summary};
use galerkit_linalg::multigrid::hierarchy::{self, Bottom, Level};
use galerkit_linalg::multigrid::smoother::Polynomial;
use galerkit_linalg::scalar::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use std::time::Instant;

/// The levels of A as a preconditioner.
pub(super) fn in_full<S: Scalar>(A: &DeviceCsr<S>, hierarchy: &Hierarchy<S>, amg: &Amg) -> Result<Built<S>> {
    let makers: Makers<'_, S, S> = (&|A| Box::new(A), &|d| Box::new(d), &|inverse| matrix_map(Matrix::Csr(inverse)));
    Parts { maps: hierarchy.maps(), finest: None, amg }.joined(A, makers, (1.0, Precision::Full))
}

/// The levels of a rounded matrix, and what that was scaled by, as a preconditioner in double precision.
pub(super) fn rounded<S: Scalar>(
    (finest, scale): (DeviceCsr<S::Single>, f64),
    hierarchy: &Hierarchy<S::Single>,
    amg: &Amg,
) -> Result<Built<S>> {
    let makers: Makers<'_, S, S::Single> = (&|A| single_map(Box::new(A)), &|d| single_map(Box::new(d)), &|inverse| {
        single_map(matrix_map(Matrix::Csr(inverse)))
    });
    let finest = OnDevice::new(finest);
    let parts = Parts { maps: hierarchy.maps(), finest: Some(finest.clone()), amg };
    parts.joined(finest.rows(), makers, (scale, Precision::Single))
}

/// How matrices, diagonals and the inverse become maps.
type Makers<'a, S, T> = (
    &'a dyn Fn(OnDevice<T>) -> Box<dyn LinearMap<S>>,
    &'a dyn Fn(DiagonalOnDevice<T>) -> Box<dyn LinearMap<S>>,
    &'a dyn Fn(Csr<T>) -> Box<dyn LinearMap<S>>,
);

struct Parts<'a, T: Scalar> {
    maps: Maps<T>,
    /// The finest matrix, where it is not the caller's.
    finest: Option<OnDevice<T>>,
    amg: &'a Amg,
}

impl<T: Scalar> Parts<'_, T> {
    fn joined<S: Scalar>(
        self,
        A: &DeviceCsr<T>,
        (matrix, diagonal, host): Makers<'_, S, T>,
        (scale, precision): (f64, Precision),
    ) -> Result<Built<S>> {
        let Self { maps, mut finest, amg } = self;
        let mut summary = Told::new(&maps, amg);
        let begun = Instant::now();
        let polynomial = Polynomial::FourthKind { degree: amg.degree };
        let mut levels = Vec::new();
        for level in maps.levels {
            let A = level.A.or_else(|| finest.take()).map(matrix);
            let inverse = vec![diagonal(level.weights)];
            levels.push(Level { A, inverse, polynomial, prolongation: matrix(level.P), restriction: matrix(level.R) });
        }
        let bottom = match maps.last_weights {
            None => {
                let last = match &maps.last {
                    Some(last) => last.rows().download()?,
                    None => A.download()?,
                };
                let inverse = inverse(&last, Class::Hermitian);
                summary.skipped(inverse.skipped);
                Bottom::Inverse(host(inverse.to_csr()))
            }
            Some(weights) => {
                let A = maps.last.or_else(|| finest.take()).map(matrix);
                let polynomial = Polynomial::FourthKind { degree: ALONE };
                Bottom::Smoother { A, inverse: vec![diagonal(weights)], polynomial }
            }
        };
        let hierarchy = hierarchy::Hierarchy { levels, bottom, shape: amg.cycle, is_hermitian: true, scale };
        Ok(Built::elsewhere(amg, hierarchy, summary.end(begun), precision))
    }
}

/// What there is to report, while it is gathered.
struct Told(Summary);

impl Told {
    fn new<T: Scalar>(maps: &Maps<T>, amg: &Amg) -> Self {
        let bytes = |map: &dyn LinearMap<T>| map.bytes();
        let mut levels: Vec<LevelSummary> = Vec::new();
        let mut notes = Vec::new();
        for (l, level) in maps.levels.iter().enumerate() {
            let A = level.A.as_ref().map_or(0, |A| bytes(A));
            let own = bytes(&level.weights) + bytes(&level.P) + bytes(&level.R);
            levels.push(told(&level.facts, Some(level.facts.aggregates), own + A));
            if !level.facts.is_smoothed {
                notes.push(format!(
                    "level {l}: the prolongator is not smoothed, the coarse matrix would have had more entries"
                ));
            }
        }
        let Facts { rows, .. } = maps.last_facts;
        let last = maps.last.as_ref().map_or(0, |A| bytes(A)) + rows * rows.min(amg.coarse) * size_of::<T>();
        levels.push(told(&maps.last_facts, None, last));
        if maps.last_weights.is_some() {
            notes.push(format!("coarsening ended at {rows} rows, which a smoother of degree {ALONE} must do alone"));
        }
        let of = |count: fn(&LevelSummary) -> usize| {
            levels.iter().map(|level| count(level) as f64).sum::<f64>() / count(&levels[0]).max(1) as f64
        };
        let (operator_complexity, grid_complexity) = (of(|level| level.nnz), of(|level| level.rows));
        let (name, shape) = (amg.to_string(), amg.cycle);
        Self(Summary { name, levels, operator_complexity, grid_complexity, shape, notes })
    }

    fn skipped(&mut self, count: usize) {
        if count > 0 {
            let pivots = if count == 1 { "pivot was" } else { "pivots were" };
            self.0.notes.push(format!("{count} {pivots} skipped in the coarsest inverse: the matrix is singular"));
        }
    }

    /// With the time of the inverse.
    fn end(mut self, begun: Instant) -> Summary {
        if let Some(last) = self.0.levels.last_mut() {
            last.seconds = begun.elapsed().as_secs_f64();
        }
        self.0
    }
}

fn told(facts: &Facts, aggregates: Option<usize>, bytes: usize) -> LevelSummary {
    let Facts { rows, nnz, outside, rounds, checksum, .. } = *facts;
    let seconds = facts.stages.iter().map(|(_, seconds)| seconds).sum();
    let (outside, rounds, checksum) = if aggregates.is_some() { (outside, rounds, checksum) } else { (0, 0, 0) };
    LevelSummary { rows, nnz, aggregates, outside, rounds, checksum, seconds, bytes }
}
