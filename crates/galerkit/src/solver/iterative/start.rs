//! Where a solve starts.

/// From where a solve for a right-hand side that is in place starts.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=16")?.into_real()?;
/// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
/// system.write_rhs(&vec![1.0; A.rows()])?;
/// let cold = system.solve_in_place(Start::Zero)?;
/// let warm = system.solve_in_place(Start::Last)?;
/// assert!(cold.iterations > 0 && warm.iterations == 0);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// From x = 0.
    #[default]
    Zero,
    /// From the last answer.
    Last,
}

/// The same, or from what was given.
pub(super) enum From<'a, S> {
    Zero,
    Last,
    Given(&'a [S]),
}

impl<S> std::convert::From<Start> for From<'_, S> {
    fn from(start: Start) -> Self {
        match start {
            Start::Zero => From::Zero,
            Start::Last => From::Last,
        }
    }
}
