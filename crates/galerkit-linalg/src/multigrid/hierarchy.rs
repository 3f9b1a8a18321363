//! A hierarchy of systems in host memory, the finest first: on each level A, the smoother's L^-1 with the interval that its
//! polynomial is least on, and the transfers to and from the next level; below all of them the inverse of the coarsest A.

use super::chain::{Chain, load_in};
use super::cycle::{Cycle, Loaded};
use crate::engine::{Engine, Operator, Resident};
use crate::map::LinearMap;
use crate::precond::{Interval, Recurrence};
use crate::program::Precision;
use crate::scalar::Scalar;

/// Vectors of a level: of its smoother, its chain of maps and the cycle.
const VECTORS: usize = 9;

/// A level above the coarsest.
#[derive(Clone, Debug)]
pub struct Level<S: Scalar> {
    /// The matrix, Hermitian positive definite.
    pub A: Box<dyn LinearMap<S>>,
    /// L^-1, Hermitian positive definite, as a product of maps; the one that is applied first in front.
    pub inverse: Vec<Box<dyn LinearMap<S>>>,
    /// The polynomial in L^-1 A that smooths. No eigenvalue may be above the sum of its bounds, or the cycle is indefinite.
    pub interval: Interval,
    /// P, from the next level to this one.
    pub prolongation: Box<dyn LinearMap<S>>,
    /// R = P^H, from this level to the next.
    pub restriction: Box<dyn LinearMap<S>>,
}

/// All levels.
#[derive(Clone, Debug)]
pub struct Hierarchy<S: Scalar> {
    /// The levels above the coarsest, the finest first.
    pub levels: Vec<Level<S>>,
    /// The inverse of the coarsest matrix.
    pub coarse: Box<dyn LinearMap<S>>,
}

impl<S: Scalar> Hierarchy<S> {
    /// Unknowns of each level, the finest first.
    pub fn unknowns(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.A.shape().0).chain([self.coarse.shape().0]).collect()
    }

    /// Bytes of what [`load`](Self::load) brings into an engine, its vectors included.
    pub fn bytes(&self, precision: Precision) -> usize {
        let is_single = precision == Precision::Single;
        let maps = |level: &Level<S>| {
            let inverse = level.inverse.iter().map(|map| map.bytes()).sum::<usize>();
            inverse + level.prolongation.bytes() + level.restriction.bytes() + level.A.bytes()
        };
        let vectors = |rows: usize| VECTORS * rows * size_of::<S>();
        let given = if is_single { 0 } else { self.levels.first().map_or(0, |level| level.A.bytes()) };
        let all = self.levels.iter().map(maps).sum::<usize>() + self.coarse.bytes() - given
            + self.unknowns().into_iter().map(vectors).sum::<usize>();
        if is_single { all / 2 } else { all }
    }

    /// The V-cycle in an engine that has the finest A. In single precision it uses a copy of its own of A, and only what goes in and
    /// comes out is in full precision.
    pub fn load<E: Engine<Scalar = S>, F: Operator<E>>(&self, e: &mut E, A: F, precision: Precision) -> Cycle<E, F> {
        let load = |(l, level): (usize, &Level<S>)| {
            let is_given = l == 0 && precision == Precision::Full;
            let own = (!is_given).then(|| load_in(e, &*level.A, precision));
            level.load(e, own, precision)
        };
        let levels = self.levels.iter().enumerate().map(load).collect();
        let coarse = load_in(e, &*self.coarse, precision);
        Cycle::new(e, (A, levels), coarse, self.unknowns()[0], precision)
    }
}

impl<S: Scalar> Level<S> {
    fn load<E: Engine<Scalar = S>>(&self, e: &mut E, A: Option<Resident<E>>, precision: Precision) -> Loaded<E> {
        let (rows, next) = self.prolongation.shape();
        let inverse = Chain::load(e, &self.inverse, precision);
        let polynomial = Recurrence::new(e, self.interval, rows, precision);
        let P = load_in(e, &*self.prolongation, precision);
        let R = load_in(e, &*self.restriction, precision);
        Loaded::new(e, A, (inverse, polynomial), (P, R), [rows, next], precision)
    }
}
