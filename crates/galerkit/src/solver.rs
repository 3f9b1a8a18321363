//! [`Solver`]: what to do, said once; [`Solver::solve`] does it and returns x with a [`Report`](crate::Report).
//!
//! Tolerances are relative to ||b||; the start is x = 0. Every method has converged exactly when the true residual meets
//! the tolerance; elimination that misses it although its backward error is that of rounding says so in its advice.

mod attempts;
mod builder;
mod check;
mod computed;
mod direct;
mod elimination;
mod facts;
mod followers;
mod hybrid;
mod inner_solve;
mod input_order;
pub(crate) mod iterative;
pub(crate) mod machine;
pub(crate) mod many;
mod memory;
pub(crate) mod prepared;
mod refill;
mod routines;
mod scaled;
mod scaling;
mod selection;
pub(crate) mod shell;
mod singular;
mod slowness;
mod solution;
mod solve;
mod standing;
mod strategy;
mod swept;
mod transposed;
mod watcher;

pub use builder::Solver;
pub(crate) use check::require_vector;
pub use iterative::Start;
pub use solution::Solution;

use crate::error::Result;
use crate::system::System;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;
use prepared::PreparedMatrix;
use shell::shell;

impl Solver {
    /// Solves A x = b from x = 0: prepares and solves once.
    pub fn solve<S: Scalar>(&self, A: &Csr<S>, b: &[S]) -> Result<Solution<S>> {
        shell().solve(self, &mut PreparedMatrix::new(A), b, None)
    }

    /// Prepares a matrix for many right-hand sides: see [`System`].
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
    /// let mut system = Solver::new().rtol(1e-10).prepare(&A)?;
    /// let first = system.solve(&vec![1.0; A.rows()])?;
    /// let second = system.solve_from(&vec![1.0; A.rows()], &first.x)?;
    /// assert!(second.report.iterations <= 1);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn prepare<'a, S: Scalar>(&self, A: &'a Csr<S>) -> Result<System<'a, S>> {
        self.check_settings(A)?;
        A.require_finite()?;
        Ok(System::new(self.clone(), PreparedMatrix::new(A)))
    }

    /// The same with a matrix that the system keeps.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// fn poisson() -> galerkit::Result<System<'static, f64>> {
    ///     let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
    ///     Solver::new().prepare_owned(A)
    /// }
    /// assert!(poisson()?.solve(&[1.0; 100])?.report.converged);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn prepare_owned<S: Scalar>(&self, A: Csr<S>) -> Result<System<'static, S>> {
        self.check_settings(&A)?;
        A.require_finite()?;
        Ok(System::new(self.clone(), PreparedMatrix::owned(A)))
    }
}
