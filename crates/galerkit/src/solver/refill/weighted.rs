//! Chebyshev's polynomial of new values: its interval and its program are the same for all of them, so there are only
//! the weights to compute, each from its row and the diagonal.

use super::super::machine::Engine as Recorded;
use super::diagonal::unsuited;
use super::slots::Ordered;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine};
use galerkit_linalg::precond::{Class, l1_weights_map};
use galerkit_linalg::program::{Precision, Vector};

/// The weights of L^-1, rounded where the map is in single precision. A weight has the phase of its diagonal entry, so
/// it tells whether that suits the method.
pub(super) fn weighted<S: Scalar>(
    e: &mut Recorded<S>,
    class: Class,
    ordered: &Ordered,
    entries: &Held<Vector>,
    map: &mut Resident<Recorded<S>>,
) -> Option<Routine> {
    let pattern = ordered.with(vec![S::zero(); ordered.index.len()])?;
    let weights = e.load(l1_weights_map(&pattern, ordered.index.clone()).ok()?);
    let [mut made, mut flags] = [(); 2].map(|()| e.zeros(pattern.rows(), Precision::Full));
    Some(e.compile(|e| {
        e.apply_map(&weights, entries, &mut made);
        e.pointwise([&mut flags], [&made], |[_], [weight]| [unsuited(class, weight)]);
        e.copy(&made, &mut map.values);
        vec![e.norm_inf(&flags), e.norm_inf(&map.values)]
    }))
}
