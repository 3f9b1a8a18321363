//! Right-hand sides that are computed where they are solved for, from the last answer if need be: by a closure over
//! vectors in the order of the input. Where numbers must be scaled by powers of two, which is rare, they go by the
//! host.

use super::super::input_order::{ComputeRhs, InputOrder};
use super::super::scaling::{fits, times_power};
use super::Iterative;
use crate::error::Result;
use crate::precision::is_single;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;

impl<S: Scalar> Iterative<S> {
    /// Lets `compute` change the right-hand side. It comes back if it must go by the host: scaled, or not finite.
    pub(crate) fn write_rhs_with(&mut self, compute: ComputeRhs<'_, S>) -> Result<Option<Vec<S>>> {
        self.require_device()?;
        let mut outside = match self.input_order.take() {
            Some(outside) => outside,
            None => InputOrder::new(&mut self.engine, &mut self.b, &self.x, self.order.as_ref())?,
        };
        let _ = self.engine.run(&outside.outward);
        if self.power != 0 {
            for x in [&mut outside.b, &mut outside.x] {
                let true_size = times_power(&self.engine.download(x), -self.power);
                self.engine.write(x, &true_size);
            }
        }
        compute(&mut self.engine, &mut outside.b, &outside.x);
        let _ = self.engine.run(&outside.largest);
        let largest = self.engine.read_scalar(outside.largest.scalars[0]).parts().0;
        let most = largest * (outside.b.name().length as f64).sqrt(); // ||b|| lies between the two
        let fits = |norm| fits(norm, is_single::<S>());
        let stays = self.power == 0 && largest.is_finite() && fits(largest) && fits(most);
        let by_host = (!stays).then(|| self.engine.download(&outside.b));
        if stays {
            let _ = self.engine.run(&outside.inward);
        }
        self.input_order = Some(outside);
        self.failure().map_or(Ok(by_host), Err)
    }
}
