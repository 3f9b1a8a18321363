//! [`Solver`]: what to do, said once; [`Solver::solve`] does it and returns x with a [`Report`].
//!
//! Tolerances are relative to ||b||; the start is x = 0. Every method has converged exactly when the true residual meets
//! the tolerance; elimination that misses it although its backward error is that of rounding says so in its advice.

mod attempts;
mod computed;
mod direct;
mod hybrid;
mod inner_solve;
pub(crate) mod iterative;
pub(crate) mod machine;
pub(crate) mod many;
mod memory;
pub(crate) mod prepared;
mod refill;
mod routines;
mod scaling;
mod selection;
pub(crate) mod shell;
mod standing;
mod transposed;
mod watcher;

use crate::choice::{Autotuning, Choice, Device, Method, Ordering, Preconditioning, ResidualReplacement};
use crate::device::{on_threads, threads_used};
use crate::error::{Error, Result};
use crate::precision::{Precision, is_single, require_range};
use crate::progress::{Go, Progress};
use crate::report::Report;
use crate::system::System;
use crate::triangular::TriangularSolve;
use galerkit_linalg::direct::Transposition;
use galerkit_linalg::error::check_length;
use galerkit_linalg::krylov::Outcome;
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Error as LinalgError, Scalar};
use prepared::PreparedMatrix;
use shell::shell;
use std::sync::Arc;
use watcher::Watcher;

pub use iterative::Start;

/// How to solve A x = b. Everything has a default.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:convection_diffusion2d?n=20")?.into_real()?;
/// let solver = Solver::new()
///     .method(Krylov::Bicgstab)
///     .preconditioner(Preconditioner::Ilu { fill: 0 })
///     .rtol(1e-10)
///     .atol(1e-30)
///     .max_iterations(500)
///     .residual_replacement(ResidualReplacement::Never)
///     .format(Format::Csr)
///     .ordering(Ordering::Rcm)
///     .triangular(TriangularSolve::Exact)
///     .precision(Precision::Double)
///     .threads(2)
///     .device(Device::Cpu)
///     .autotuning(Autotuning::Modelled)
///     .observer(|progress| if progress.iteration < 400 { Go::On } else { Go::Stop });
/// let solution = solver.solve(&A, &vec![1.0; A.rows()])?;
/// assert!(solution.report.converged);
/// assert_eq!(solver.rtol_for::<f64>(), 1e-10);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    method: Choice<Method>,
    preconditioner: Choice<Preconditioning>,
    rtol: Option<f64>,
    atol: f64,
    max_iterations: usize,
    replacement: Choice<ResidualReplacement>,
    format: Choice<Format>,
    ordering: Choice<Ordering>,
    triangular: Choice<TriangularSolve>,
    precision: Choice<Precision>,
    threads: Option<usize>,
    choice: Choice<Device>,
    /// What the choice came to; the method decides, so it is known only inside [`Solver::solve`].
    device: Device,
    autotuning: Autotuning,
    observer: Option<Watcher>,
    /// b has been multiplied by two to this power.
    power: i32,
}

/// The solution and how it was found.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson1d?n=3")?.into_real()?;
/// let Solution { x, report } = Solver::new().solve(&A, &[1.0, 0.0, 1.0])?;
/// assert!(report.converged && x.iter().all(|x| (x - 1.0).abs() < 1e-7));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solution<S> {
    /// x, in the order of the input.
    pub x: Vec<S>,
    /// How it went; look at `converged`.
    pub report: Report,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            method: Choice::Auto,
            preconditioner: Choice::Auto,
            rtol: None,
            atol: 0.0,
            max_iterations: 10_000,
            replacement: Choice::Auto,
            format: Choice::Auto,
            ordering: Choice::Auto,
            triangular: Choice::Auto,
            precision: Precision::Double.into(),
            threads: None,
            choice: Device::Cpu.into(),
            device: Device::Cpu,
            autotuning: Autotuning::Timed,
            observer: None,
            power: 0,
        }
    }
}

