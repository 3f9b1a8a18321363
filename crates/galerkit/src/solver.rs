//! [`Solver`]: what to do, said once; [`Solver::solve`] does it and returns x with a [`Report`](crate::Report).
//!
//! Tolerances are relative to ||b||; the start is x = 0. Every method has converged exactly when the true residual
//! meets the tolerance; elimination that misses it although its backward error is that of rounding says so in its
//! advice.

mod attempts;
mod brought;
mod brought_back;
mod builder;
mod check;
mod computed;
mod direct;
mod discrete;
mod elimination;
mod facts;
mod fits;
mod followers;
mod grid_facts;
mod hybrid;
mod inner_solve;
mod input_order;
pub(crate) mod iterative;
mod least_squares;
mod load;
pub(crate) mod machine;
pub(crate) mod many;
mod matched;
mod matching;
mod memory;
mod multigrid_advice;
mod open;
mod open_map;
mod open_precond;
pub(crate) mod prepared;
pub(crate) mod prepared_map;
mod refill;
mod rounds;
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

pub use brought::EntityBlocks;
pub use builder::Solver;
pub(crate) use check::require_vector;
pub use discrete::DiscreteSolution;
pub use iterative::Start;
pub use open::OpenSystem;
pub use open_map::{OpenMap, OpenPreconditioner};
pub use solution::Solution;

use crate::error::Result;
use crate::matrix::MatrixRef;
use crate::system::System;
use crate::uploaded::destination;
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
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
        self.check_settings(MatrixRef::Rows(A))?;
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
        self.check_settings(MatrixRef::Rows(&A))?;
        A.require_finite()?;
        Ok(System::new(self.clone(), PreparedMatrix::owned(A)))
    }

    /// Solves a problem whose rows are made where they are needed: on a GPU those of CG, BiCGSTAB or GMRES with no
    /// preconditioner or Jacobi are never on the host. The answer is that of [`solve`](Self::solve) for its rows, bit
    /// for bit.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// // -u_xx - u_yy on 40 by 30 points; galerkit::problem has those of the gallery by name.
    /// let beside = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]].map(|offset| (offset, -1.0));
    /// let A = GridMatrix::new([40, 30, 1], beside.into_iter().chain([([0; 3], 4.0)]).collect())?;
    /// let solution = Solver::new().method(Krylov::Cg).solve_problem(&A, &vec![1.0; 1200])?;
    /// assert!(solution.report.converged);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_problem<S: Scalar>(&self, A: &GridMatrix<S>, b: &[S]) -> Result<Solution<S>> {
        shell().solve(self, &mut PreparedMatrix::problem(A.clone()), b, None)
    }

    /// Prepares a problem for many right-hand sides, as [`prepare`](Self::prepare) does a matrix; see
    /// [`solve_problem`](Self::solve_problem).
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let Some(AnyProblem::F64(A)) = galerkit::problem("gallery:poisson2d?n=12")? else { unreachable!() };
    /// let mut system = Solver::new().method(Krylov::Cg).prepare_problem(A)?;
    /// assert!(system.solve(&[1.0; 144])?.report.converged);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn prepare_problem<S: Scalar>(&self, A: GridMatrix<S>) -> Result<System<'static, S>> {
        let prepared = PreparedMatrix::problem(A);
        self.check_settings(prepared.A().view())?;
        Ok(System::new(self.clone(), prepared))
    }

    /// Whether the set-up of a matrix with so many entries would be done by a GPU, which then makes the rows of a
    /// problem itself.
    ///
    /// ```
    /// assert!(!galerkit::Solver::new().device(galerkit::Device::Cpu).sets_up_on_gpu(1_000_000_000));
    /// ```
    pub fn sets_up_on_gpu(&self, nnz: usize) -> bool {
        destination(self.choice, nnz, self.device_setup).is_some()
    }
}
