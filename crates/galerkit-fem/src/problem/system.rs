//! The linear system of a problem: SPD, with Dirichlet data on the right-hand side.

use super::data::Problem;
use super::floating::{Floating, components, find_floating, pin};
use super::solution::Solution;
use crate::assemble::condense::{condense, recover};
use crate::assemble::moments::Tables;
use crate::assemble::pattern::{Contribution, Pattern};
use crate::assemble::scatter::Scatter;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use galerkit_linalg::direct::sparse_cholesky;
use galerkit_linalg::sparse::Csr;
use rayon::prelude::*;

/// What becomes of interior functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interior {
    /// They are unknowns.
    #[default]
    Kept,
    /// They are eliminated cell by cell.
    Condensed,
}

/// A x = b for the unknowns of a problem.
#[derive(Clone, Debug)]
pub struct System {
    /// The matrix.
    pub A: Csr<f64>,
    /// The right-hand side.
    pub b: Vec<f64>,
    interior: Interior,
    lift: Vec<f64>,
    floating: Vec<Floating>,
}

impl Problem {
    /// Assembles the system.
    pub fn assemble(&self, interior: Interior) -> Result<System> {
        self.check()?;
        let (space, lift) = (self.space(), self.lift()?);
        let known = space.complete(lift.clone());
        let rows = match interior {
            Interior::Kept => space.counts().unknowns,
            Interior::Condensed => space.counts().interface,
        };
        let cells = self.contributions(interior, rows)?;
        let pattern = Pattern::new(rows, &cells)?;
        let (entries, loads) = pattern.contributions();
        let (mut k, mut f) = (vec![0.0; entries], vec![0.0; loads]);
        let contribute = |(e, (block, segment)): (usize, (&mut [f64], &mut [f64]))| {
            let (mut K, mut load) = self.cell_system(e, &known)?;
            if interior == Interior::Condensed {
                condense(space.dim(), space.degree(e), &mut K, &mut load).ok_or_else(|| indefinite(e))?;
            }
            let Contribution { scatter, entries } = &cells[e];
            let mut whole = vec![0.0; scatter.unknowns.len().pow(2)];
            scatter.matrix(&K, &mut whole);
            block.iter_mut().zip(entries).for_each(|(value, &at)| *value = whole[at as usize]);
            scatter.vector(&load, segment);
            Ok::<_, Error>(())
        };
        pattern.split(&mut k, &mut f).into_par_iter().enumerate().try_for_each(contribute)?;
        let (mut A, mut b) = (pattern.matrix(&k), pattern.vector(&f));
        let floating = find_floating(space, &A, &b)?;
        pin(&mut A, &mut b, &floating);
        Ok(System { A, b, interior, lift, floating })
    }

    /// Where each cell contributes to a system of so many rows. Elimination of interior functions fills the blocks.
    fn contributions(&self, interior: Interior, rows: usize) -> Result<Vec<Contribution>> {
        let of_cell = |e: usize| {
            let coupling = if interior == Interior::Kept { self.coupling(e)? } else { None };
            let scatter = Scatter::new(self.space(), e, rows);
            let entries = scatter.entries(coupling.as_ref());
            Ok(Contribution { scatter, entries })
        };
        (0..self.space().cells()).into_par_iter().map(of_cell).collect()
    }

    /// K_e and f_e - K_e g_e, with g_e the local coefficients of the Dirichlet data.
    fn cell_system(&self, e: usize, known: &[f64]) -> Result<(Dense, Vec<f64>)> {
        let (K, mut load) = (self.cell_matrix(e)?, self.cell_load(e)?);
        let given = self.space().local(e, known);
        if given.iter().any(|g| *g != 0.0) {
            load.iter_mut().zip(K.times(&given)).for_each(|(load, Kg)| *load -= Kg);
        }
        Ok((K, load))
    }

    /// u_h from the solution of a system.
    pub fn solution(&self, system: &System, x: &[f64]) -> Result<Solution> {
        let mut masters = system.lift.clone();
        masters[..x.len()].copy_from_slice(x);
        if system.interior == Interior::Condensed {
            self.recover(system, &mut masters)?;
        }
        for floating in &system.floating {
            let mean = self.mean(floating.component, &self.space().complete(masters.clone()))?;
            floating.vertices.iter().for_each(|&i| masters[i as usize] -= mean);
        }
        Ok(Solution::new(self.space().clone(), masters))
    }

    /// Fills in the interior coefficients of all cells.
    fn recover(&self, system: &System, masters: &mut [f64]) -> Result<()> {
        let (space, known) = (self.space(), self.space().complete(system.lift.clone()));
        let mut unknown = masters.to_vec();
        unknown[space.unknowns()..].fill(0.0);
        let unknown = space.complete(unknown);
        let of_cell = |e: usize| {
            let (K, load) = self.cell_system(e, &known)?;
            let mut u = space.local(e, &unknown);
            recover(space.dim(), space.degree(e), &K, &load, &mut u).ok_or_else(|| indefinite(e))?;
            Ok::<_, Error>(u)
        };
        let locals: Vec<Vec<f64>> = (0..space.cells()).into_par_iter().map(of_cell).collect::<Result<_>>()?;
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

    /// Assembles, factorises and solves.
    pub fn solve(&self) -> Result<Solution> {
        self.solve_with(Interior::Kept)
    }
    /// Assembles, factorises and solves, with interior functions as told.
    pub fn solve_with(&self, interior: Interior) -> Result<Solution> {
        let system = self.assemble(interior)?;
        let x = sparse_cholesky(&system.A)?.solve(&system.b)?;
        self.solution(&system, &x)
    }
}

impl System {
    /// Whether constants had to be fixed: the solution is free of a mean then.
    pub fn is_mean_free(&self) -> bool {
        !self.floating.is_empty()
    }
}

fn indefinite(e: usize) -> Error {
    let problem = "its matrix is not definite on interior functions, which cannot be condensed".into();
    Error::InvalidMesh { place: format!("cell {e}"), problem }
}
