//! Vectors of a prepared method in the order of the input, on its engine, and the ways between them and those of the
//! iterations.

use super::machine::Engine as Recorded;
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Permutation;

/// What computes a right-hand side: an engine, the right-hand side, and the last answer.
pub(crate) type ComputeRhs<'a, S> = &'a mut dyn FnMut(&mut Recorded<S>, &mut Held<Vector>, &Held<Vector>);

/// b and x in the order of the input.
pub(super) struct InputOrder {
    pub(super) b: Held<Vector>,
    pub(super) x: Held<Vector>,
    /// b and x of the iterations to these.
    pub(super) outward: Routine,
    /// The largest entry of this b, which is finite if all of them are.
    pub(super) largest: Routine,
    /// This b to that of the iterations.
    pub(super) inward: Routine,
}

impl InputOrder {
    /// For b and x of the iterations, in an order of theirs.
    pub(super) fn new<S: Scalar>(
        e: &mut Recorded<S>,
        inner_b: &mut Held<Vector>,
        inner_x: &Held<Vector>,
        order: Option<&Permutation>,
    ) -> Result<Self> {
        let rows = inner_b.name().length;
        let [mut b, mut x] = [(); 2].map(|()| e.zeros(rows, Precision::Full));
        let load = |e: &mut Recorded<S>, order: &Permutation| -> Result<Resident<Recorded<S>>> {
            Ok(e.load(gather_map(Gather::new(rows, order.old().to_vec())?)))
        };
        let ways = match order {
            Some(order) => Some((load(e, order)?, load(e, &order.inverse())?)),
            None => None,
        };
        let outward = e.compile(|e| {
            for (from, to) in [(&*inner_b, &mut b), (inner_x, &mut x)] {
                match &ways {
                    Some((_, outward)) => e.apply_map(outward, from, to),
                    None => e.copy(from, to),
                }
            }
            Vec::new()
        });
        let largest = e.compile(|e| vec![e.norm_inf(&b)]);
        let inward = e.compile(|e| {
            match &ways {
                Some((inward, _)) => e.apply_map(inward, &b, inner_b),
                None => e.copy(&b, inner_b),
            }
            Vec::new()
        });
        Ok(Self { b, x, outward, largest, inward })
    }
}
