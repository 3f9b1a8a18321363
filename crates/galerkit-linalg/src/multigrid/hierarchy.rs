//! A hierarchy of systems in host memory, the finest first: on each level A, the smoother's L^-1 with its polynomial,
//! and the transfers to and from the next level; below all of them what solves with the coarsest A.

use super::chain::load_in;
use super::cycle::{Cycle, Last, Loaded};
use super::shape::Shape;
use super::smoother::{Polynomial, Smoother};
use crate::engine::{Engine, Operator};
use crate::map::{InSingle, LinearMap};
use crate::program::Precision;
use crate::scalar::Scalar;
use crate::sparse::Matrix;

/// Vectors of a level: of its smoother, its chain of maps and the cycle.
const VECTORS: usize = 9;

/// A level above the coarsest.
#[derive(Clone, Debug)]
pub struct Level<S: Scalar> {
    /// The matrix; none on the finest level of a hierarchy that is never in another precision than the operator it is
    /// loaded with.
    pub A: Option<Box<dyn LinearMap<S>>>,
    /// L^-1 as a product of maps; the one that is applied first in front.
    pub inverse: Vec<Box<dyn LinearMap<S>>>,
    /// The polynomial in L^-1 A that smooths.
    pub polynomial: Polynomial,
    /// P, from the next level to this one.
    pub prolongation: Box<dyn LinearMap<S>>,
    /// R, from this level to the next.
    pub restriction: Box<dyn LinearMap<S>>,
}

/// What solves with the coarsest matrix.
#[derive(Clone, Debug)]
pub enum Bottom<S: Scalar> {
    /// Its inverse.
    Inverse(Box<dyn LinearMap<S>>),
    /// A smoother of a matrix that is too large to be inverted; without one it is the finest.
    Smoother {
        /// The matrix.
        A: Option<Box<dyn LinearMap<S>>>,
        /// L^-1.
        inverse: Vec<Box<dyn LinearMap<S>>>,
        /// The polynomial.
        polynomial: Polynomial,
    },
}

/// What a level is made of, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSizes {
    /// Unknowns.
    pub rows: usize,
    /// Entries of the matrix; 0 where it is none.
    pub nnz: usize,
    /// Bytes of the matrix or operator; on the coarsest level of the inverse.
    pub operator_bytes: usize,
    /// Bytes of all maps, without the finest matrix.
    pub bytes: usize,
}

/// All levels.
#[derive(Clone, Debug)]
pub struct Hierarchy<S: Scalar> {
    /// The levels above the coarsest, the finest first.
    pub levels: Vec<Level<S>>,
    /// Below them.
    pub bottom: Bottom<S>,
    /// How often coarser levels are visited.
    pub shape: Shape,
    /// Whether R = P^H and all matrices are Hermitian, so that a K-cycle minimises energies, not residuals.
    pub is_hermitian: bool,
    /// What the result of a cycle is multiplied by: 1, unless the matrices are scaled.
    pub scale: f64,
}

impl<S: Scalar> Bottom<S> {
    fn rows(&self) -> usize {
        match self {
            Bottom::Inverse(map) => map.shape().0,
            Bottom::Smoother { inverse, .. } => inverse.last().map_or(0, |map| map.shape().0),
        }
    }
    fn bytes(&self) -> usize {
        match self {
            Bottom::Inverse(map) => map.bytes(),
            Bottom::Smoother { A, inverse, .. } => A.iter().chain(inverse).map(|map| map.bytes()).sum::<usize>(),
        }
    }
}

impl<S: Scalar> Hierarchy<S> {
    /// A V-cycle over levels whose coarsest matrix has this inverse, all of them Hermitian positive definite.
    pub fn new(levels: Vec<Level<S>>, inverse: Box<dyn LinearMap<S>>) -> Self {
        Self { levels, bottom: Bottom::Inverse(inverse), shape: Shape::V, is_hermitian: true, scale: 1.0 }
    }

