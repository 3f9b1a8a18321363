//! Whether what routines have made of new values can be preconditioned by.

use super::super::machine::Engine as Recorded;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Routine;

/// Runs routines; false if one of their scalars, the largest values that they have made, is not finite.
pub(super) fn run_all<S: Scalar>(e: &mut Recorded<S>, routines: &[Routine]) -> bool {
    routines.iter().for_each(|routine| drop(e.run(routine)));
    routines.iter().flat_map(|routine| &routine.scalars).all(|&largest| e.read_scalar(largest).is_finite())
}

/// Whether the routine that has run found what a method can be preconditioned by: every pivot suits it, and every value
/// is finite.
pub(super) fn are_fit<S: Scalar>(e: &mut Recorded<S>, routine: &Routine) -> bool {
    let [unsuited, largest] = [0, 1].map(|k| e.read_scalar(routine.scalars[k]));
    unsuited == 0.0 && largest.is_finite()
}
