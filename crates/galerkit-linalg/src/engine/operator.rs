//! Operators: what a solver applies. A loaded map is one; anything that can be said in an engine's verbs is another,
//! so preconditioners built from several steps are recorded into the same program as the method itself.

use super::Engine;

/// A linear operator on an engine's vectors.
pub trait Operator<E: Engine> {
    /// y = A x
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector);
    /// r = b - A x
    fn residual(&self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &mut E::Vector) {
        self.apply(e, x, r);
        let one = e.number(1.0);
        e.axpby(one, b, -one, r);
    }
    /// Whether an application is a solve of its own. Methods apply others as soon as x is known, where they may share the pass that
    /// makes it; the last one is in vain.
    fn is_solve(&self) -> bool {
        false
    }
}

/// A map that was loaded into the engine: its pattern, and the vector of its values, which verbs may read and write.
pub struct Resident<E: Engine> {
    /// The engine's own handle of the pattern.
    pub map: E::Map,
    /// The values in the engine's order of slots; of length 0 for a map without.
    pub values: E::Vector,
}

impl<E: Engine> Operator<E> for Resident<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        e.apply_map(self, x, y);
    }
    fn residual(&self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &mut E::Vector) {
        e.residual_map(self, b, x, r);
    }
}

/// y = x: the preconditioner of the unpreconditioned methods.
pub struct Identity;

impl<E: Engine> Operator<E> for Identity {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        e.copy(x, y);
    }
}
