//! Loops that the host takes apart: those with nested loops that are far too large for the L2 cache, and those with a
//! product that only the host can compute. A nested iteration of the former takes much longer than a launch, and
//! kernels of their own, with all the threads that the card holds, are several times faster than the persistent one,
//! which must keep everything of everybody in its registers. So straight parts are single launches, and each nested
//! loop is launched ahead of its end, which the GPU finds by itself.

use crate::error::Result;
use crate::executor::{Cuda, Unit};
use crate::generate::programs;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Monitor, Outcome, Program, Slot, canonical};
use std::sync::Arc;

impl<S: Scalar> Cuda<S> {
    /// Iterates until the monitor has a verdict.
    pub(crate) fn iterate_by_host(&mut self, unit: &Unit, watched: Slot, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        let around = self.temporary.replace(self.temporaries_of(&unit.program));
        self.by_host += 1;
        let outcome = self.iterations_by_host(unit, watched, monitor);
        self.by_host -= 1;
        self.temporary = around;
        outcome
    }

    fn iterations_by_host(&mut self, unit: &Unit, watched: Slot, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        self.compile_iterations(unit)?;
        let mut iteration = 0;
        loop {
            let now = self.iteration_of(unit, iteration);
            if let Some(outcome) = self.try_run(&now)? {
                return Ok(outcome);
            }
            let norm = self.try_number(watched)?.parts().0;
            if let Some(outcome) = monitor.observe(norm) {
                return Ok(outcome);
            }
            if let Some(outcome) = self.show()? {
                return Ok(outcome);
            }
            iteration += 1;
        }
    }

    /// The vectors that are temporary in a loop as a whole, whichever of its parts are compiled apart.
    pub(crate) fn temporaries_of(&self, program: &Program) -> Arc<Vec<galerkit_linalg::program::Vector>> {
        let (form, _, binding) = canonical(program, None);
        let bound = crate::executor::Bound { cuda: self, binding: &binding, temporary: None };
        let found = programs::temporary(&bound, S::KIND, &form);
        Arc::new(found.iter().map(|x| binding.vectors[x.id]).collect())
    }
}
