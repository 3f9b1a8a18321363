//! The linear system of a problem: SPD, with Dirichlet data on the right-hand side.

use super::data::Problem;
use super::floating::{Floating, components};
use super::solution::Solution;
use crate::assemble::condense::recover;
use crate::assemble::moments::Tables;
use crate::error::{Error, Result};
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// What becomes of interior functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interior {
    /// They are unknowns.
    #[default]
    Kept,
    /// They are eliminated cell by cell.
    Condensed,
}

/// A x = b for the unknowns of a problem. A is a matrix, or another operator such as
/// [`MatrixFree`](crate::MatrixFree).
#[derive(Clone, Debug)]
pub struct System<A = Csr<f64>> {
    /// The matrix or operator.
    pub A: A,
    /// The right-hand side.
    pub b: Vec<f64>,
    pub(crate) interior: Interior,
    pub(crate) lift: Vec<f64>,
    pub(crate) floating: Vec<Floating>,
    pub(crate) is_pinned: bool, // a vertex of each floating component
}

impl Problem {
    /// u_h from the solution of a system.
    pub fn solution<A>(&self, system: &System<A>, x: &[f64]) -> Result<Solution> {
        let mut masters = system.lift.clone();
        masters[..x.len()].copy_from_slice(x);
        if system.interior == Interior::Condensed {
            self.recover(system, &mut masters)?;
        }
        for floating in &system.floating {
            let mean = self.mean(floating.component, &self.space().complete(masters.clone()))?;
            floating.ones.iter().for_each(|&i| masters[i as usize] -= mean);
        }
        Ok(Solution::new(self.space().clone(), masters))
    }

    /// Fills in the interior coefficients of all cells.
    fn recover<A>(&self, system: &System<A>, masters: &mut [f64]) -> Result<()> {
        let (space, known) = (self.space(), self.space().complete(system.lift.clone()));
        let mut unknown = masters.to_vec();
        unknown[space.unknowns()..].fill(0.0);
        let unknown = space.complete(unknown);
        let of_cell = |e: usize| {
            let (K, load) = self.cell_system(e, &known)?;
            let mut u = space.local(e, &unknown);
            recover(space.dim(), space.degree(e), &K, &load, &mut u).ok_or(Error::Indefinite { cell: e })?;
            Ok::<_, Error>(u)
        };
        let locals = parallel::try_values(space.cells(), &of_cell)?;
        for (e, u) in locals.iter().enumerate() {
            for (function, value) in space.functions(e).iter().zip(u) {
                if let Some((i, _)) =
                    function.get().filter(|&(i, _)| (space.counts().interface..space.unknowns()).contains(&i))
                {
                    masters[i] = *value;
                }
            }
        }
        Ok(())
    }

    /// The mean of u over a component.
    fn mean(&self, component: usize, all: &[f64]) -> Result<f64> {
        let (space, components) = (self.space(), components(self.space()));
        let (mut sum, mut volume) = (0.0, 0.0);
        for e in 0..space.cells() {
            if components[space.forest().cells()[e].tree as usize] != component {
                continue;
            }
            for patch in self.integration().cell(space.forest(), e, space.degree(e)) {
                let u = Tables::new(space.degree(e), &patch).evaluate(&space.local(e, all), None);
                for ((t, w), u) in patch.points().zip(u) {
                    let measure = w * crate::forest::geometry::determinant(&space.forest().map(e).at(&t).1);
                    (sum, volume) = (sum + measure * u, volume + measure);
                }
            }
        }
        Ok(sum / volume)
    }
}

impl<A> System<A> {
    /// Whether constants had to be fixed: the solution is free of a mean then.
    pub fn is_mean_free(&self) -> bool {
        !self.floating.is_empty()
    }
}
