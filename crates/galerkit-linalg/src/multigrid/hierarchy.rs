//! A hierarchy of systems in host memory, the finest first: on each level A, the smoother's L^-1 with the interval that its
//! polynomial is least on, and the transfers to and from the next level; below all of them the inverse of the coarsest A.

use super::chain::{Chain, load_in};
use super::cycle::{Cycle, Loaded, System};
use crate::engine::{Engine, Operator};
use crate::map::LinearMap;
use crate::precond::{Interval, Recurrence};
use crate::program::Precision;
use crate::scalar::Scalar;

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

    /// The V-cycle in an engine that has the finest A. In single precision it uses a copy of its own of A, and only what goes in and
    /// comes out is in full precision.
    pub fn load<'a, E: Engine<Scalar = S>>(
        &self,
        e: &mut E,
        A: &'a dyn Operator<E>,
        precision: Precision,
    ) -> Cycle<'a, E> {
        let load = |(l, level): (usize, &Level<S>)| {
            let system = match (l, precision) {
                (0, Precision::Full) => System::Given(A),
                _ => System::Own(load_in(e, &*level.A, precision)),
            };
            level.load(e, system, precision)
        };
        let levels = self.levels.iter().enumerate().map(load).collect();
        let coarse = load_in(e, &*self.coarse, precision);
        Cycle::new(e, levels, coarse, self.unknowns()[0], precision)
    }
}

impl<S: Scalar> Level<S> {
    fn load<'a, E: Engine<Scalar = S>>(&self, e: &mut E, A: System<'a, E>, precision: Precision) -> Loaded<'a, E> {
        let (rows, next) = self.prolongation.shape();
        let inverse = Chain::load(e, &self.inverse, precision);
        let polynomial = Recurrence::new(e, self.interval, rows, precision);
        let P = load_in(e, &*self.prolongation, precision);
        let R = load_in(e, &*self.restriction, precision);
        Loaded::new(e, A, (inverse, polynomial), (P, R), [rows, next], precision)
    }
}
