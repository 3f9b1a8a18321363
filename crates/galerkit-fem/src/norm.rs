//! Norms of solutions and of their errors, by quadrature: |u - u_h| in L2 and in the energy a(v, v)^(1/2).

mod measured;

pub use measured::{Measured, measured};

use crate::assemble::element::checked_inverse;
use crate::assemble::moments::Tables;
use crate::assemble::rules::Rules;
use crate::error::{Error, Result};
use crate::form::{Form, Site};
use crate::problem::{Problem, Solution};
use crate::quadrature::Patch;
use galerkit_linalg::parallel;
use std::sync::Arc;

/// A function with its gradient.
pub trait Exact: Sync {
    /// u(x).
    fn value(&self, x: &[f64; 3]) -> f64;
    /// grad u(x).
    fn gradient(&self, x: &[f64; 3]) -> [f64; 3];
}

/// u and grad u as closures.
impl<U: Fn(&[f64; 3]) -> f64 + Sync, G: Fn(&[f64; 3]) -> [f64; 3] + Sync> Exact for (U, G) {
    fn value(&self, x: &[f64; 3]) -> f64 {
        self.0(x)
    }
    fn gradient(&self, x: &[f64; 3]) -> [f64; 3] {
        self.1(x)
    }
}

/// Norms of u - u_h.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Norms {
    /// In L2.
    pub l2: f64,
    /// In the energy of the forms.
    pub energy: f64,
}

impl Norms {
    /// The sum of squares of two pieces.
    fn plus(self, other: Self) -> Self {
        Self { l2: self.l2 + other.l2, energy: self.energy + other.energy }
    }
    /// Norms from their squares.
    fn root(self) -> Self {
        Self { l2: self.l2.sqrt(), energy: self.energy.sqrt() }
    }
}

/// Squares of the error and of the exact solution.
#[derive(Clone, Copy, Debug, Default)]
pub struct Squares {
    /// Of u - u_h.
    pub error: Norms,
    /// Of u.
    pub exact: Norms,
}

impl Squares {
    /// Those of two pieces.
    pub fn plus(self, other: Self) -> Self {
        Self { error: self.error.plus(other.error), exact: self.exact.plus(other.exact) }
    }
}

/// The errors of a solution.
pub fn errors(solution: &Solution, forms: &[Arc<dyn Form>], exact: &dyn Exact, rules: &Rules) -> Result<Norms> {
    let squares = cell_errors(solution, forms, exact, rules)?;
    Ok(squares.iter().fold(Norms::default(), |sum, of| sum.plus(*of)).root())
}

/// The squares of the errors, cell by cell.
pub fn cell_errors(
    solution: &Solution,
    forms: &[Arc<dyn Form>],
    exact: &dyn Exact,
    rules: &Rules,
) -> Result<Vec<Norms>> {
    let space = solution.space();
    let of_cell = |e: usize| {
        let patches = rules.cell(space.forest(), e, space.degree(e));
        Ok::<_, Error>(of_patches(solution, e, (forms, exact), &patches)?.error)
    };
    parallel::try_values(space.cells(), &of_cell)
}

/// Squares of the error and of the exact solution in a cell, by the rules of some patches.
fn of_patches(
    solution: &Solution,
    e: usize,
    (forms, exact): (&[Arc<dyn Form>], &dyn Exact),
    patches: &[Patch],
) -> Result<Squares> {
    let space = solution.space();
    let (forest, dim, p) = (space.forest(), space.dim(), space.degree(e));
    let local = solution.local(e);
    let mut squares = Squares::default();
    for patch in patches {
        let tables = Tables::new(p, patch);
        let u = tables.evaluate(&local, None);
        let slopes: Vec<Vec<f64>> = (0..dim).map(|a| tables.evaluate(&local, Some(a))).collect();
        for (q, (t, w)) in patch.points().enumerate() {
            let (point, J) = forest.map(e).at(&t);
            let (volume, inverse) = checked_inverse(&J, e)?;
            let (value, gradient) = (exact.value(&point), exact.gradient(&point));
            let miss = [0, 1, 2].map(|i| gradient[i] - (0..dim).map(|a| inverse[a][i] * slopes[a][q]).sum::<f64>());
            let (difference, w) = (value - u[q], w * volume);
            squares.error.l2 += w * difference * difference;
            squares.exact.l2 += w * value * value;
            for form in forms {
                let integrand = form.at(&Site { point, region: forest.region(e) })?;
                squares.error.energy += w * integrand.energy_density(dim, difference, &miss);
                squares.exact.energy += w * integrand.energy_density(dim, value, &gradient);
            }
        }
    }
    Ok(squares)
}

/// a(u_h, u_h), boundary terms included.
pub fn energy(problem: &Problem, solution: &Solution) -> Result<f64> {
    let of_cell = |e: usize| {
        let (K, u) = (problem.cell_matrix(e)?, solution.local(e));
        Ok(K.times(&u).iter().zip(&u).map(|(Ku, u)| Ku * u).sum())
    };
    let energies: Vec<f64> = parallel::try_values::<_, Error>(solution.space().cells(), &of_cell)?;
    Ok(energies.iter().sum())
}
