//! All levels as plain arrays: what the set-up makes, on the host or elsewhere, and a cycle needs.

use super::aggregate::Aggregates;
use super::choices::{Interpolation, Scaling};
use super::inverse::Inverse;
use super::nodes::Nodes;
use super::restrict::Class;
use super::strength::Graph;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A level and what leads from it to the next.
#[derive(Clone, Debug)]
pub struct Coarsening<S: Scalar> {
    /// Its matrix; none on the finest level, where whoever sets up has it.
    pub A: Option<Csr<S>>,
    /// Stored entries of its matrix.
    pub nnz: usize,
    /// L^-1 of the smoother.
    pub weights: Vec<S>,
    /// Which rows become one.
    pub aggregates: Aggregates,
    /// From the next level.
    pub P: Csr<S>,
    /// To the next level.
    pub R: Csr<S>,
    /// Whether P is smoothed.
    pub is_smoothed: bool,
    /// Rows that were too long to be smoothed.
    pub capped: usize,
    /// What other values need.
    pub kept: Option<Kept<S>>,
    /// How long it took to get from this level to the next.
    pub seconds: f64,
}

/// Patterns that stay when values change.
#[derive(Clone, Debug)]
pub struct Kept<S: Scalar> {
    /// What P and R are made from again.
    pub origin: Origin<S>,
    /// A P.
    pub AP: Csr<S>,
}

/// How P and R follow from values.
#[derive(Clone, Debug)]
pub enum Origin<S: Scalar> {
    /// They do not depend on them.
    Fixed,
    /// Smoothed with some entries.
    Smoothed(Smoothing),
    /// The same for nodes, from T.
    Nodal(Csr<S>, Nodes<S>, Smoothing),
    /// Interpolated by rows that depend on each other.
    Points(Graph, Interpolation),
}

/// Which entries smooth.
#[derive(Clone, Debug, Default)]
pub struct Smoothing {
    /// Entries of A that the prolongator is smoothed with.
    pub entries: Vec<bool>,
    /// Entries of A^H that the restriction is smoothed with, where A^H is not A in another guise.
    pub adjoint: Vec<bool>,
}

/// How the last system is solved.
#[derive(Clone, Debug)]
pub enum Coarsest<S> {
    /// By its inverse.
    Inverse(Inverse<S>),
    /// By the smoother of high degree, with this L^-1: too many rows are left.
    Smoother(Vec<S>),
}

/// All levels.
#[derive(Clone, Debug)]
pub struct Levels<S: Scalar> {
    /// Those above the last, the finest first.
    pub levels: Vec<Coarsening<S>>,
    /// The last matrix; none where it is the finest.
    pub A: Option<Csr<S>>,
    /// Its rows and entries.
    pub last: (usize, usize),
    /// How it is solved.
    pub coarsest: Coarsest<S>,
    /// What the matrix is to its mirror image.
    pub class: Class,
    /// The near-null vector of the finest level; none is of ones.
    pub near_null: Option<Vec<S>>,
    /// What the smoother divides by.
    pub scaling: Scaling,
    /// How long the inverse took.
    pub seconds: f64,
}

impl<S: Scalar> Levels<S> {
    /// Of no matrix.
    pub fn none() -> Self {
        let (levels, coarsest) = (Vec::new(), Coarsest::Smoother(Vec::new()));
        let (class, near_null, scaling) = (Class::General, None, Scaling::RowNorms);
        Self { levels, A: None, last: (0, 0), coarsest, class, near_null, scaling, seconds: 0.0 }
    }
    /// Rows and entries of all levels, the finest first.
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        self.levels.iter().map(|level| (level.weights.len(), level.nnz)).chain([self.last]).collect()
    }
    /// Entries of all matrices by those of the finest.
    pub fn operator_complexity(&self) -> f64 {
        let sizes = self.sizes();
        sizes.iter().map(|(_, nnz)| *nnz as f64).sum::<f64>() / sizes[0].1.max(1) as f64
    }
    /// Rows of all matrices by those of the finest.
    pub fn grid_complexity(&self) -> f64 {
        let sizes = self.sizes();
        sizes.iter().map(|(rows, _)| *rows as f64).sum::<f64>() / sizes[0].0.max(1) as f64
    }

    /// Whether every number of it is finite.
    pub fn is_finite(&self) -> bool {
        let all = |values: &[S]| values.iter().all(|value| value.finite());
        let matrix = |A: &Option<Csr<S>>| A.as_ref().is_none_or(|A| all(A.val()));
        let level = |level: &Coarsening<S>| matrix(&level.A) && all(&level.weights) && all(level.P.val());
        let last = match &self.coarsest {
            Coarsest::Inverse(inverse) => all(&inverse.val),
            Coarsest::Smoother(weights) => all(weights),
        };
        self.levels.iter().all(level) && matrix(&self.A) && last
    }

    /// The same in single precision, without what other values need.
    pub fn rounded(&self) -> Levels<S::Single> {
        let matrix = |A: &Csr<S>| A.map_values(S::to_single);
        let vector = |x: &[S]| x.iter().map(|value| value.to_single()).collect::<Vec<_>>();
        let level = |level: &Coarsening<S>| Coarsening {
            A: level.A.as_ref().map(matrix),
            nnz: level.nnz,
            weights: vector(&level.weights),
            aggregates: level.aggregates.clone(),
            P: matrix(&level.P),
            R: matrix(&level.R),
            is_smoothed: level.is_smoothed,
            capped: level.capped,
            kept: None,
            seconds: level.seconds,
        };
        Levels {
            levels: self.levels.iter().map(level).collect(),
            A: self.A.as_ref().map(matrix),
            last: self.last,
            coarsest: match &self.coarsest {
                Coarsest::Smoother(weights) => Coarsest::Smoother(vector(weights)),
                Coarsest::Inverse(inverse) => {
                    let Inverse { rows, val, skipped } = inverse;
                    Coarsest::Inverse(Inverse { rows: *rows, val: vector(val), skipped: *skipped })
                }
            },
            class: self.class,
            near_null: self.near_null.as_deref().map(vector),
            scaling: self.scaling,
            seconds: self.seconds,
        }
    }
}
