//! The settings of a [`Solver`]: what to do, said once.

use super::watcher::Watcher;
use crate::choice::{Autotuning, Choice, Device, Method, Ordering};
use crate::choice::{Preconditioning, ResidualReplacement, TriangularSolve};
use crate::near_null::NearNull;
use crate::precision::Precision;
use crate::progress::{Go, Progress};
use crate::uploaded::LEAST;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::program::Precision as Rounding;
use galerkit_linalg::sparse::Format;
use std::sync::Arc;

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
    pub(super) method: Choice<Method>,
    pub(super) preconditioner: Choice<Preconditioning>,
    pub(super) near_null: NearNull,
    pub(super) rtol: Option<f64>,
    pub(super) atol: f64,
    pub(super) max_iterations: Choice<usize>,
    pub(super) replacement: Choice<ResidualReplacement>,
    pub(super) format: Choice<Format>,
    pub(super) ordering: Choice<Ordering>,
    pub(super) triangular: Choice<TriangularSolve>,
    pub(super) precision: Choice<Precision>,
    pub(super) threads: Option<usize>,
    pub(super) choice: Choice<Device>,
    /// What the choice came to; the method decides, so it is known only inside [`Solver::solve`].
    pub(super) device: Device,
    pub(super) autotuning: Autotuning,
    pub(super) observer: Option<Watcher>,
    /// Whether only iterations will do, because b or the matrix stays in place.
    pub(super) iterates: bool,
    /// b has been multiplied by two to this power.
    pub(super) power: i32,
    /// Entries from which on a GPU does the set-up of what it solves.
    pub(super) device_setup: usize,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            method: Choice::Auto,
            preconditioner: Choice::Auto,
            near_null: NearNull::default(),
            rtol: None,
            atol: 0.0,
            max_iterations: Choice::Auto,
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
            iterates: false,
            power: 0,
            device_setup: LEAST,
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
    /// What A nearly maps to zero, for algebraic multigrid: its coarse levels then represent these vectors exactly.
    /// Each has an entry for each row. Without them it is the constant vector, or with `block=N` that of each unknown
    /// of a node. Where no preconditioner is named it is then `amg`. Bodies want their translations and rotations:
    ///
    /// ```
    /// use galerkit::fem::elasticity::Solid;
    /// use galerkit::fem::{form::Elasticity, mesh::generate::brick};
    /// use galerkit::prelude::*;
    ///
    /// let beam = brick([0.0; 3], [6.0, 1.0, 1.0], [18, 3, 3])?; // boundary: 1 left, 2 right
    /// let solid = Solid::new(beam, Elasticity::new(210e9, 0.3))?.clamp(1).traction(2, |_| [0.0, 0.0, -1e6]);
    /// let system = solid.assemble()?;
    /// let amg: Preconditioner = "amg,block=3,coarse=100".parse()?; // three rows a node
    /// let solver = Solver::new().method(Krylov::Cg).preconditioner(amg);
    /// let [plain, rigid] = [solver.clone(), solver.near_null(&system.rigid_body_modes())];
    /// let (plain, rigid) = (plain.solve(&system.A, &system.b)?, rigid.solve(&system.A, &system.b)?);
    /// assert!(rigid.report.converged && rigid.report.iterations < plain.report.iterations);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn near_null<S: Scalar>(mut self, vectors: &[Vec<S>]) -> Self {
        self.near_null = NearNull::new(vectors);
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
    /// Most iterations; 10,000 by default. Who sets a limit wants iterations, and no other method after them.
    pub fn max_iterations(mut self, limit: usize) -> Self {
        self.max_iterations = limit.into();
        self
    }
    /// When the recursive residual is replaced by b - A x. Methods that cannot do it, or do it at the end of their
    /// cycles, do not heed it.
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
    /// How triangular solves of incomplete factorisations are done: exactly, or by Jacobi sweeps. By default as the
    /// name of the preconditioner says: exactly on every device, unless it ends in a [`Variant`](crate::Variant).
    /// Sweeps that [`Variant::Auto`](crate::Variant::Auto) has picked and that fail are followed by exact solves, see
    /// [`Report::tried`](crate::Report::tried).
    pub fn triangular(mut self, triangular: impl Into<Choice<TriangularSolve>>) -> Self {
        self.triangular = triangular.into();
        self
    }
    /// The precision. [`Precision::Hybrid`] makes the method an inner solve in single precision, with VPGCR around it
    /// in double (of a method that has an inner solve, that runs in single precision); should it fail, the solve goes
    /// on in double precision. [`Precision::Single`] rounds the system first. The default is that of the matrix.
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
    /// Whether a GPU times what is left to the program, at the beginning of a long solve, or a model decides alone:
    /// then bits repeat from the first solve on.
    pub fn autotuning(mut self, autotuning: Autotuning) -> Self {
        self.autotuning = autotuning;
        self
    }
    /// From so many entries on the GPU that solves does the set-up as well; for tests.
    #[doc(hidden)]
    pub fn device_setup_from(self, entries: usize) -> Self {
        Self { device_setup: entries, ..self }
    }
    /// Told of each iteration of an iterative method, and shown x when it asks: see [`Progress`] and [`Go`].
    /// Elimination tells nothing.
    pub fn observer(mut self, observer: impl Fn(&Progress<'_>) -> Go + Send + Sync + 'static) -> Self {
        self.observer = Some(Watcher(Arc::new(observer)));
        self
    }

    /// The norm of b - A x that is small enough.
    pub(super) fn threshold<S: Scalar>(&self, rhs_norm: f64) -> f64 {
        (self.rtol_for::<S>() * rhs_norm).max(self.atol)
    }

    /// Who has said something about iterations wants them: auto then does not begin with elimination.
    pub(super) fn wants_iterations(&self) -> bool {
        let stored = self.format != Choice::Auto || self.ordering != Choice::Auto;
        let preconditioned = self.preconditioner != Choice::Auto || self.triangular != Choice::Auto;
        let run = self.max_iterations != Choice::Auto || self.replacement != Choice::Auto || self.near_null.is_given();
        let placed =
            self.precision == Choice::Given(Precision::Hybrid) || self.choice == Choice::Given(Device::Reference);
        self.iterates || stored || preconditioned || run || placed
    }

    /// Whether the preconditioner works on rounded residuals, or may, because a GPU is free to choose it.
    pub(super) fn rounds_residuals(&self) -> bool {
        let on_host = matches!(self.choice, Choice::Given(Device::Cpu | Device::Reference));
        match self.preconditioner.named() {
            Some(Preconditioner::Amg(amg)) => amg.precision == Rounding::Single,
            Some(_) => false,
            None => self.preconditioner == Choice::Auto && !on_host,
        }
    }

    /// Most iterations: what was asked, or 10,000.
    pub(super) fn limit(&self) -> usize {
        self.max_iterations.given().unwrap_or(10_000)
    }

    /// The relative tolerance for a scalar: what was asked, or 1e-8, in single precision 1e-4.
    pub fn rtol_for<S: Scalar>(&self) -> f64 {
        self.rtol.unwrap_or(if S::eps() > 1e-10 { 1e-4 } else { 1e-8 })
    }
}
