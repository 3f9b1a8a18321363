//! Boundary value problems: assembled or matrix-free, solved, and brought back as a function on the mesh.

use super::open_map::OpenMap;
use super::{Solution, Solver};
use crate::choice::{Choice, Preconditioning};
use crate::error::{Error, Result};
use crate::precision::Precision;
use crate::report::Report;
use crate::stages::{Stage, Stages};
use galerkit_fem::problem::{Discretisation, Interior, System};
use galerkit_fem::{MatrixFree, Problem};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::Preconditioner;

/// u_h, and how its coefficients were found.
#[derive(Clone, Debug)]
pub struct DiscreteSolution<U> {
    /// u_h: [`fem::Solution`](galerkit_fem::Solution) on hexahedra and quadrilaterals.
    pub u: U,
    /// How it went; look at `converged`.
    pub report: Report,
}

impl Solver {
    /// Solves a boundary value problem: assembles its system, solves it as told, and returns u_h.
    ///
    /// ```
    /// use galerkit::fem::{Forest, Problem, Space, mesh::generate};
    /// use galerkit::prelude::*;
    ///
    /// // -Laplace u = 1 on the unit square, u = 0 on its four sides
    /// let forest = Forest::new(&generate::rectangle([0.0; 2], [1.0; 2], [4, 4])?)?;
    /// let space = Space::new(forest, &[3; 16], &[1, 2, 3, 4])?;
    /// let solved = Solver::new().solve_discrete(&Problem::poisson(space.into(), 1.0))?;
    /// let middle = solved.u.at(&[0.5, 0.5, 0.0]).unwrap();
    /// assert!(solved.report.converged && (middle - 0.0736713).abs() < 1e-5);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_discrete<V: Discretisation>(&self, problem: &Problem<V>) -> Result<DiscreteSolution<V::Solution>> {
        let system = V::assemble(problem, Interior::Kept)?;
        let (x, report) = self.solve_equations::<V>(&system)?;
        Ok(DiscreteSolution { u: V::solution(problem, &system, &x)?, report })
    }

    /// Solves the system of a problem that is already assembled. One without unknowns, as that of a single cell of
    /// degree 1 with Dirichlet data, is solved.
    ///
    /// ```
    /// use galerkit::fem::problem::Interior;
    /// use galerkit::fem::{Forest, Problem, Space, domain};
    /// use galerkit::prelude::*;
    ///
    /// let space = Space::new(Forest::new(&domain::square(1))?, &[1], &[1])?;
    /// let system = Problem::poisson(space.into(), 1.0).assemble(Interior::Kept)?;
    /// let (x, report) = Solver::new().solve_equations::<Space>(&system)?;
    /// assert!(x.is_empty() && report.converged);
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_equations<V: Discretisation>(&self, system: &V::System) -> Result<(Vec<f64>, Report)> {
        let (A, b) = V::equations(system);
        if A.rows() == 0 {
            return Ok((Vec::new(), Report::without_unknowns::<f64>()));
        }
        let solution = self.solve(A, b)?;
        Ok((solution.x, solution.report))
    }
}

impl Solver {
    /// Solves a boundary value problem without its matrix: the operator is applied cell by cell. u_h is that of
    /// [`solve_discrete`](Self::solve_discrete); methods and preconditioners are those of
    /// [`solve_map`](Self::solve_map).
    ///
    /// ```
    /// use galerkit::fem::{Forest, Problem, Space, domain};
    /// use galerkit::prelude::*;
    ///
    /// let forest = Forest::new(&domain::cube(2))?;
    /// let space = Space::new(forest, &[4; 8], &[1])?;
    /// let solved = Solver::new().solve_matrix_free(&Problem::poisson(space.into(), 1.0))?;
    /// assert_eq!((solved.report.converged, solved.report.method_name().as_str()), (true, "cg + jacobi"));
    /// # Ok::<(), galerkit::Error>(())
    /// ```
    pub fn solve_matrix_free(&self, problem: &Problem) -> Result<DiscreteSolution<galerkit_fem::Solution>> {
        let system = problem.matrix_free()?;
        let (x, report) = self.solve_operator(&system)?;
        Ok(DiscreteSolution { u: problem.solution(&system, &x)?, report })
    }

    /// Solves the system of a problem with its matrix-free operator. For a preconditioner of one's own see
    /// [`OpenMap::matrix_free`]. In single precision, if that is asked for, operator, diagonal and b are rounded, and
    /// all iterations are in it.
    pub fn solve_operator(&self, system: &System<MatrixFree<f64>>) -> Result<(Vec<f64>, Report)> {
        let mut stages = Stages::default();
        let (diagonal, bound) = self.shown(&system.A, &mut stages);
        let (x, mut report) = if self.precision == Choice::Given(Precision::Single) {
            let A = system.A.to_single().expect("a matrix-free operator has a form in single precision");
            let single = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<f32>>();
            let map = described(OpenMap::new(A), diagonal.as_deref().map(single), bound);
            let Solution { x, report } = self.solve_map(map, &single(&system.b))?;
            (x.into_iter().map(f64::from).collect(), report)
        } else {
            let Solution { x, report } =
                self.solve_map(described(OpenMap::matrix_free(system), diagonal, bound), &system.b)?;
            (x, report)
        };
        report.spend(&stages);
        Ok((x, report))
    }

    /// What the preconditioner needs to be shown of an operator: its diagonal, a bound of eigenvalues.
    fn shown(&self, A: &MatrixFree<f64>, stages: &mut Stages) -> (Option<Vec<f64>>, Option<f64>) {
        if self.preconditioner == Preconditioner::None.into() {
            return (None, None);
        }
        let diagonal = stages.time(Stage::Scaling, || A.diagonal());
        let needs_bound =
            matches!(self.preconditioner, Choice::Given(Preconditioning::Named(Preconditioner::Chebyshev { .. })));
        let bound = needs_bound.then(|| stages.time(Stage::Scaling, || A.eigenvalue_bound(&diagonal)));
        (Some(diagonal), bound)
    }
}

/// An operator with what is known of it.
fn described<S: Scalar>(map: OpenMap<S>, diagonal: Option<Vec<S>>, bound: Option<f64>) -> OpenMap<S> {
    let map = map.positive_definite();
    let map = match diagonal {
        Some(diagonal) => map.diagonal(diagonal),
        None => map,
    };
    match bound {
        Some(bound) => map.eigenvalue_bound(bound),
        None => map,
    }
}

impl OpenMap<f64> {
    /// The matrix-free operator of a problem; its diagonal is not computed. For b and u_h see
    /// [`Problem::matrix_free`](galerkit_fem::Problem::matrix_free).
    pub fn matrix_free(system: &System<MatrixFree<f64>>) -> Self {
        Self::new(system.A.clone().boxed()).positive_definite()
    }
}

impl From<galerkit_fem::Error> for Error {
    fn from(error: galerkit_fem::Error) -> Self {
        match error {
            galerkit_fem::Error::Linalg(inner) => Self::Linalg(inner),
            other => Self::Fem(other),
        }
    }
}
