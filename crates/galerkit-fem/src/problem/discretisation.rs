//! What all kinds of spaces can do with a problem, so that drivers are written once for hexahedra and simplices.

use super::data::Problem;
use super::solution::Solution;
use super::system::{Interior, System};
use crate::error::Result;
use crate::io::Contents;
use crate::norm::{self, Exact, Measured, Norms};
use crate::picture::{Picture, Plane, Scene};
use crate::simplex::system::SimplexSystem;
use crate::simplex::{SimplexSolution, SimplexSpace};
use crate::space::Space;
use galerkit_linalg::sparse::Csr;
use std::path::Path;

/// A space on which boundary value problems are solved.
pub trait Discretisation: Sized + Send + Sync {
    /// A x = b, and what leads from x to u_h.
    type System;
    /// u_h.
    type Solution;

    /// 2 or 3.
    fn dim(&self) -> usize;
    /// How many cells it has.
    fn cells(&self) -> usize;
    /// How many unknowns it has.
    fn unknowns(&self) -> usize;
    /// The dimension without Dirichlet conditions.
    fn dimension(&self) -> usize;
    /// The lowest and the highest degree.
    fn degrees(&self) -> (usize, usize);
    /// Assembles the system of a problem; simplices keep their interior functions.
    ///
    /// # Errors
    /// If data are not finite or positive where they must be, on unknown tags, or not balanced.
    fn assemble(problem: &Problem<Self>, interior: Interior) -> Result<Self::System>;
    /// A and b.
    fn equations(system: &Self::System) -> (&Csr<f64>, &[f64]);
    /// Whether constants had to be fixed.
    fn is_mean_free(system: &Self::System) -> bool;
    /// u_h from x.
    ///
    /// # Errors
    /// If data are not what they were when the system was assembled.
    fn solution(problem: &Problem<Self>, system: &Self::System, x: &[f64]) -> Result<Self::Solution>;
    /// Norms of u - u_h.
    ///
    /// # Errors
    /// If coefficients are not what they must be.
    fn errors(problem: &Problem<Self>, solution: &Self::Solution, exact: &dyn Exact) -> Result<Norms>;
    /// The same by two rules, so that an exact solution that cells do not resolve is noticed.
    ///
    /// # Errors
    /// If coefficients are not what they must be.
    fn measured(problem: &Problem<Self>, solution: &Self::Solution, exact: &dyn Exact) -> Result<Measured>;
    /// a(u_h, u_h).
    ///
    /// # Errors
    /// If coefficients are not what they must be.
    fn energy(problem: &Problem<Self>, solution: &Self::Solution) -> Result<f64>;
    /// u_h at a point; none outside of the domain.
    fn at(solution: &Self::Solution, point: &[f64; 3]) -> Option<f64>;
    /// u_h on straight pieces of cells.
    fn subdivided(solution: &Self::Solution) -> Contents;
    /// A picture of u_h, in 3D cut open in its middle.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write_png(solution: &Self::Solution, path: &Path) -> Result<()>;
}

/// Draws u_h, in space cut in the middle between points of its cells.
fn draw(scene: &Scene<'_>, points: &[[f64; 3]], path: &Path) -> Result<()> {
    let bounds = |axis: usize| {
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x[axis]), high.max(x[axis])])
    };
    let picture = Picture::of(scene);
    let ([low, high], [bottom, top]) = (bounds(1), bounds(2));
    let picture = if top > bottom { picture.cut(Plane::across(1, (low + high) / 2.0)) } else { picture };
    picture.write_png(path)
}

impl Discretisation for Space {
    type System = System;
    type Solution = Solution;

    fn dim(&self) -> usize {
        self.dim()
    }
    fn cells(&self) -> usize {
        self.cells()
    }
    fn unknowns(&self) -> usize {
        self.unknowns()
    }
    fn dimension(&self) -> usize {
        self.dimension()
    }
    fn degrees(&self) -> (usize, usize) {
        let all = self.degrees();
        (all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0))
    }
    fn assemble(problem: &Problem, interior: Interior) -> Result<System> {
        problem.assemble(interior)
    }
    fn equations(system: &System) -> (&Csr<f64>, &[f64]) {
        (&system.A, &system.b)
    }
    fn is_mean_free(system: &System) -> bool {
        system.is_mean_free()
    }
    fn solution(problem: &Problem, system: &System, x: &[f64]) -> Result<Solution> {
        problem.solution(system, x)
    }
    fn errors(problem: &Problem, solution: &Solution, exact: &dyn Exact) -> Result<Norms> {
        norm::errors(solution, problem.forms(), exact, problem.integration())
    }
    fn measured(problem: &Problem, solution: &Solution, exact: &dyn Exact) -> Result<Measured> {
        norm::measured(solution, problem.forms(), exact, problem.integration())
    }
    fn energy(problem: &Problem, solution: &Solution) -> Result<f64> {
        norm::energy(problem, solution)
    }
    fn at(solution: &Solution, point: &[f64; 3]) -> Option<f64> {
        solution.at(point)
    }
    fn subdivided(solution: &Solution) -> Contents {
        solution.subdivided()
    }
    fn write_png(solution: &Solution, path: &Path) -> Result<()> {
        let forest = solution.space().forest();
        let corners = (0..8u8).map(|c| [0, 1, 2].map(|axis| if c >> axis & 1 == 1 { 1.0 } else { -1.0 }));
        let of_cell = |e: usize| corners.clone().map(move |t| forest.map(e).at(&t).0);
        let points: Vec<_> = (0..forest.cells().len()).flat_map(of_cell).collect();
        draw(&Scene::of_solution(solution), &points, path)
    }
}

impl Discretisation for SimplexSpace {
    type System = SimplexSystem;
    type Solution = SimplexSolution;

    fn dim(&self) -> usize {
        self.dim()
    }
    fn cells(&self) -> usize {
        self.cells()
    }
    fn unknowns(&self) -> usize {
        self.unknowns()
    }
    fn dimension(&self) -> usize {
        self.dimension()
    }
    fn degrees(&self) -> (usize, usize) {
        (self.degree(), self.degree())
    }
    fn assemble(problem: &Problem<Self>, _: Interior) -> Result<SimplexSystem> {
        problem.assemble()
    }
    fn equations(system: &SimplexSystem) -> (&Csr<f64>, &[f64]) {
        (&system.A, &system.b)
    }
    fn is_mean_free(system: &SimplexSystem) -> bool {
        system.is_mean_free()
    }
    fn solution(problem: &Problem<Self>, system: &SimplexSystem, x: &[f64]) -> Result<SimplexSolution> {
        problem.solution(system, x)
    }
    fn errors(problem: &Problem<Self>, solution: &SimplexSolution, exact: &dyn Exact) -> Result<Norms> {
        problem.errors(solution, exact)
    }
    fn measured(problem: &Problem<Self>, solution: &SimplexSolution, exact: &dyn Exact) -> Result<Measured> {
        problem.measured(solution, exact)
    }
    fn energy(problem: &Problem<Self>, solution: &SimplexSolution) -> Result<f64> {
        problem.energy(solution)
    }
    fn at(solution: &SimplexSolution, point: &[f64; 3]) -> Option<f64> {
        solution.at(point)
    }
    fn subdivided(solution: &SimplexSolution) -> Contents {
        solution.subdivided()
    }
    fn write_png(solution: &SimplexSolution, path: &Path) -> Result<()> {
        let Contents { mesh, point_data, .. } = solution.subdivided();
        let values = point_data.first().map_or(&[][..], |field| &field.values);
        draw(&Scene::of_points(&mesh, values)?, &mesh.points, path)
    }
}
