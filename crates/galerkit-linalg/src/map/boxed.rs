//! Maps behind a trait object, compiled here once for each scalar: whoever boxes a map compiles all that it can do.

use super::{Diagonal, Gather, InSingle, LinearMap, OnMultivector};
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Matrix;

per_scalar! {
    /// A stored matrix.
    pub fn matrix_map<S>(A: Matrix<S>) -> Box<dyn LinearMap<S>> = boxed;
    /// A diagonal matrix.
    pub fn diagonal_map<S>(D: Diagonal<S>) -> Box<dyn LinearMap<S>> = boxed;
    /// A matrix for several columns at once.
    pub fn multivector_map<S>(A: OnMultivector<S>) -> Box<dyn LinearMap<S>> = boxed;
    /// A gather.
    pub fn gather_map<S>(gather: Gather) -> Box<dyn LinearMap<S>> = boxed;
    /// A map for vectors in single precision.
    pub fn single_map<S>(map: Box<dyn LinearMap<<S as Scalar>::Single>>) -> Box<dyn LinearMap<S>> = in_single;
}

fn boxed<S: Scalar, M: LinearMap<S> + 'static>(map: M) -> Box<dyn LinearMap<S>> {
    Box::new(map)
}

fn in_single<S: Scalar>(map: Box<dyn LinearMap<S::Single>>) -> Box<dyn LinearMap<S>> {
    Box::new(InSingle::<S>(map))
}
