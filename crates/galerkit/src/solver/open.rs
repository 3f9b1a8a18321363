//! Solves with an operator that is any linear map, in place of a matrix.

use super::open_map::{OpenMap, OpenPreconditioner};
use super::prepared_map::PreparedMap;
use super::shell::shell;
use super::{Solution, Solver, require_vector};
use crate::assembly::{Assembly, DeviceVector, Engine};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Counters;
use std::sync::Arc;

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

    /// New values of an operator that is a matrix in compressed rows, computed where it is solved with, on a GPU in its
    /// memory: `compute` is given the engine and the vector of values, row by row. What preconditions it stays, until
    /// [`precondition_by`](Self::precondition_by) brings another. After a [`reset`](Self::reset) the values are those
    /// that it was prepared with.
    ///
    /// ```
    /// use galerkit::OpenMap;
    /// use galerkit::linalg::engine::Engine;
    /// use galerkit::linalg::map::matrix_map;
    /// use galerkit::linalg::sparse::Matrix;
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let map = OpenMap::new(matrix_map(Matrix::Csr(A.clone()))).positive_definite();
    /// let (mut system, b) = (Solver::new().rtol(1e-12).prepare_map(map)?, vec![1.0; A.rows()]);
    /// let before = system.solve(&b)?.x;
    /// system.update_with(|e, values| {
    ///     let two = e.number(2.0);
    ///     e.scale(two, values);
    /// })?;
    /// let after = system.solve(&b)?.x;
    /// assert!(before.iter().zip(&after).all(|(x, y)| (x - 2.0 * y).abs() < 1e-9));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the operator is no such matrix, or the device fails.
    pub fn update_with(&mut self, compute: impl FnOnce(&mut Engine<S>, &mut DeviceVector)) -> Result<()> {
        let mut compute = Some(compute);
        shell().update_map_with(&self.solver, &mut self.prepared, &mut |e, values| {
            if let Some(compute) = compute.take() {
                compute(e, values);
            }
        })
    }

    /// The same by an [`Assembly`], whose verbs are recorded and compiled once, from inputs that go up each time.
    ///
    /// # Errors
    /// As [`update_with`](Self::update_with).
    pub fn assemble(&mut self, assembly: &mut Assembly<S>, inputs: &[&[S]]) -> Result<()> {
        shell().assemble_map(&self.solver, &mut self.prepared, assembly, inputs)
    }

    /// Another preconditioner in place of the one that was brought along: for new values. The engine, the operator and
    /// the vectors stay.
    ///
    /// # Errors
    /// If the device fails.
    pub fn precondition_by(&mut self, M: impl OpenPreconditioner<S> + 'static) -> Result<()> {
        shell().precondition_map_by(&self.solver, &mut self.prepared, Arc::new(M))
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
