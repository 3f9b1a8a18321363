//! Incomplete factors of new values, where the values are. Engines know no factorisation: whoever knows the machine
//! brings one.

use super::krylov::{StepEngine, StepVector};
use crate::error::Result;
use galerkit_linalg::engine::{Engine, Resident};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::Factors;
use galerkit_linalg::sparse::Csr;

/// Factors a matrix without the host seeing its numbers.
pub trait Refactor: Send {
    /// The factors of the entries of a matrix, in the order of its rows, into the values of the map that solves with
    /// them.
    ///
    /// # Errors
    /// If a pivot is zero.
    fn renew(&mut self, e: &mut StepEngine, entries: &StepVector, values: &mut StepVector) -> Result<()>;
}

/// Makes one for matrices with the pattern of this one and a map that was loaded with its factors; none if the machine
/// has none.
pub type Refactoring = fn(&mut StepEngine, &Csr<f64>, &StepVector) -> Option<Box<dyn Refactor>>;

/// Nobody factors but the host.
pub fn by_the_host(_: &mut StepEngine, _: &Csr<f64>, _: &StepVector) -> Option<Box<dyn Refactor>> {
    None
}

/// How new factors come into a loaded map.
pub(super) enum Renewal {
    /// The machine computes them.
    There(Box<dyn Refactor>),
    /// The host does, and the map has its numbers in the order of the host.
    InOrder,
    /// The host does, and the map must be loaded again: the order of its numbers is the machine's own.
    Anew,
}

impl Renewal {
    /// For a map that was loaded with the factors of A.
    pub(super) fn of(
        e: &mut StepEngine,
        (A, factors): (&Csr<f64>, &Factors<f64>),
        loaded: &Resident<StepEngine>,
        make: Refactoring,
    ) -> Self {
        match make(e, A, &loaded.values) {
            Some(there) => Renewal::There(there),
            None if e.download(&loaded.values) == factors.clone().take_values() => Renewal::InOrder,
            None => Renewal::Anew,
        }
    }
}