    /// Unknowns of each level, the finest first.
    pub fn unknowns(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.prolongation.shape().0).chain([self.bottom.rows()]).collect()
    }

    /// Each level in numbers, the finest first.
    pub fn sizes(&self) -> Vec<MapSizes> {
        let nnz = |A: &dyn LinearMap<S>| A.known::<Matrix<S>>().map_or(0, Matrix::nnz);
        let of_level = |(l, level): (usize, &Level<S>)| {
            let operator_bytes = level.A.as_ref().map_or(0, |A| A.bytes());
            let others = level.inverse.iter().chain([&level.prolongation, &level.restriction]);
            let own = if l == 0 { 0 } else { operator_bytes };
            let bytes = own + others.map(|map| map.bytes()).sum::<usize>();
            MapSizes {
                rows: level.prolongation.shape().0,
                nnz: level.A.as_deref().map_or(0, nnz),
                operator_bytes,
                bytes,
            }
        };
        let (rows, bytes) = (self.bottom.rows(), self.bottom.bytes());
        let last = MapSizes { rows, nnz: 0, operator_bytes: bytes, bytes };
        self.levels.iter().enumerate().map(of_level).chain([last]).collect()
    }

    /// Bytes of what [`load`](Self::load) brings into an engine, its vectors included.
    pub fn bytes(&self, precision: Precision) -> usize {
        let is_single = precision == Precision::Single;
        let matrix = |level: &Level<S>| level.A.as_ref().map_or(0, |A| A.bytes());
        let maps = |level: &Level<S>| {
            let inverse = level.inverse.iter().map(|map| map.bytes()).sum::<usize>();
            inverse + level.prolongation.bytes() + level.restriction.bytes() + matrix(level)
        };
        let vectors = |rows: usize| VECTORS * rows * size_of::<S>();
        let given = if is_single { 0 } else { self.levels.first().map_or(0, matrix) };
        let all = self.levels.iter().map(maps).sum::<usize>() + self.bottom.bytes() - given
            + self.unknowns().into_iter().map(vectors).sum::<usize>();
        if is_single { all / 2 } else { all }
    }

    /// The same in single precision.
    ///
    /// # Panics
    /// If a map has no such form.
    pub fn rounded(&self) -> Hierarchy<S::Single> {
        let all = |maps: &[Box<dyn LinearMap<S>>]| maps.iter().map(|map| in_single(&**map)).collect();
        let level = |level: &Level<S>| Level {
            A: level.A.as_deref().map(in_single),
            inverse: all(&level.inverse),
            polynomial: level.polynomial,
            prolongation: in_single(&*level.prolongation),
            restriction: in_single(&*level.restriction),
        };
        let bottom = match &self.bottom {
            Bottom::Inverse(map) => Bottom::Inverse(in_single(&**map)),
            Bottom::Smoother { A, inverse, polynomial } => {
                Bottom::Smoother { A: A.as_deref().map(in_single), inverse: all(inverse), polynomial: *polynomial }
            }
        };
        let Self { shape, is_hermitian, scale, .. } = *self;
        Hierarchy { levels: self.levels.iter().map(level).collect(), bottom, shape, is_hermitian, scale }
    }

    /// The cycle in an engine that has the finest A. In single precision it uses a copy of its own of A, if it has one,
    /// and only what goes in and comes out is in full precision.
    pub fn load<E: Engine<Scalar = S>, F: Operator<E>>(&self, e: &mut E, A: F, precision: Precision) -> Cycle<E, F> {
        self.clone().load_whole(e, A, precision)
    }

    /// The same, where nobody needs the hierarchy on the host any more.
    pub fn load_whole<E: Engine<Scalar = S>, F: Operator<E>>(
        self,
        e: &mut E,
        A: F,
        precision: Precision,
    ) -> Cycle<E, F> {
        let rows = self.unknowns();
        let (shape, is_hermitian) = (self.shape, self.is_hermitian);
        let visits_again = |l: usize| shape != Shape::V && l + 2 < rows.len();
        let mut levels = Vec::new();
        for (l, level) in self.levels.into_iter().enumerate() {
            let is_given = l == 0 && precision == Precision::Full;
            let own = level.A.filter(|_| !is_given).map(|A| load_in(e, A, precision));
            let smoother = Smoother::load(e, level.inverse, level.polynomial, precision);
            let (P, R) = (load_in(e, level.prolongation, precision), load_in(e, level.restriction, precision));
            levels.push(Loaded::new(e, own, smoother, (P, R), ([rows[l], rows[l + 1]], visits_again(l)), precision));
        }
        let last = match self.bottom {
            Bottom::Inverse(map) => Last::Inverse(load_in(e, map, precision)),
            Bottom::Smoother { A, inverse, polynomial } => {
                let A = A.map(|A| load_in(e, A, precision));
                Last::Smoother(A, Smoother::load(e, inverse, polynomial, precision))
            }
        };
        Cycle::new(e, (A, levels, last), (shape, is_hermitian), (rows[0], self.scale), precision)
    }
}

/// A map for vectors in single precision.
fn in_single<S: Scalar>(map: &dyn LinearMap<S>) -> Box<dyn LinearMap<S::Single>> {
    match map.known::<InSingle<S>>() {
        Some(single) => single.0.clone_map(),
        None => map.to_single().expect("the map has a form in single precision"),
    }
}
