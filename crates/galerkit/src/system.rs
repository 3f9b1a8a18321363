//! [`System`]: a matrix prepared once and solved often. What was decided (ordering, format, preconditioner, kernels) stays;
//! what depends on values is computed again when they change.

use crate::error::{Error, Result};
use crate::report::Report;
use crate::solver::Start;
use crate::solver::prepared::PreparedMatrix;
use crate::solver::{Solution, Solver, require_vector};
use galerkit_linalg::direct::Transposition;
use galerkit_linalg::error::check_length;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error as LinalgError, Scalar};

/// A matrix prepared for many right-hand sides; made by [`Solver::prepare`].
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson3d?n=8")?.into_real()?;
/// let mut system = Solver::new().prepare(&A)?;
/// for k in 1..4 {
///     let solution = system.solve(&vec![k as f64; A.rows()])?;
///     assert!(solution.report.converged);
/// }
/// let doubled: Vec<f64> = A.val().iter().map(|a| 2.0 * a).collect();
/// system.update(&doubled)?;                                   // the same pattern, other values
/// assert!(system.solve(&vec![1.0; A.rows()])?.report.converged);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct System<'a, S: Scalar> {
    solver: Solver,
    prepared: PreparedMatrix<'a, S>,
}

impl<'a, S: Scalar> System<'a, S> {
    pub(crate) fn new(solver: Solver, prepared: PreparedMatrix<'a, S>) -> Self {
        Self { solver, prepared }
    }

    /// Solves A x = b from x = 0. The first solve prepares what the method needs; its report has the seconds of that.
    pub fn solve(&mut self, b: &[S]) -> Result<Solution<S>> {
        self.solver.solve_in(&mut self.prepared, b, None)
    }

    /// Solves A x = b from a start, which may be the answer to a similar system. Elimination needs no start.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// let b = vec![1.0; A.rows()];
    /// let cold = system.solve(&b)?;
    /// let warm = system.solve_from(&b, &cold.x)?;
    /// assert_eq!(warm.report.iterations, 0);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_from(&mut self, b: &[S], start: &[S]) -> Result<Solution<S>> {
        require_vector("the start", &self.prepared.A(), start)?;
        self.solver.solve_in(&mut self.prepared, b, Some(start))
    }

    /// Solves A^T x = b with the factors of A: by elimination only. Where the method is left to the program it is LU.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:convection_diffusion2d?n=12")?.into_real()?;
    /// let b = vec![1.0; A.rows()];
    /// let mut system = Solver::new().method(Method::Lu).prepare(&A)?;
    /// let x = system.solve_transposed(&b)?.x;
    /// let explicit = Solver::new().method(Method::Lu).solve(&A.transpose(), &b)?.x;
    /// assert!(x.iter().zip(&explicit).all(|(x, y)| (x - y).abs() < 1e-10));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_transposed(&mut self, b: &[S]) -> Result<Solution<S>> {
        self.solver.solve_transposed_in(&mut self.prepared, Transposition::Transposed, b)
    }

    /// Solves A^H x = b, as [`solve_transposed`](Self::solve_transposed) does A^T x = b; for real matrices they are the same.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let b = vec![1.0; A.rows()];
    /// let mut system = Solver::new().method(Method::Cholesky).prepare(&A)?;
    /// assert_eq!(system.solve_adjoint(&b)?.x, system.solve(&b)?.x); // A is Hermitian
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_adjoint(&mut self, b: &[S]) -> Result<Solution<S>> {
        self.solver.solve_transposed_in(&mut self.prepared, Transposition::Adjoint, b)
    }

    /// New values for the same pattern, in the order of the matrix's compressed rows. Refuses values of another number or that are
    /// not finite, and leaves the system as it was then.
    pub fn update(&mut self, values: &[S]) -> Result<()> {
        let A = self.prepared.A();
        check_length("the new values (as many as the matrix has entries)", A.nnz(), values.len())?;
        if let Some(k) = values.iter().position(|value| !value.finite()) {
            let row = A.start().partition_point(|&start| start <= k as u64);
            let place = format!("row {row}, column {}", A.col()[k] as usize + 1);
            let value = values[k].to_string();
            return Err(Error::Linalg(LinalgError::NonFinite { what: "the new values", value, place }));
        }
        drop(A);
        self.prepared.update(values, |method, A| method.update(A));
        Ok(())
    }

    /// Puts a right-hand side in place, where the system is solved, for [`solve_in_place`](Self::solve_in_place). The first time,
    /// and whenever nothing is prepared, it is solved once, which prepares the method.
    pub fn write_rhs(&mut self, b: &[S]) -> Result<()> {
        require_vector("the right-hand side", &self.prepared.A(), b)?;
        if self.prepared.methods().next().is_none() {
            self.solve(b)?;
        }
        match self.prepared.methods().last() {
            Some(method) => method.write_rhs(b),
            None => Err(Error::NotIterative),
        }
    }

    /// Solves for the right-hand side that is in place; b and x stay where they are solved with, on a GPU in its memory.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=16")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// system.write_rhs(&vec![1.0; A.rows()])?;
    /// let report = system.solve_in_place(Start::Zero)?;
    /// assert!(report.converged);
    /// let x = system.solution()?;
    /// assert_eq!(x.len(), A.rows());
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_in_place(&mut self, start: Start) -> Result<Report> {
        match self.prepared.methods().last() {
            Some(method) => method.solve_in_place(&self.solver, start),
            None => Err(Error::NotIterative),
        }
    }

    /// The answer that is in place, in the order of the input.
    pub fn solution(&mut self) -> Result<Vec<S>> {
        match self.prepared.methods().last() {
            Some(method) => method.solution(),
            None => Err(Error::NotIterative),
        }
    }

    /// Brings the values of the last update into their slots once more, from where they are; for benchmarks. False if there is
    /// nothing to repeat.
    #[doc(hidden)]
    pub fn repeat_update(&mut self) -> bool {
        self.prepared.methods().last().is_some_and(|method| method.repeat_update())
    }

    /// The matrix as it is now.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
    /// let mut system = Solver::new().prepare(&A)?;
    /// system.solve(&vec![1.0; A.rows()])?;
    /// assert_eq!(system.matrix().val(), A.val());
    /// assert!(system.counters().programs > 0);
    /// system.reset();
    /// assert_eq!(system.counters().programs, 0);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn matrix(&self) -> Csr<S> {
        (**self.prepared.A()).clone()
    }

    /// Forgets everything that was prepared; the next solve prepares anew. What to do after a device has failed.
    pub fn reset(&mut self) {
        self.prepared.clear();
    }

    /// What the engines of this system have done so far, added up: what must not grow when solves repeat.
    pub fn counters(&mut self) -> galerkit_linalg::engine::Counters {
        let mut all = galerkit_linalg::engine::Counters::default();
        for method in self.prepared.methods() {
            let one = method.counters();
            all.programs += one.programs;
            all.hashed += one.hashed;
            all.compiled += one.compiled;
            all.allocations += one.allocations;
            all.vectors += one.vectors;
            all.maps += one.maps;
            all.codes += one.codes;
        }
        all
    }
}
