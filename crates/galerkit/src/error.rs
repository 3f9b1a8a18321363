//! The facade's error: everything linalg can say, and what only the facade knows.

use crate::report::Report;
use galerkit_cuda::error::Amount;

/// What can go wrong between a matrix and its solution.
///
/// ```
/// use galerkit::prelude::*;
/// use galerkit::Error;
///
/// let A = galerkit::load("gallery:convection_diffusion2d?n=5")?.into_real()?;
/// let refused = Solver::new().method(Krylov::Cg).solve(&A, &[1.0; 25]).unwrap_err();
/// assert!(matches!(refused, Error::NotSelfAdjoint { .. }));
/// assert!(refused.to_string().contains("choose the method gmres"));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Said by the algebra below.
    #[error(transparent)]
    Linalg(#[from] galerkit_linalg::Error),
    /// Said by the GPU or on the way there.
    #[error(transparent)]
    Cuda(#[from] galerkit_cuda::Error),
    /// Said of a mesh, a space or the data of a problem.
    #[error(transparent)]
    Fem(galerkit_fem::Error),
    /// The answer misses the tolerance; made by [`Report::converged_or_err`].
    #[error(
        "{} after {} iterations: the relative residual is {:.2e}, {:.2e} was asked",
        .0.outcome.name(), .0.iterations, .0.true_residual, .0.tolerance()
    )]
    NotConverged(Box<Report>),
    /// Numbers with an imaginary part where real ones are needed.
    #[error("{what} is complex, but {needed} is real: {advice}")]
    ComplexForReal {
        /// What is complex.
        what: &'static str,
        /// What is real.
        needed: &'static str,
        /// What to change.
        advice: &'static str,
    },
    /// A row without entries where a regular matrix is needed.
    #[error("row {} has no entries, so the matrix is singular: remove the row and its unknown, or give it a diagonal entry", .row + 1)]
    EmptyRow {
        /// 0-based row.
        row: usize,
    },
    /// A system without a solution: A x has mean zero for every x, and b has not.
    #[error(
        "every row of the matrix sums to zero, so it is singular, {}and no x brings the relative residual below {least:.1e}: subtract \
         from b its mean{}, which gives the least-squares solution, or fix one unknown{}",
        if *.parts > 1 { format!("it has {} parts that are not connected, ", .parts) } else { String::new() },
        if *.parts > 1 { " over each part" } else { "" },
        if *.parts > 1 { " of each" } else { "" },
    )]
    NotConsistent {
        /// Connected parts of the matrix: b must have mean zero over each.
        parts: usize,
        /// The least residual, relative to ||b||.
        least: f64,
    },
    /// A method for self-adjoint matrices was asked of another.
    #[error("the matrix is not {}, which {method} needs: choose the method {instead}", if *.complex { "Hermitian" } else { "symmetric" })]
    NotSelfAdjoint {
        /// The method that refused.
        method: String,
        /// Whether its entries are complex.
        complex: bool,
        /// Methods that would do.
        instead: &'static str,
    },
    /// A method for positive definite matrices was asked of one that is visibly not.
    #[error("row {} has the diagonal entry {value}, so the matrix is not positive definite, which {method} needs: choose the method minres, gmres or lu", .row + 1)]
    NotPositiveDefinite {
        /// The method that refused.
        method: String,
        /// 0-based row.
        row: usize,
        /// The entry, as text; 0 if it is missing.
        value: String,
    },
    /// Something that an operator would have to show, and does not.
    #[error("{asked} needs {missing}, which {map} does not show: {instead}")]
    NotKnownOfMap {
        /// What was asked for.
        asked: String,
        /// What it needs.
        missing: &'static str,
        /// What the operator is called.
        map: &'static str,
        /// What to choose, or what to give.
        instead: &'static str,
    },
    /// An inner solve for a method whose preconditioner must not change.
    #[error(
        "{inner} is another map in every iteration, which {method} cannot have: choose the method {}", flexible(.instead)
    )]
    NotFlexible {
        /// The method that refused.
        method: String,
        /// The inner solve.
        inner: String,
        /// The method of the same kind that would do.
        instead: String,
    },
    /// A hierarchy in single precision for a method whose directions are powers of what it is applied in.
    #[error(
        "{preconditioner} rounds to single precision, and the directions of {method} are powers of A M, of which that leaves nothing after seven digits: choose precision=same, or the method {instead}"
    )]
    RoundsDirections {
        /// The preconditioner.
        preconditioner: String,
        /// The method that refused.
        method: String,
        /// One of the same kind that does.
        instead: String,
    },
    /// Something that does not fit the memory, found out before it is tried.
    #[error("{what} needs about {}, and {} are free: {instead}", Amount(*.needed), Amount(*.free))]
    TooMuchMemory {
        /// What was asked for.
        what: String,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        free: usize,
        /// What to choose in its place.
        instead: &'static str,
    },
    /// Another way to solve with triangles than the name of the preconditioner says.
    #[error(
        "{preconditioner} sweeps by its name, which {asked} contradicts: leave triangular solves to the name, or choose a preconditioner without sweeps, such as ilu0"
    )]
    SweepsByName {
        /// The preconditioner.
        preconditioner: String,
        /// What was asked for.
        asked: String,
    },
    /// A matching for a method that needs rows and columns to stay together.
    #[error(
        "{preconditioner} moves rows apart from columns, and {method} needs a Hermitian matrix: choose bicgstab, idr or gmres, or a preconditioner without a matching, such as ilu0"
    )]
    MatchedForHermitian {
        /// The preconditioner.
        preconditioner: String,
        /// The method.
        method: String,
    },
    /// An ordering that contradicts the name of a preconditioner.
    #[error(
        "{preconditioner} stores rows colour by colour by its name, which the ordering {asked} contradicts: leave the ordering to the name, or choose a preconditioner without colours, such as ilu0"
    )]
    ColouredByName {
        /// The preconditioner.
        preconditioner: String,
        /// The ordering that was asked for.
        asked: String,
    },
    /// Sweeps for a preconditioner that is no incomplete factorisation.
    #[error(
        "{preconditioner} is no incomplete factorisation, so {asked} has nothing to sweep: choose ilu0, ilu:FILL, ic0, ilu0-blocks:N or parilu0:N, or leave triangular solves to the program"
    )]
    NoFactors {
        /// The preconditioner.
        preconditioner: String,
        /// What was asked for.
        asked: String,
    },
    /// Hybrid precision for a method without iterations.
    #[error(
        "{method} has no iterations that could run in single precision: choose double precision, or a method such as cg or bicgstab"
    )]
    NoIterations {
        /// The method.
        method: String,
    },
    /// Nothing is in place: the system was solved by elimination, or not at all since it was reset.
    #[error("no right-hand side is in place: write one first, and choose an iterative method; elimination keeps none")]
    NotIterative,
    /// A solve with the transpose or the adjoint by a method without factors.
    #[error(
        "{method} cannot solve with the transpose of the matrix: choose the method lu, cholesky or dense, whose factors serve both, or solve a system with the transposed matrix"
    )]
    NoFactorsToTranspose {
        /// The method that was asked for.
        method: String,
    },
    /// The device of a prepared system failed before, so that nothing runs on it any more.
    #[error("the device of this system has failed: {0}; reset the system, and the next solve prepares it anew")]
    DeviceFailed(galerkit_cuda::Error),
    /// Values of a matrix with another pattern than the one that was prepared.
    #[error(
        "row {} has other entries than the matrix that was prepared ({found} where there were {expected}, or in other columns): prepare it anew, or keep entries that vanish as zeros", .row + 1
    )]
    OtherPattern {
        /// 0-based row.
        row: usize,
        /// Entries that came.
        found: usize,
        /// Entries that were there.
        expected: usize,
    },
    /// Hybrid precision for a matrix in single precision.
    #[error("the matrix is in single precision already: give it in double precision for a hybrid solve")]
    NotDouble,
    /// An entry that single precision does not hold.
    #[error("entry ({}, {}) = {value} {} in single precision: choose double precision, or scale the system", .row + 1, .col + 1, if *.overflows { "overflows" } else { "vanishes" })]
    BeyondSingle {
        /// 0-based row.
        row: usize,
        /// 0-based column.
        col: usize,
        /// The entry, as text.
        value: String,
        /// Too large; otherwise too small.
        overflows: bool,
    },
    /// A preconditioner that single precision does not hold.
    #[error(
        "numbers of the preconditioner {preconditioner} overflow in single precision: choose double precision, another preconditioner, or scale the system"
    )]
    PreconditionerBeyondSingle {
        /// Its name.
        preconditioner: String,
    },
    /// A number of threads that cannot be meant.
    #[error("{asked} threads cannot be used: ask for 1 to {limit}, or leave it out to use every core")]
    Threads {
        /// How many were asked for.
        asked: usize,
        /// The most that are allowed.
        limit: usize,
    },
    /// The operating system refused the threads.
    #[error("{asked} threads could not be started: ask for fewer")]
    ThreadPool {
        /// How many were asked for.
        asked: usize,
        /// What the thread pool said.
        source: rayon::ThreadPoolBuildError,
    },
}

/// A flexible method by name, and the others.
fn flexible(instead: &str) -> String {
    match instead.split(':').next() {
        Some("fgmres") => format!("{instead} or vpgcr"),
        Some("vpgcr") => format!("{instead} or fgmres"),
        _ => format!("{instead}, fgmres or vpgcr"),
    }
}

/// Result of the facade's functions.
///
/// ```
/// fn first_entry(name: &str) -> galerkit::Result<f64> {
///     Ok(galerkit::load(name)?.into_real()?.val()[0])
/// }
/// assert_eq!(first_entry("gallery:poisson1d?n=3")?, 2.0);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub type Result<T> = std::result::Result<T, Error>;

impl Report {
    /// The report if it converged, an error that carries it if not.
    pub fn converged_or_err(self) -> Result<Self> {
        if self.converged { Ok(self) } else { Err(Error::NotConverged(Box::new(self))) }
    }
}