impl Solver {
    /// A solver with every default: automatic method, Jacobi where it suits, 1e-8 (single precision 1e-4), all threads.
    pub fn new() -> Self {
        Self::default()
    }
    /// The method: a [`Method`], one of [`Krylov`](crate::Krylov), or [`Choice::Auto`].
    pub fn method(mut self, method: impl Into<Choice<Method>>) -> Self {
        self.method = method.into();
        self
    }
    /// The preconditioner of iterative methods.
    pub fn preconditioner(mut self, preconditioner: impl Into<Choice<Preconditioning>>) -> Self {
        self.preconditioner = preconditioner.into();
        self
    }
    /// Relative tolerance: ||b - A x|| <= rtol ||b||.
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.rtol = Some(rtol);
        self
    }
    /// Absolute tolerance: ||b - A x|| <= atol is enough as well.
    pub fn atol(mut self, atol: f64) -> Self {
        self.atol = atol;
        self
    }
    /// Most iterations.
    pub fn max_iterations(mut self, limit: usize) -> Self {
        self.max_iterations = limit;
        self
    }
    /// When the recursive residual is replaced by b - A x. Methods that cannot do it, or do it at the end of their cycles,
    /// do not heed it.
    pub fn residual_replacement(mut self, replacement: impl Into<Choice<ResidualReplacement>>) -> Self {
        self.replacement = replacement.into();
        self
    }
    /// The storage format of the matrix.
    pub fn format(mut self, format: impl Into<Choice<Format>>) -> Self {
        self.format = format.into();
        self
    }
    /// The order of rows and columns while solving.
    pub fn ordering(mut self, ordering: impl Into<Choice<Ordering>>) -> Self {
        self.ordering = ordering.into();
        self
    }
    /// How triangular solves of incomplete factorisations are done: exactly, or by Jacobi sweeps. By default exactly on the
    /// CPU, and on a GPU by what is expected to be faster; sweeps that fail are then followed by exact solves, see
    /// [`Report::tried`](crate::Report::tried).
    pub fn triangular(mut self, triangular: impl Into<Choice<TriangularSolve>>) -> Self {
        self.triangular = triangular.into();
        self
    }
    /// The precision. [`Precision::Hybrid`] makes the method an inner solve in single precision, with VPGCR around it in double
    /// (of a method that has an inner solve, that runs in single precision); should it fail, the solve goes on in double
    /// precision. [`Precision::Single`] rounds the system first. The default is that of the matrix.
    pub fn precision(mut self, precision: impl Into<Choice<Precision>>) -> Self {
        self.precision = precision.into();
        self
    }
    /// So many threads; without it those of the current rayon pool.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }
    /// What executes the solve: a [`Device`], or [`Choice::Auto`].
    pub fn device(mut self, device: impl Into<Choice<Device>>) -> Self {
        self.choice = device.into();
        self
    }
    /// Whether a GPU times what is left to the program, at the beginning of a long solve, or a model decides alone.
    pub fn autotuning(mut self, autotuning: Autotuning) -> Self {
        self.autotuning = autotuning;
        self
    }
    /// Told of each iteration of an iterative method, and shown x when it asks: see [`Progress`] and [`Go`]. Elimination
    /// tells nothing.
    pub fn observer(mut self, observer: impl Fn(&Progress<'_>) -> Go + Send + Sync + 'static) -> Self {
        self.observer = Some(Watcher(Arc::new(observer)));
        self
    }

    /// The relative tolerance for a scalar: what was asked, or 1e-8, in single precision 1e-4.
    pub fn rtol_for<S: Scalar>(&self) -> f64 {
        self.rtol.unwrap_or(if S::eps() > 1e-10 { 1e-4 } else { 1e-8 })
    }

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
        self.check_matrix(A)?;
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
        self.check_matrix(&A)?;
        Ok(System::new(self.clone(), PreparedMatrix::owned(A)))
    }

    /// Solves with what was prepared, from x = 0 or from a start.
    pub(crate) fn solve_in<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
        start: Option<&[S]>,
    ) -> Result<Solution<S>> {
        let A = prepared.A();
        prepared.check(|A| self.check_matrix(A))?;
        require_vector("the right-hand side", &A, b)?;
        let is_rounded = self.precision == Choice::Given(Precision::Single) && !is_single::<S>();
        if let Some(power) = scaling::power(b, is_rounded || is_single::<S>()) {
            return scaling::solve(self, prepared, (b, start), power);
        }
        if is_rounded {
            return self.solve_rounded(&A, b);
        }
        on_threads(self.threads, || {
            let mut solution = match self.method {
                Choice::Auto => self.solve_auto(prepared, (b, start))?,
                Choice::Given(method) => {
                    prepared.check_method(method, |A| selection::require_suitable(A, method))?;
                    let mut solution = self.solve_by(method, prepared, (b, start))?;
                    solution.report.reason_first("asked for");
                    solution.report.tried = solution.report.attempts();
                    solution
                }
            };
            let report = &mut solution.report;
            (report.rtol, report.atol) = (self.rtol_for::<S>(), self.atol);
            if is_single::<S>() {
                selection::advise_hybrid(report);
            }
            Ok(solution)
        })
    }

    /// Solves with every number rounded to single precision; the answer is judged in that of the matrix.
    fn solve_rounded<S: Scalar>(&self, A: &Csr<S>, b: &[S]) -> Result<Solution<S>> {
        require_range(A)?;
        let single: Vec<S::Single> = b.iter().map(|value| value.to_single()).collect();
        let observer = self.observer.clone().map(Watcher::widened::<S>);
        let solver = Self { observer, ..self.clone() };
        let Solution { x, mut report } = solver.solve(&A.map_values(S::to_single), &single)?;
        let x: Vec<S> = x.into_iter().map(S::widen).collect();
        let truth = selection::norm(&selection::residual(A, b, &x));
        report.true_residual = selection::relative(truth, report.rhs_norm);
        if report.converged && report.true_residual > report.tolerance() {
            report.conclude(Outcome::Stagnated);
            selection::advise_hybrid(&mut report);
        }
        Ok(Solution { x, report })
    }

    fn solve_by<S: Scalar>(
        &self,
        method: Method,
        prepared: &mut PreparedMatrix<'_, S>,
        (b, start): (&[S], Option<&[S]>),
    ) -> Result<Solution<S>> {
        let (device, reason) = self.choice.resolve(prepared.A().nnz(), method);
        let placed = Self { device, ..self.clone() };
        let mut solution = match method.krylov() {
            Some(krylov) => placed.solve_swept_or_exactly(krylov, prepared, (b, start))?,
            None if self.precision == Choice::Given(Precision::Hybrid) => {
                return Err(Error::NoIterations { method: method.to_string() });
            }
            None => prepared.eliminate(&placed, (method, Transposition::None), b)?,
        };
        let report = &mut solution.report;
        (report.device, report.device_reason, report.threads) = (device, reason, threads_used(device));
        Ok(solution)
    }

    /// Everything that can be wrong with the matrix and the settings.
    fn check_matrix<S: Scalar>(&self, A: &Csr<S>) -> Result<()> {
        for (name, value) in [("rtol", self.rtol_for::<S>()), ("atol", self.atol)] {
            if !(value >= 0.0 && value.is_finite()) {
                let expected = "a tolerance is a finite number that is not negative";
                return Err(LinalgError::InvalidParameter { name, value: value.to_string(), expected }.into());
            }
        }
        self.triangular.require(self.preconditioner)?;
        self.replacement.given().map_or(Ok(()), ResidualReplacement::require)?;
        A.require_square("a solve")?;
        Ok(A.require_finite()?)
    }
}

/// An error unless a vector is as long as A has rows and every entry is finite.
pub(crate) fn require_vector<S: Scalar>(what: &'static str, A: &Csr<S>, b: &[S]) -> Result<()> {
    check_length(what, A.rows(), b.len())?;
    match b.iter().position(|value| !value.finite()) {
        None => Ok(()),
        Some(i) => {
            let place = format!("row {}", i + 1);
            Err(Error::Linalg(LinalgError::NonFinite { what, value: b[i].to_string(), place }))
        }
    }
}
