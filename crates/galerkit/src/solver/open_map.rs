//! [`OpenMap`]: an operator that is any linear map, with what is known of it; [`OpenPreconditioner`]: a preconditioner
//! that is brought along.

use super::machine::Engine;
use crate::report::MultigridReport;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Operator, Resident};
use galerkit_linalg::map::LinearMap;
use std::sync::Arc;

/// A preconditioner that loads itself onto the engine of a solve, wherever that is: in its verbs, and with maps that
/// have CPU and device products.
///
/// ```
/// use galerkit::linalg::engine::{Engine as _, Operator, Resident};
/// use galerkit::linalg::map::{Diagonal, LinearMap};
/// use galerkit::prelude::*;
/// use galerkit::{Engine, OpenMap, OpenPreconditioner};
///
/// /// Jacobi with a diagonal of one number.
/// struct Scaled(f64, usize);
///
/// impl OpenPreconditioner<f64> for Scaled {
///     fn load(&self, e: &mut Engine<f64>, _: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
///         Box::new(e.load(Box::new(Diagonal::new(vec![1.0 / self.0; self.1]))))
///     }
///     fn describe(&self) -> String {
///         format!("scaled by 1/{}", self.0)
///     }
/// }
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// let map: Box<dyn LinearMap<f64>> = galerkit::linalg::map::matrix_map(galerkit::linalg::sparse::Matrix::Csr(A));
/// let map = OpenMap::new(map).positive_definite().preconditioned_by(Scaled(4.0, 100));
/// let report = Solver::new().solve_map(map, &[1.0; 100])?.report;
/// assert_eq!((report.converged, report.method_name().as_str()), (true, "cg + scaled by 1/4"));
/// # Ok::<(), galerkit::Error>(())
/// ```
pub trait OpenPreconditioner<S: Scalar>: Send + Sync {
    /// Brings it onto the engine, where A is the operator of the system: whoever needs A keeps a clone of its handles.
    /// Called once for each preparation; what can fail on the host belongs before it. The engine notes what fails on a
    /// device.
    fn load(&self, e: &mut Engine<S>, A: &Resident<Engine<S>>) -> Box<dyn Operator<Engine<S>> + Send>;

    /// What reports call it, in a few words: `p-multigrid:4`.
    fn describe(&self) -> String;

    /// What reports say about it, at greater length.
    fn explain(&self) -> String {
        "brought along".into()
    }

    /// Its levels, if it is multigrid.
    fn levels(&self) -> Option<MultigridReport> {
        None
    }

    /// Bytes that it takes where it is loaded, its vectors included; so that a GPU with too little memory is found out
    /// before.
    fn bytes(&self) -> usize {
        0
    }
}

/// What is known of the eigenvalues of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spectrum {
    PositiveDefinite,
    Real,
    Unknown,
}

/// An operator that is a linear map, and what is known of it beside its products. What is not said is not looked for:
/// without a word the operator is general and has no diagonal, so that the method is GMRES without a preconditioner
/// unless another is chosen.
///
/// ```
/// use galerkit::fem::{Forest, MatrixFree, Problem, Space, domain};
/// use galerkit::prelude::*;
/// use galerkit::OpenMap;
///
/// let forest = Forest::new(&domain::lshape(4))?;
/// let degrees = vec![3; forest.cells().len()];
/// let problem = Problem::poisson(Space::new(forest, &degrees, &[1, 2])?.into(), 1.0);
/// let A = MatrixFree::new(&problem)?;
/// let (b, diagonal) = (A.right_hand_side(&problem)?, A.diagonal());
/// let mut system = Solver::new().prepare_map(OpenMap::new(Box::new(A)).positive_definite().diagonal(diagonal))?;
/// let report = system.solve(&b)?.report;
/// assert_eq!((report.converged, report.method_name().as_str()), (true, "cg + jacobi"));
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct OpenMap<S: Scalar> {
    pub(super) map: Box<dyn LinearMap<S>>,
    pub(super) spectrum: Spectrum,
    pub(super) diagonal: Option<Vec<S>>,
    pub(super) bound: Option<f64>,
    pub(super) brought: Option<Arc<dyn OpenPreconditioner<S>>>,
}

impl<S: Scalar> OpenMap<S> {
    /// A map of which nothing is known yet.
    pub fn new(map: Box<dyn LinearMap<S>>) -> Self {
        Self { map, spectrum: Spectrum::Unknown, diagonal: None, bound: None, brought: None }
    }
    /// It is self-adjoint and positive definite, or semidefinite with b in its range: CG suits it.
    pub fn positive_definite(self) -> Self {
        Self { spectrum: Spectrum::PositiveDefinite, ..self }
    }
    /// It is self-adjoint: MINRES suits it.
    pub fn self_adjoint(self) -> Self {
        Self { spectrum: Spectrum::Real, ..self }
    }
    /// Its diagonal D, for Jacobi and Chebyshev.
    pub fn diagonal(self, diagonal: Vec<S>) -> Self {
        Self { diagonal: Some(diagonal), ..self }
    }
    /// No eigenvalue of D^-1 A is above this, for Chebyshev.
    pub fn eigenvalue_bound(self, upper: f64) -> Self {
        Self { bound: Some(upper), ..self }
    }
    /// What preconditions it where the solver leaves that to the program.
    pub fn preconditioned_by(self, preconditioner: impl OpenPreconditioner<S> + 'static) -> Self {
        Self { brought: Some(Arc::new(preconditioner)), ..self }
    }
    /// Its rows.
    pub fn rows(&self) -> usize {
        self.map.shape().0
    }
}
