//! What a prepared method keeps for its updates.

use super::factored::OnGpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Held, Routine};
use galerkit_linalg::program::Vector;

/// What refilling needs; made when values change for the first time.
pub(in crate::solver) struct Refill<S: Scalar> {
    /// The values in the order of the input's compressed rows.
    pub(super) entries: Held<Vector>,
    /// For the matrix, and for its copy in single precision.
    pub(super) matrices: Vec<Routine>,
    pub(super) preconditioner: Renewal<S>,
}

/// How the preconditioner follows new values.
pub(super) enum Renewal<S: Scalar> {
    /// There is nothing to do.
    None,
    /// By a routine, from the entries.
    Spoken(Routine),
    /// The host computes the values in its own order, which is the engine's.
    Host,
    /// The same, and a routine brings them into the engine's order.
    Gathered(Held<Vector>, Routine),
    /// The GPU factorises.
    Gpu(Box<OnGpu<S>>),
}
