//! Names that a recording engine gives away, and remembers as long as somebody holds them.

use super::super::executor::Executor;
use super::super::held::Held;
use super::Recorded;
use crate::program::{MapId, Precision, Scope, Vector};
use crate::scalar::Scalar;

impl<S: Scalar, X: Executor<S>> Recorded<S, X> {
    /// A vector that is held, and remembered.
    pub(super) fn hold(&mut self, x: Vector) -> Held<Vector> {
        let held = Held::new(x, &self.dropped.vectors);
        self.vectors.insert(x.id, held.downgrade());
        if let Some(routine) = &mut self.routine {
            routine.made.push(held.clone());
        }
        held
    }

    /// A map that is held, and remembered.
    pub(super) fn hold_map(&mut self, A: MapId) -> Held<MapId> {
        let held = Held::new(A, &self.dropped.maps);
        self.maps.insert((A.id, A.values.precision), held.downgrade());
        held
    }

    /// The vector of zeros that others are made zero from.
    pub(super) fn zero(&mut self, length: usize, precision: Precision) -> Vector {
        if let Some(zero) = self.zeros.get(&(length, precision)) {
            return zero.name();
        }
        let zero = self.executor.zeros(length, precision, Scope::Shared);
        let held = self.hold(zero);
        self.zeros.insert((length, precision), held);
        zero
    }
}
