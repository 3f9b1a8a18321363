//! Linear maps: what can stand after `apply`. The list is open: a map says its shape, has a product in obvious loops,
//! and where it wants to be fast a product on threads and a kernel source with its arrays. Stored matrices and the
//! parts of preconditioners are such maps; an engine that knows one by its type may do better than by what the map
//! brings along.
//!
//! Maps live on the host until an engine loads them. What a stored map consists of is then a pattern, which stays, and
//! a vector of values, which programs may read and write: products are told the values.

mod boxed;
mod device;
mod diagonal;
mod gather;
mod gather_index;
mod guard;
mod matrix;
mod multivector;
mod single;
mod tiles;
mod triangular;

pub use boxed::{diagonal_map, gather_map, matrix_map, multivector_map, single_map};
pub use device::{DeviceSource, Grid, Protocol, Word};
pub use diagonal::Diagonal;
pub use gather::{Gather, GatherSums};
pub use gather_index::NO_SOURCE;
pub use guard::guarded;
pub use multivector::OnMultivector;
pub use single::{InSingle, in_precision};
pub use tiles::Tile;
pub use triangular::{Numbers, Triangular};

use crate::scalar::Scalar;
use std::any::Any;
use std::fmt::Debug;

/// A linear map in host memory, ready to be loaded by an engine.
pub trait LinearMap<S: Scalar>: CloneMap<S> + Any + Send + Sync + Debug {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);

    /// What errors call it.
    fn name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }

    /// Bytes that one product reads of the map itself, its values included.
    fn bytes(&self) -> usize;

    /// y = A x in obvious loops, the oracle of every other product. `values` are those of
    /// [`take_values`](Self::take_values), or what a program has made of them; none for a map without. A product that
    /// panics is noted by whoever runs the program: see
    /// [`Interpreter::take_failure`](crate::engine::Interpreter::take_failure).
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]);

    /// Decides how the product goes on the threads of the current pool. Called once, by a backend that has threads,
    /// when it loads the map.
    fn schedule(&mut self) {}

    /// y = A x on the threads of the current pool; without one of its own the obvious loops.
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.apply(values, x, y);
    }

    /// Moves the values out, in the order of slots. Called once, when an engine loads the map.
    fn take_values(&mut self) -> Vec<S> {
        Vec::new()
    }

    /// What multiplies on a GPU; without it products are computed by the host.
    fn device_source(&self) -> Option<DeviceSource> {
        None
    }

    /// The same map with its numbers rounded to single precision, if it has such a form.
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        None
    }

    /// Whether every number of it is finite.
    fn is_finite(&self) -> bool {
        true
    }

    /// Whether entry i of the result needs only entry i of the input.
    fn is_elementwise(&self) -> bool {
        false
    }

    /// Bytes that one product must move beside its input and output.
    fn traffic(&self) -> usize {
        self.bytes()
    }
}

/// Copies of maps whose type is not known; every map that is `Clone` has it.
pub trait CloneMap<S> {
    /// A copy.
    fn clone_map(&self) -> Box<dyn LinearMap<S>>
    where
        S: Scalar;
}

impl<S: Scalar, M: LinearMap<S> + Clone> CloneMap<S> for M {
    fn clone_map(&self) -> Box<dyn LinearMap<S>> {
        Box::new(self.clone())
    }
}

impl<S: Scalar> Clone for Box<dyn LinearMap<S>> {
    fn clone(&self) -> Self {
        (**self).clone_map()
    }
}

impl<S: Scalar> dyn LinearMap<S> {
    /// The map as a type that an engine knows.
    pub fn known<M: LinearMap<S>>(&self) -> Option<&M> {
        (self as &dyn Any).downcast_ref()
    }
}

/// The map as a type that an engine knows, or as it was.
pub fn into_known<S: Scalar, M: LinearMap<S>>(map: Box<dyn LinearMap<S>>) -> Result<Box<M>, Box<dyn LinearMap<S>>> {
    if map.known::<M>().is_none() {
        return Err(map);
    }
    let map: Box<dyn Any> = map;
    Ok(map.downcast().expect("its type was just looked at"))
}
