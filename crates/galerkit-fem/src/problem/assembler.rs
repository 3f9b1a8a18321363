//! Assembly of a problem: what does not depend on its coefficients is computed once, so that other coefficients on the
//! same space only cost their element matrices and `values = S k`.

use super::data::Problem;
use super::floating::{find_floating, orthogonalise, pin};
use super::system::{Interior, System};
use crate::assemble::condense::condense;
use crate::assemble::pattern::{Contribution, Pattern};
use crate::assemble::scatter::Scatter;
use crate::error::{Error, Result};
use crate::forest::Size;
use crate::space::Space;
use galerkit_linalg::map::GatherSums;
use galerkit_linalg::parallel;
use std::sync::Arc;

/// The pattern of a problem's matrix and where each cell contributes.
#[derive(Clone, Debug)]
pub struct Assembler {
    space: Arc<Space>,
    interior: Interior,
    cells: Vec<Contribution>,
    pattern: Pattern,
}

impl Assembler {
    /// For problems whose forms couple no more functions than those of this one.
    pub fn new(problem: &Problem, interior: Interior) -> Result<Self> {
        let space = problem.space();
        problem.check_tags(space.forest().coarse().boundary_tags())?;
        let rows = match interior {
            Interior::Kept => space.counts().unknowns,
            Interior::Condensed => space.counts().interface,
        };
        let [cells, unknowns] = [space.cells(), rows].map(|count| count as f64);
        Size { unknowns, has_matrix: true, ..Size::of_cells(space.dim(), cells) }.check()?;
        let of_cell = |e: usize| {
            // Elimination of interior functions fills the blocks.
            let coupling = if interior == Interior::Kept { problem.coupling(e)? } else { None };
            let scatter = Scatter::new(space, e, rows);
            let entries = scatter.entries(coupling.as_ref());
            Ok(Contribution { scatter, entries })
        };
        let cells = parallel::try_values::<_, Error>(space.cells(), &of_cell)?;
        let pattern = Pattern::new(rows, &cells)?;
        Ok(Self { space: space.clone(), interior, cells, pattern })
    }

    /// S, for engines that sum contributions themselves.
    pub fn to_slots(&self) -> &GatherSums {
        self.pattern.to_slots()
    }

    /// The contributions of all cells: k to the matrix, f to the right-hand side. `known` are the Dirichlet data, of
    /// all functions.
    pub fn contributions(&self, problem: &Problem, known: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let space = &self.space;
        if !Arc::ptr_eq(space, problem.space()) {
            return Err(Error::OtherSpace);
        }
        let (entries, loads) = self.pattern.contributions();
        let (mut k, mut f) = (vec![0.0; entries], vec![0.0; loads]);
        let contribute = |e: usize, (block, segment): (&mut [f64], &mut [f64])| {
            let (mut K, mut load) = problem.cell_system(e, known)?;
            if self.interior == Interior::Condensed {
                condense(space.dim(), space.degree(e), &mut K, &mut load).ok_or(Error::Indefinite { cell: e })?;
            }
            let Contribution { scatter, entries } = &self.cells[e];
            let mut whole = vec![0.0; scatter.unknowns.len().pow(2)];
            scatter.matrix(&K, &mut whole);
            block.iter_mut().zip(entries).for_each(|(value, &at)| *value = whole[at as usize]);
            if nonzeros(&whole) > nonzeros(block) {
                return Err(Error::NotInPattern { cell: e });
            }
            scatter.vector(&load, segment);
            Ok::<_, Error>(())
        };
        parallel::try_each_piece(self.pattern.split(&mut k, &mut f), &contribute)?;
        Ok((k, f))
    }

    /// The system of a problem; where u is determined up to a constant one vertex is pinned to 0, so that A is
    /// definite.
    pub fn assemble(&self, problem: &Problem) -> Result<System> {
        let mut system = self.balanced(problem)?;
        pin(&mut system.A, &mut system.b, &system.floating);
        system.is_pinned = system.is_mean_free();
        Ok(system)
    }

    /// The same with nothing pinned: A may be singular, and b is orthogonal to the constants that cost nothing, up to
    /// which CG finds a solution. For preconditioners that know of no pin, as multigrid.
    pub fn assemble_semidefinite(&self, problem: &Problem) -> Result<System> {
        let mut system = self.balanced(problem)?;
        orthogonalise(&mut system.b, &system.floating);
        Ok(system)
    }

    fn balanced(&self, problem: &Problem) -> Result<System> {
        let lift = problem.lift()?;
        let (k, f) = self.contributions(problem, &problem.space().complete(lift.clone()))?;
        let (A, b) = (self.pattern.matrix(&k), self.pattern.vector(&f));
        let floating = find_floating(problem.space(), &A, &b)?;
        Ok(System { A, b, interior: self.interior, lift, floating, is_pinned: false })
    }
}

fn nonzeros(values: &[f64]) -> usize {
    values.iter().filter(|value| **value != 0.0).count()
}

impl Problem {
    /// Assembles the system.
    pub fn assemble(&self, interior: Interior) -> Result<System> {
        Assembler::new(self, interior)?.assemble(self)
    }
    /// Assembles the system with nothing pinned, see [`Assembler::assemble_semidefinite`].
    pub fn assemble_semidefinite(&self, interior: Interior) -> Result<System> {
        Assembler::new(self, interior)?.assemble_semidefinite(self)
    }
}
