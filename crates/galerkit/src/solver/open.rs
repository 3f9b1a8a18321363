//! Solves with an operator that is any linear map, in place of a matrix.

use super::open_map::OpenMap;
use super::prepared_map::PreparedMap;
use super::shell::shell;
use super::{Solution, Solver, require_vector};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Counters;

/// An operator prepared for many right-hand sides; made by [`Solver::prepare_map`]. Operator, preconditioner and
/// vectors stay where they are solved with.
pub struct OpenSystem<S: Scalar> {
    solver: Solver,
    prepared: PreparedMap<S>,
}

impl Solver {
    /// Solves A x = b from x = 0, with A any linear map: prepares and solves once. Methods are those that iterate; the
    /// preconditioner is none, Jacobi or Chebyshev by what the [`OpenMap`] shows, or one that it brings along.
    /// Criteria, observer, device and report are those of other solves: converged is believed only when b - A x says
    /// so.
    pub fn solve_map<S: Scalar>(&self, map: OpenMap<S>, b: &[S]) -> Result<Solution<S>> {
        self.prepare_map(map)?.solve(b)
    }

    /// Prepares an operator for many right-hand sides.
    ///
    /// ```
    /// use galerkit::OpenMap;
    /// use galerkit::linalg::map::{Diagonal, diagonal_map};
    /// use galerkit::prelude::*;
    ///
    /// let map = OpenMap::new(diagonal_map(Diagonal::new(vec![1.0, 2.0, 4.0_f64]))).positive_definite();
    /// let mut system = Solver::new().prepare_map(map)?;
    /// let first = system.solve(&[1.0, 1.0, 1.0])?;
    /// assert!(first.report.converged && (first.x[2] - 0.25).abs() < 1e-8);
    /// assert_eq!(system.solve_from(&[1.0, 1.0, 1.0], &first.x)?.report.iterations, 0);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the solver asks for what needs entries: elimination, a format or an ordering, single or hybrid precision.
    pub fn prepare_map<S: Scalar>(&self, map: OpenMap<S>) -> Result<OpenSystem<S>> {
        Ok(OpenSystem { solver: self.clone(), prepared: PreparedMap::new(self, map)? })
    }
}

impl<S: Scalar> OpenSystem<S> {
    /// Solves A x = b from x = 0. The first solve prepares what the method needs; its report has the seconds of that.
    ///
    /// # Errors
    /// If the preconditioner needs what is not known of the operator, b has another length or is not finite, or the
    /// device fails.
    pub fn solve(&mut self, b: &[S]) -> Result<Solution<S>> {
        shell().solve_map(&self.solver, &mut self.prepared, b, None)
    }

    /// The same from a start, which may be the answer to a similar system.
    pub fn solve_from(&mut self, b: &[S], start: &[S]) -> Result<Solution<S>> {
        require_vector("the start", self.prepared.rows(), start)?;
        shell().solve_map(&self.solver, &mut self.prepared, b, Some(start))
    }

    /// What its engine has done so far: a second solve with the same criteria records and compiles nothing.
    pub fn counters(&self) -> Counters {
        shell().counters_of_map(&self.prepared)
    }

    /// Drops what was prepared: the next solve prepares anew, also on a device that has failed.
    pub fn reset(&mut self) {
        shell().reset_map(&mut self.prepared);
    }
}
