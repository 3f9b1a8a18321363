//! Errors of solutions on triangles and tetrahedra, by quadrature.

use super::element::integrand;
use super::{SimplexSolution, SimplexSpace};
use crate::error::Result;
use crate::form::Site;
use crate::norm::{Exact, Measured, Norms, Squares};
use crate::problem::Problem;

/// Up to so many points the second rule of [`Problem::measured`] has twice as many along each edge.
const POINTS: usize = 5_000_000;

impl Problem<SimplexSpace> {
    /// The errors of a solution.
    pub fn errors(&self, solution: &SimplexSolution, exact: &dyn Exact) -> Result<Norms> {
        let Norms { l2, energy } = self.squares(solution, exact, self.points())?.error;
        Ok(Norms { l2: l2.sqrt(), energy: energy.sqrt() })
    }

    /// The errors by two rules.
    pub fn measured(&self, solution: &SimplexSolution, exact: &dyn Exact) -> Result<Measured> {
        let (n, space) = (self.points(), self.space());
        let is_cheap = space.cells() * (2 * n).pow(space.dim() as u32) <= POINTS;
        let richer = if is_cheap { 2 * n } else { n + 1 };
        Ok(Measured::of(self.squares(solution, exact, n)?, self.squares(solution, exact, richer)?))
    }

    /// Squares by n points in each direction.
    fn squares(&self, solution: &SimplexSolution, exact: &dyn Exact, n: usize) -> Result<Squares> {
        let (space, samples) = (self.space(), self.space().tabulated(n));
        let mut squares = Squares::default();
        for e in 0..space.cells() {
            let map = space.map(e);
            for sample in &samples {
                let placed = map.at(&sample.lambda)?;
                let site = Site { point: placed.point, region: space.region(e) };
                let (value, gradient) = solution.combine(e, &placed, &sample.functions[space.order_of(e)]);
                let (u, slopes) = (exact.value(&site.point), exact.gradient(&site.point));
                let miss = [0, 1, 2].map(|i| slopes[i] - gradient[i]);
                let a = integrand(&self.forms, &site)?;
                let w = sample.weight * placed.volume;
                squares.error.l2 += w * (u - value).powi(2);
                squares.exact.l2 += w * u.powi(2);
                squares.error.energy += w * a.energy_density(3, u - value, &miss);
                squares.exact.energy += w * a.energy_density(3, u, &slopes);
            }
        }
        Ok(squares)
    }
}
