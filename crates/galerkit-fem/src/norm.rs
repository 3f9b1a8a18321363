//! Norms of solutions and of their errors, by quadrature: |u - u_h| in L2 and in the energy a(v, v)^(1/2).

use crate::assemble::element::checked_inverse;
use crate::assemble::moments::Tables;
use crate::assemble::rules::Rules;
use crate::error::{Error, Result};
use crate::form::{Form, Site};
use crate::problem::{Problem, Solution};
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

/// The errors of a solution.
pub fn errors(solution: &Solution, forms: &[Arc<dyn Form>], exact: &dyn Exact, rules: &Rules) -> Result<Norms> {
    let squares = cell_errors(solution, forms, exact, rules)?;
    let sum =
        squares.iter().fold(Norms::default(), |sum, of| Norms { l2: sum.l2 + of.l2, energy: sum.energy + of.energy });
    Ok(Norms { l2: sum.l2.sqrt(), energy: sum.energy.sqrt() })
}

/// The squares of the errors, cell by cell.
pub fn cell_errors(
    solution: &Solution,
    forms: &[Arc<dyn Form>],
    exact: &dyn Exact,
    rules: &Rules,
) -> Result<Vec<Norms>> {
    parallel::try_values(solution.space().cells(), &|e| cell_error(solution, e, forms, exact, rules))
}

fn cell_error(
    solution: &Solution,
    e: usize,
    forms: &[Arc<dyn Form>],
    exact: &dyn Exact,
    rules: &Rules,
) -> Result<Norms> {
    let space = solution.space();
    let (forest, dim, p) = (space.forest(), space.dim(), space.degree(e));
    let local = solution.local(e);
    let mut squares = Norms::default();
    for patch in rules.cell(forest, e, p) {
        let tables = Tables::new(p, &patch);
        let u = tables.evaluate(&local, None);
        let slopes: Vec<Vec<f64>> = (0..dim).map(|a| tables.evaluate(&local, Some(a))).collect();
        for (q, (t, w)) in patch.points().enumerate() {
            let (point, J) = forest.map(e).at(&t);
            let (volume, inverse) = checked_inverse(&J, e)?;
            let exact_gradient = exact.gradient(&point);
            let miss =
                [0, 1, 2].map(|i| exact_gradient[i] - (0..dim).map(|a| inverse[a][i] * slopes[a][q]).sum::<f64>());
            let difference = exact.value(&point) - u[q];
            squares.l2 += w * volume * difference * difference;
            for form in forms {
                let integrand = form.at(&Site { point, region: forest.region(e) })?;
                let flux = |i: usize| (0..dim).map(|j| integrand.diffusion[i][j] * miss[j]).sum::<f64>();
                let energy =
                    (0..dim).map(|i| miss[i] * flux(i)).sum::<f64>() + integrand.reaction * difference * difference;
                squares.energy += w * volume * energy;
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
