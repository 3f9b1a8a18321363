//! Boundary value problems: assembled, solved, and brought back as a function on the mesh.

use super::Solver;
use crate::error::{Error, Result};
use crate::report::Report;
use galerkit_fem::Problem;
use galerkit_fem::problem::{Discretisation, Interior};
use galerkit_linalg::krylov::Outcome;

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

    /// Solves the system of a problem that is already assembled. One without unknowns, as that of a single cell of degree 1 with
    /// Dirichlet data, is solved.
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
            let mut report = Report::of_system::<f64>(A, crate::Method::CG, 0.0);
            report.conclude(Outcome::Converged);
            report.method_reason = "there are no unknowns".into();
            return Ok((Vec::new(), report));
        }
        let solution = self.solve(A, b)?;
        Ok((solution.x, solution.report))
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
