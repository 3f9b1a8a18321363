//! What is known of a solution: sizes, energy, errors.

use galerkit::Report;
use galerkit::fem::Problem;
use galerkit::fem::norm::{Exact, Measured, Norms};
use galerkit::fem::problem::Discretisation;
use serde::Serialize;

/// Sizes of a space, energy and errors of the solution on it.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// 2 or 3.
    pub dim: usize,
    /// Cells.
    pub cells: usize,
    /// The lowest degree.
    pub degree_min: usize,
    /// The highest degree.
    pub degree_max: usize,
    /// Unknowns.
    pub unknowns: usize,
    /// The dimension without Dirichlet conditions.
    pub dimension: usize,
    /// a(u_h, u_h).
    pub energy: f64,
    /// a(u - u_h, u - u_h)^(1/2), where u is known.
    pub energy_error: Option<f64>,
    /// |u - u_h| in L2, where u is known; up to a constant where that is not determined.
    pub l2_error: Option<f64>,
    /// The estimate of the automatic loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Seconds from the beginning of the command, where there are several spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<f64>,
    /// Iterations of the linear solve.
    pub iterations: usize,
    /// Its residual relative to the right-hand side.
    pub true_residual: f64,
}

impl Figures {
    /// Of a space and its solve.
    pub fn new<V: Discretisation>(space: &V, energy: f64, errors: Option<Norms>, report: &Report) -> Self {
        let (degree_min, degree_max) = space.degrees();
        Self {
            dim: space.dim(),
            cells: space.cells(),
            degree_min,
            degree_max,
            unknowns: space.unknowns(),
            dimension: space.dimension(),
            energy,
            energy_error: errors.map(|errors| errors.energy),
            l2_error: errors.map(|errors| errors.l2),
            estimate: None,
            elapsed: None,
            iterations: report.iterations,
            true_residual: report.true_residual,
        }
    }
    /// The error in the energy norm, known or estimated.
    pub fn error(&self) -> Option<f64> {
        self.energy_error.or(self.estimate)
    }
    /// N^(1/3) in the plane, N^(1/4) in space: over it ln(error) is a line where hp converges exponentially.
    pub fn abscissa(&self) -> f64 {
        (self.unknowns as f64).powf(1.0 / (self.dim as f64 + 1.0))
    }
}

/// u + c.
struct Shifted<'a>(&'a dyn Exact, f64);

impl Exact for Shifted<'_> {
    fn value(&self, x: &[f64; 3]) -> f64 {
        self.0.value(x) + self.1
    }
    fn gradient(&self, x: &[f64; 3]) -> [f64; 3] {
        self.0.gradient(x)
    }
}

/// Errors up to a constant: |e + c|^2 = |e|^2 + 2 c int e + c^2 |domain| is least where e + c has the mean 0.
pub fn errors_up_to_a_constant<V: Discretisation>(
    problem: &Problem<V>,
    solution: &V::Solution,
    exact: &dyn Exact,
) -> galerkit::fem::Result<Measured> {
    let shifted = |c: f64| V::errors(problem, solution, &Shifted(exact, c));
    let [below, at, above] = [shifted(-1.0)?, shifted(0.0)?, shifted(1.0)?].map(|norms| norms.l2 * norms.l2);
    let (integral, volume) = ((above - below) / 4.0, (above + below) / 2.0 - at);
    V::measured(problem, solution, &Shifted(exact, -integral / volume))
}
