//! [`System`]: a matrix prepared once and solved often. What was decided (ordering, format, preconditioner, kernels)
//! stays; what depends on values is computed again when they change.

use crate::assembly::{Assembly, DeviceVector, Engine};
use crate::error::{Error, Result};
use crate::report::Report;
use crate::solver::Start;
use crate::solver::prepared::PreparedMatrix;
use crate::solver::shell::shell;
use crate::solver::{Solution, Solver, require_vector};
use galerkit_direct::Transposition;
use galerkit_linalg::Scalar;
use galerkit_linalg::error::check_length;
use galerkit_linalg::sparse::Csr;

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
        shell().solve(&self.solver, &mut self.prepared, b, None)
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
        require_vector("the start", self.prepared.rows(), start)?;
        shell().solve(&self.solver, &mut self.prepared, b, Some(start))
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
        shell().solve_transposed(&self.solver, &mut self.prepared, Transposition::Transposed, b)
    }

    /// Solves A^H x = b, as [`solve_transposed`](Self::solve_transposed) does A^T x = b; for real matrices they are the
    /// same.
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
        shell().solve_transposed(&self.solver, &mut self.prepared, Transposition::Adjoint, b)
    }

    /// Solves A x = b for several b, each from x = 0. With CG, BiCGSTAB and GMRES, unpreconditioned or with Jacobi,
    /// they share each pass over the matrix, and so the iterations: every answer meets its own tolerance, and the
    /// slowest decides how many there are. A column that does not get there, and any other method, is solved by itself.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=16")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// let bs: Vec<Vec<f64>> = (1..4).map(|k| (0..A.rows()).map(|i| ((i * k) as f64).sin()).collect()).collect();
    /// for solution in system.solve_many(&bs)? {
    ///     assert!(solution.report.converged);
    /// }
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_many<B: AsRef<[S]>>(&mut self, bs: &[B]) -> Result<Vec<Solution<S>>> {
        let bs: Vec<&[S]> = bs.iter().map(AsRef::as_ref).collect();
        shell().solve_many(&self.solver, &mut self.prepared, (&bs, &[]))
    }

    /// The same from a start of each, which may be the answers to a similar system.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=16")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// let bs: Vec<Vec<f64>> = (1..4).map(|k| (0..A.rows()).map(|i| ((i * k) as f64).sin()).collect()).collect();
    /// let starts: Vec<Vec<f64>> = system.solve_many(&bs)?.into_iter().map(|cold| cold.x).collect();
    /// for warm in system.solve_many_from(&bs, &starts)? {
    ///     assert_eq!(warm.report.iterations, 0);
    /// }
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not as many starts as right-hand sides, beside what [`solve_many`](Self::solve_many) refuses.
    pub fn solve_many_from<B: AsRef<[S]>>(&mut self, bs: &[B], starts: &[B]) -> Result<Vec<Solution<S>>> {
        check_length("the starts (as many as right-hand sides)", bs.len(), starts.len())?;
        let [bs, starts] = [bs, starts].map(|all| all.iter().map(AsRef::as_ref).collect::<Vec<&[S]>>());
        shell().solve_many(&self.solver, &mut self.prepared, (&bs, &starts))
    }

    /// New values for the same pattern, in the order of the matrix's compressed rows. Refuses values of another number
    /// or that are not finite, and leaves the system as it was then.
    pub fn update(&mut self, values: &[S]) -> Result<()> {
        shell().update(&mut self.prepared, values)
    }

    /// New values that are computed where the system is solved, on a GPU in its memory: `compute` is given the engine
    /// and the vector of entries, in the order of the matrix's compressed rows and with the values of the moment. What
    /// depends on values is made anew from that vector; the host reads the largest entry of it, which is how an entry
    /// that is not finite is found and refused as by [`update`](Self::update).
    ///
    /// The verbs are recorded in each call; [`assemble`](Self::assemble) records them once. What `compute` uploads,
    /// loads or compiles belongs to an engine that goes when the system is prepared anew: keep none of it.
    ///
    /// [`solve_in_place`](Self::solve_in_place) goes on without the host. Whether the matrix still suits the method is
    /// looked at by the host, in the next [`solve`](Self::solve), which brings the entries there, once; so does
    /// [`matrix`](Self::matrix). They also come to the host, and go back, where [`update`](Self::update) would have the
    /// host compute a preconditioner or would prepare anew. The engine is that of the last solve; before the first one,
    /// and for elimination, it is one of the host.
    ///
    /// ```
    /// use galerkit::linalg::engine::Engine;
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// system.write_rhs(&vec![1.0; A.rows()])?;
    /// system.update_with(|e, entries| {
    ///     let two = e.number(2.0);
    ///     e.scale(two, entries);
    /// })?;
    /// assert!(system.solve_in_place(Start::Zero)?.converged);
    /// assert_eq!(system.matrix()?.val()[0], 2.0 * A.val()[0]);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn update_with(&mut self, compute: impl FnOnce(&mut Engine<S>, &mut DeviceVector)) -> Result<()> {
        let mut compute = Some(compute);
        shell().update_with(&mut self.prepared, &mut |e, entries| {
            if let Some(compute) = compute.take() {
                compute(e, entries);
            }
        })
    }

    /// The same by an [`Assembly`], whose verbs are recorded and compiled once, from inputs that go up each time.
    pub fn assemble(&mut self, assembly: &mut Assembly<S>, inputs: &[&[S]]) -> Result<()> {
        shell().assemble(&mut self.prepared, assembly, inputs)
    }

    /// The same from a matrix, whose pattern must be that of the matrix which was prepared; refuses another one with
    /// the first row that differs.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let mut system = Solver::new().prepare(&A)?;
    /// system.update_matrix(&A.map_values(|a| 3.0 * a))?;
    /// let other = galerkit::load("gallery:poisson2d?n=12&stencil=9")?.into_real()?;
    /// assert!(system.update_matrix(&other).unwrap_err().to_string().contains("prepare it anew"));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn update_matrix(&mut self, A: &Csr<S>) -> Result<()> {
        require_pattern(self.prepared.A().view().host()?, A)?;
        self.update(A.val())
    }

    /// Puts a right-hand side in place, where the system is solved, for [`solve_in_place`](Self::solve_in_place). The
    /// first time, and whenever nothing is prepared, it is solved once, which prepares the method. A b whose squares
    /// would overflow or vanish is stored times a power of two, as [`solve`](Self::solve) does;
    /// [`solution`](Self::solution) undoes that.
    pub fn write_rhs(&mut self, b: &[S]) -> Result<()> {
        shell().write_rhs(&self.solver, &mut self.prepared, b)
    }

    /// Computes a right-hand side where the system is solved, for [`solve_in_place`](Self::solve_in_place): `compute`
    /// is given the engine, the right-hand side with the values of the moment, and the last answer, all in the order of
    /// the input. Of b the host reads the largest entry, which says whether all are finite. Keep no vector or map that
    /// `compute` makes: the engine goes when the system is prepared anew.
    ///
    /// ```
    /// use galerkit::linalg::engine::Engine;
    /// use galerkit::prelude::*;
    ///
    /// // (1 + K) x_{n+1} = x_n: steps of implicit Euler, without the host.
    /// let K = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
    /// let A = K.map_values(|k| if k > 0.0 { k + 1.0 } else { k });
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// system.write_rhs(&vec![1.0; A.rows()])?;
    /// for _ in 0..3 {
    ///     assert!(system.solve_in_place(Start::Last)?.converged);
    ///     system.write_rhs_with(|e, b, x| e.copy(x, b))?;
    /// }
    /// assert!(system.solution()?.iter().all(|&x| x > 0.0 && x < 1.0));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn write_rhs_with(
        &mut self,
        compute: impl FnOnce(&mut Engine<S>, &mut DeviceVector, &DeviceVector),
    ) -> Result<()> {
        let mut compute = Some(compute);
        shell().write_rhs_with(&self.solver, &mut self.prepared, &mut |e, b, x| {
            if let Some(compute) = compute.take() {
                compute(e, b, x);
            }
        })
    }

    /// Solves for the right-hand side that is in place; b and x stay where they are solved with, on a GPU in its
    /// memory.
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
        shell().solve_in_place(&self.solver, &mut self.prepared, start)
    }

    /// The answer that is in place, in the order of the input.
    pub fn solution(&mut self) -> Result<Vec<S>> {
        shell().solution(&mut self.prepared)
    }

    /// Brings the values of the last update into their slots once more, from where they are; for benchmarks. False if
    /// there is nothing to repeat.
    #[doc(hidden)]
    pub fn repeat_update(&mut self) -> bool {
        shell::<S>().repeat_update(&mut self.prepared)
    }

    /// The matrix as it is now. Fails where values that were [computed on a device](Self::update_with) are lost with
    /// it.
    ///
    /// ```
    /// use galerkit::prelude::*;
    ///
    /// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
    /// let mut system = Solver::new().method(Krylov::Cg).prepare(&A)?;
    /// system.solve(&vec![1.0; A.rows()])?;
    /// assert_eq!(system.matrix()?.val(), A.val());
    /// assert!(system.counters().programs > 0);
    /// system.reset();
    /// assert_eq!(system.counters().programs, 0);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn matrix(&mut self) -> Result<Csr<S>> {
        shell().fetch(&mut self.prepared)?;
        Ok(self.prepared.A().view().host()?.clone())
    }

    /// Whether the rows of the matrix are in memory of the host; those of a [problem](Solver::prepare_problem) come
    /// there only where something needs them. For tests.
    #[doc(hidden)]
    pub fn is_on_host(&self) -> bool {
        self.prepared.A().view().is_on_host()
    }

    /// Forgets everything that was prepared; the next solve prepares anew. What to do after a device has failed; values
    /// that were [computed on it](Self::update_with) are lost then, and those before are back.
    pub fn reset(&mut self) {
        let _ = shell().fetch(&mut self.prepared);
        self.prepared.clear();
    }

    /// What the engines of this system have done so far, added up: what must not grow when solves repeat.
    pub fn counters(&mut self) -> galerkit_linalg::engine::Counters {
        shell::<S>().counters(&mut self.prepared)
    }
}

/// An error with the first row whose columns are others.
fn require_pattern<S: Scalar>(own: &Csr<S>, A: &Csr<S>) -> Result<()> {
    check_length("the new matrix (its rows)", own.rows(), A.rows())?;
    check_length("the new matrix (its columns)", own.cols(), A.cols())?;
    let differs = |&i: &usize| own.col()[own.range(i)] != A.col()[A.range(i)];
    match (0..A.rows()).find(differs) {
        Some(row) => Err(Error::OtherPattern { row, found: A.row_length(row), expected: own.row_length(row) }),
        None => Ok(()),
    }
}
