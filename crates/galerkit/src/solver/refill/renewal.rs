//! What a prepared method keeps for its updates.

use super::factored::OnGpu;
use galerkit_cuda::amg::Refillable;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Held, Routine};
use galerkit_linalg::program::Vector;
use std::sync::Arc;

/// What refilling needs; made when values change for the first time.
pub(in crate::solver) struct Refill<S: Scalar> {
    /// The values in the order of the input's compressed rows.
    pub(super) entries: Held<Vector>,
    /// For the matrix, and for its copy in single precision.
    pub(super) matrices: Vec<Routine>,
    pub(super) preconditioner: Renewal<S>,
    /// Finds the largest entry; made when entries are computed for the first time.
    pub(super) largest: Option<Routine>,
}

/// How the preconditioner follows new values.
pub(super) enum Renewal<S: Scalar> {
    /// There is nothing to do.
    None,
    /// By a routine, from the entries; its scalars are 0 where every pivot suits, and the largest value.
    Spoken(Routine),
    /// The same for inverted blocks; their largest value is a scalar.
    Blocks(Vec<Routine>),
    /// The host computes numbers, and routines bring them where they are needed.
    Host(Held<Vector>, Vec<Routine>),
    /// The host refills the hierarchy of algebraic multigrid, whose patterns stay.
    Hierarchy,
    /// The same where it was set up on the GPU, from the entries there.
    HierarchyThere(Arc<Refillable<S>>),
    /// The GPU factorises.
    Gpu(Box<OnGpu<S>>),
}

impl<S: Scalar> Renewal<S> {
    /// Whether the host computes something from the values.
    pub(super) fn needs_host(&self) -> bool {
        matches!(self, Renewal::Host(..) | Renewal::Hierarchy)
    }
}
