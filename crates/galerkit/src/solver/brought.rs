//! Preconditioners that finite elements bring along: p-multigrid, that of bodies, and block Jacobi by mesh entity.

use super::machine::Engine;
use super::open_map::{OpenMap, OpenPreconditioner};
use crate::report::MultigridReport;
use galerkit_fem::elasticity::BodyMultigrid;
use galerkit_fem::problem::System;
use galerkit_fem::{Multigrid, Problem};
use galerkit_linalg::engine::{Engine as _, Operator, Resident};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::sparse::{Csr, Matrix};

/// For operators of the problem with its interior functions kept, assembled or matrix-free.
///
/// ```
/// use galerkit::OpenMap;
/// use galerkit::fem::{Forest, Multigrid, Problem, Space, domain};
/// use galerkit::prelude::*;
///
/// let forest = Forest::new(&domain::cube(2))?;
/// let problem = Problem::poisson(Space::new(forest, &[6; 8], &[1])?.into(), 1.0);
/// let (system, multigrid) = (problem.matrix_free()?, Multigrid::new(&problem, &Default::default())?);
/// let map = OpenMap::matrix_free(&system).preconditioned_by(multigrid);
/// let report = Solver::new().rtol(1e-8).solve_map(map, &system.b)?.report;
/// assert_eq!(report.method_name(), "cg + p-multigrid");
/// assert!(report.converged && report.iterations <= 13);
/// # Ok::<(), galerkit::Error>(())
/// ```
impl OpenPreconditioner<f64> for Multigrid {
    fn load(&self, e: &mut Engine<f64>, A: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
        let A = Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise };
        Box::new(Multigrid::load(self, e, A))
    }
    fn describe(&self) -> String {
        self.name()
    }
    fn explain(&self) -> String {
        Multigrid::describe(self)
    }
    fn levels(&self) -> Option<MultigridReport> {
        Some(self.into())
    }
    fn bytes(&self) -> usize {
        Multigrid::bytes(self)
    }
}

/// For the equations of a body of degree 2 and more.
///
/// ```
/// use galerkit::OpenMap;
/// use galerkit::fem::elasticity::{BodyMultigrid, Solid};
/// use galerkit::fem::{form::Elasticity, mesh::generate::brick_of_order};
/// use galerkit::prelude::*;
///
/// let beam = brick_of_order([0.0; 3], [3.0, 1.0, 1.0], [6, 2, 2], 2)?;
/// let solid = Solid::new(beam, Elasticity::new(210e9, 0.3))?.clamp(1).traction(2, |_| [0.0, 0.0, -1e6]);
/// let system = solid.assemble()?;
/// let multigrid = BodyMultigrid::new(&solid, &system, &"amg,coarse=100".parse()?)?;
/// let map = OpenMap::of_matrix(&system.A).preconditioned_by(multigrid);
/// let report = Solver::new().rtol(1e-8).solve_map(map, &system.b)?.report;
/// assert!(report.converged && report.iterations <= 20);
/// # Ok::<(), galerkit::Error>(())
/// ```
impl OpenPreconditioner<f64> for BodyMultigrid {
    fn load(&self, e: &mut Engine<f64>, A: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
        let A = Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise };
        Box::new(BodyMultigrid::load(self, e, A))
    }
    fn describe(&self) -> String {
        format!("degree 1 + {}", self.below().name)
    }
    fn explain(&self) -> String {
        BodyMultigrid::describe(self)
    }
    fn bytes(&self) -> usize {
        BodyMultigrid::bytes(self)
    }
}

/// Block Jacobi by mesh entity: the inverses of the blocks that vertices, edges, faces and interiors have in the matrix
/// of a problem.
#[derive(Clone, Debug)]
pub struct EntityBlocks(Csr<f64>);

impl EntityBlocks {
    /// For the matrix of a problem with its interior functions kept.
    ///
    /// # Errors
    /// If coefficients are not what they must be, or a block is not positive definite.
    pub fn new(problem: &Problem) -> galerkit_fem::Result<Self> {
        galerkit_fem::multigrid::block_jacobi(problem).map(Self)
    }
}

impl OpenPreconditioner<f64> for EntityBlocks {
    fn load(&self, e: &mut Engine<f64>, _: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
        Box::new(e.load(matrix_map(Matrix::Csr(self.0.clone()))))
    }
    fn describe(&self) -> String {
        "block-jacobi:entities".into()
    }
    fn explain(&self) -> String {
        format!("blocks of vertices, edges, faces and interiors, inverted: {} entries", self.0.nnz())
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl OpenMap<f64> {
    /// The assembled matrix of a problem, in compressed rows, for a preconditioner of one's own.
    pub fn assembled(system: &System) -> Self {
        Self::of_matrix(&system.A)
    }
    /// A symmetric positive definite matrix, in compressed rows, for a preconditioner of one's own.
    pub fn of_matrix(A: &Csr<f64>) -> Self {
        Self::new(matrix_map(Matrix::Csr(A.clone()))).positive_definite().diagonal(A.diagonal())
    }
}
