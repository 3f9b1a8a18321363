//! Right-hand sides that are computed where they are solved for, from the last answer if need be: by a closure over vectors in the order
//! of the input. Where numbers must be scaled by powers of two, which is rare, they go by the host.

use super::super::machine::Engine as Recorded;
use super::super::scaling::{fits, times_power};
use super::Iterative;
use crate::error::Result;
use crate::precision::is_single;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Number, Resident, Routine};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Permutation;

/// What computes a right-hand side: an engine, the right-hand side, and the last answer.
pub(crate) type ComputeRhs<'a, S> = &'a mut dyn FnMut(&mut Recorded<S>, &mut Held<Vector>, &Held<Vector>);

/// b and x in the order of the input, and the ways between them and those of the iterations.
pub(super) struct InputOrder {
    b: Held<Vector>,
    x: Held<Vector>,
    /// b and x of the iterations to these.
    outward: Routine,
    /// The norm of this b.
    norm: Routine,
    /// This b to that of the iterations.
    inward: Routine,
}

impl<S: Scalar> Iterative<S> {
    /// Lets `compute` change the right-hand side. It comes back if it must go by the host: scaled, or not finite.
    pub(crate) fn write_rhs_with(&mut self, compute: ComputeRhs<'_, S>) -> Result<Option<Vec<S>>> {
        self.require_device()?;
        let mut outside = match self.input_order.take() {
            Some(outside) => outside,
            None => self.make_input_order()?,
        };
        let _ = self.engine.run(&outside.outward);
        if self.power != 0 {
            for x in [&mut outside.b, &mut outside.x] {
                let true_size = times_power(&self.engine.download(x), -self.power);
                self.engine.write(x, &true_size);
            }
        }
        compute(&mut self.engine, &mut outside.b, &outside.x);
        let _ = self.engine.run(&outside.norm);
        let norm = self.engine.read_scalar(outside.norm.scalars[0]).parts().0;
        let stays = self.power == 0 && norm.is_finite() && fits(norm, is_single::<S>());
        let by_host = (!stays).then(|| self.engine.download(&outside.b));
        if stays {
            let _ = self.engine.run(&outside.inward);
        }
        self.input_order = Some(outside);
        self.failure().map_or(Ok(by_host), Err)
    }

    fn make_input_order(&mut self) -> Result<InputOrder> {
        let e = &mut self.engine;
        let rows = self.b.name().length;
        let [mut b, mut x] = [(); 2].map(|()| e.zeros(rows, Precision::Full));
        let load = |e: &mut Recorded<S>, order: &Permutation| -> Result<Resident<Recorded<S>>> {
            Ok(e.load(gather_map(Gather::new(rows, order.old().to_vec())?)))
        };
        let ways = match &self.order {
            Some(order) => Some((load(e, order)?, load(e, &order.inverse())?)),
            None => None,
        };
        let outward = e.compile(|e| {
            for (from, to) in [(&self.b, &mut b), (&self.x, &mut x)] {
                match &ways {
                    Some((_, outward)) => e.apply_map(outward, from, to),
                    None => e.copy(from, to),
                }
            }
            Vec::new()
        });
        let norm = e.compile(|e| vec![e.norm(&b).abs()]);
        let inward = e.compile(|e| {
            match &ways {
                Some((inward, _)) => e.apply_map(inward, &b, &mut self.b),
                None => e.copy(&b, &mut self.b),
            }
            Vec::new()
        });
        Ok(InputOrder { b, x, outward, norm, inward })
    }
}
