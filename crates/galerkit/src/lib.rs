//! galerkit solves the sparse systems that finite elements produce, at the speed of the memory they sit in.
//!
//! ```
//! use galerkit::prelude::*;
//!
//! let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
//! let b = vec![1.0; A.rows()];
//! let solution = Solver::new().rtol(1e-10).solve(&A, &b)?;
//! println!("{}", solution.report);
//! assert!(solution.report.converged);
//! # Ok::<(), galerkit::Error>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`fem`] | meshes, hp spaces and [`Problem`]s, solved by [`Solver::solve_discrete`] |
//! | [`solver`] | [`Solver`], the builder; [`Solution`] |
//! | [`OpenMap`], [`OpenPreconditioner`] | operators that are any linear map, such as matrix-free ones, and preconditioners of one's own |
//! | [`system`] | [`System`]: a matrix prepared for many right-hand sides and new values |
//! | [`assembly`] | [`Assembly`]: entries computed where a system is solved; its [`Engine`] |
//! | [`progress`] | [`Progress`]: what an observer is told; [`Go`]: what it answers |
//! | [`report`] | [`Report`]: what happened, in stable keys |
//! | [`choice`] | [`Choice`]: given, or left to the program; [`Method`], [`Preconditioning`], [`Ordering`], [`Device`] and others, by name |
//! | [`family`] | what each Krylov method is for and what an iteration of it costs |
//! | [`precision`], [`inner`] | single, double or hybrid; inner solves as preconditioners |
//! | [`triangular`] | [`TriangularSolve`]: triangular solves exactly or by Jacobi sweeps |
//! | [`heart`], [`tumour`] | the engine on which a heart beats, and a tumour grows |
//! | [`source`] | a matrix from a path, from standard input or from the gallery |
//! | [`sparse`] | products and transposes of matrices on every device |
//! | [`any`] | scalars chosen at run time |
//! | [`layout`], [`preconditioning`] | ordering, format and preconditioner as a solve would have them, each built in one place |
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the paper's capital letter

pub mod any;
pub mod assembly;
pub mod choice;
mod device;
pub mod error;
mod explain;
pub mod family;
pub mod heart;
pub mod inner;
pub mod layout;
mod matrix;
mod multigrid_choice;
mod near_null;
mod placement;
pub mod precision;
pub mod preconditioning;
pub mod progress;
pub mod report;
pub mod rhs;
pub mod solver;
pub mod source;
pub mod sparse;
pub mod stages;
pub mod system;
pub mod triangular;
mod triangular_model;
pub mod tumour;
mod uploaded;

pub use any::{AnyMatrix, AnyProblem};
pub use assembly::{Assembly, DeviceVector, Engine};
pub use choice::{Autotuning, Choice, Device, Method, Ordering, Preconditioning, ResidualReplacement, Variant};
pub use device::{current_threads, on_threads, use_threads};
pub use error::{Error, Result};
pub use galerkit_cuda as cuda;
pub use galerkit_fem as fem;
pub use galerkit_fem::{Problem, Space};
pub use galerkit_linalg as linalg;
pub use galerkit_linalg::krylov::{InnerMethod, Krylov};
pub use inner::InnerSolve;
pub use precision::Precision;
pub use progress::{Go, Progress};
pub use report::{
    AppliedPreconditioner, Attempt, InnerReport, LevelReport, MultigridReport, Report, ScalarTypes, Storage,
};
pub use rhs::Rhs;
pub use solver::{DiscreteSolution, EntityBlocks, OpenMap, OpenPreconditioner, OpenSystem, Solution, Solver, Start};
pub use source::{Loaded, load, problem};
pub use system::System;
pub use triangular::TriangularSolve;

/// What most programs need.
///
/// ```
/// use galerkit::prelude::*;
///
/// let solver = Solver::new().method(Krylov::Cg).device(Device::Cpu).format(Choice::Auto);
/// ```
pub mod prelude {
    pub use crate::{AnyMatrix, AnyProblem, Choice, Device, Krylov, Method, Ordering, Precision};
    pub use crate::{Autotuning, InnerSolve, Preconditioning, ResidualReplacement, TriangularSolve};
    pub use crate::{Go, Progress, Report, Solution, Solver, Start, System};
    pub use galerkit_linalg::gallery::GridMatrix;
    pub use galerkit_linalg::precond::Preconditioner;
    pub use galerkit_linalg::sparse::{Coo, Csr, Format};
    pub use galerkit_linalg::{Scalar, c32, c64};
}
